// Conditional reads: an unchanged representation costs a 304, not its bytes.

internal import Foundation
internal import LiveSurface

/// Representations with their tags; the least recently used one is dropped.
struct RepresentationCache: Sendable {
    struct Entry: Sendable {
        var tag: String
        var body: Data
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// The entry of a path; nil when it was never kept or was dropped.
    mutating func entry(of path: String) -> Entry? {
        touch(path)
        return entries[path]
    }

    /// Keeps an answer that has a tag.
    mutating func keep(_ response: ClientResponse, of path: String) {
        entries[path] = response.headers["etag"].map { Entry(tag: $0, body: response.body) }
        touch(path)
        while order.count > ClientLimits.keptRepresentations { entries[order.removeFirst()] = nil }
    }

    private mutating func touch(_ path: String) {
        order.removeAll { $0 == path }
        if entries[path] != nil { order.append(path) }
    }
}

/// The reads of public resources.
///
/// A read needs no credential. With one it takes from the quota of the device, not from that of its address.
actor MatchReads {
    /// Returns the credential of the device; nil when there is none.
    typealias Credential = @Sendable () async -> String?

    private let transport: any ClientTransport
    private let clock: any ClientClock
    private let credential: Credential
    private var cache = RepresentationCache()
    /// A credential that the server has refused; a repetition would use up the quota of wrong ones.
    private var refused: String?

    init(
        transport: any ClientTransport,
        clock: any ClientClock,
        credential: @escaping Credential = { nil }
    ) {
        self.transport = transport
        self.clock = clock
        self.credential = credential
    }

    /// Reads a resource; an unchanged one is decoded from the kept body.
    func read<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ path: String,
        query: [URLQueryItem] = [],
        within time: Duration = ClientLimits.readTime
    ) async throws(ClientError) -> Value {
        let key = ([path] + query.map { "\($0.name)=\($0.value ?? "")" }).joined(separator: "&")
        // Another read may drop the entry before the answer arrives.
        let kept = cache.entry(of: key)
        let headers = kept.map { ["if-none-match": $0.tag] } ?? [:]
        let response = try await send(ClientRequest(.get, path, query: query, headers: headers), within: time)
        let body: Data
        if response.status == 304, let kept {
            body = kept.body
        } else if response.isSuccess {
            cache.keep(response, of: key)
            body = response.body
        } else {
            throw ClientError(response)
        }
        guard let value = ClientJSON.decode(type, from: body) else { throw .unreadable }
        return value
    }

    /// Sends a request with the credential, and once without it when the server refuses the credential.
    private func send(_ request: ClientRequest, within time: Duration) async throws(ClientError) -> ClientResponse {
        let deadline = clock.now.uptime + time
        guard let credential = await acceptedCredential() else { return try await attempt(request, until: deadline) }
        let response = try await attempt(request.authorized(by: credential), until: deadline)
        guard Self.isRefusal(response.status) else { return response }
        refused = credential
        return try await attempt(request, until: deadline)
    }

    private func attempt(
        _ request: ClientRequest,
        until deadline: Duration
    ) async throws(ClientError) -> ClientResponse {
        let transport = transport
        let result: Result<ClientResponse, TransportError>?
        do {
            result = try await clock.race(until: deadline) { () async throws(TransportError) in
                try await transport.send(request)
            }
        } catch {
            throw .cancelled
        }
        switch result ?? .failure(.timedOut) {
        case .success(let response): return response
        case .failure(let error): throw ClientError(error)
        }
    }

    private func acceptedCredential() async -> String? {
        let current = await credential()
        return current == refused ? nil : current
    }

    /// Whether a status of a public resource is about the credential: unknown, or that of a blocked device.
    private static func isRefusal(_ status: Int) -> Bool { status == 401 || status == 403 }

    /// Reads a match for a poll.
    func poll(_ match: String) async -> Result<MatchDetail, ClientError> {
        do throws(ClientError) {
            return .success(try await read(MatchDetail.self, Self.path(of: match), within: ClientLimits.pollTime))
        } catch {
            return .failure(error)
        }
    }

    /// Reads a match as one surface of the portable contract.
    func surface(_ form: SurfaceForm, of match: String) async throws(ClientError) -> SurfaceSnapshot {
        // The default form has the plain address, which more clients share in caches.
        let parameters = form.variant == nil ? [] : form.parameters
        return try await read(
            SurfaceSnapshot.self,
            "\(Self.path(of: match))/surfaces/\(form.kind.rawValue)",
            query: parameters.map { URLQueryItem(name: $0.name, value: $0.value) }
        )
    }

    /// Opens a stream with the credential, and once without it when the server refuses the credential.
    func open(_ request: ClientRequest) async throws(TransportError) -> StreamingResponse {
        guard let credential = await acceptedCredential() else { return try await transport.open(request) }
        let response = try await transport.open(request.authorized(by: credential))
        guard Self.isRefusal(response.status) else { return response }
        response.body.cancel()
        refused = credential
        return try await transport.open(request)
    }

    /// The path of a match.
    static func path(of match: String) -> String { "/v1/matches/\(ClientRequest.segment(match))" }
}
