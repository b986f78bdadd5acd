// Conditional reads: an unchanged representation costs a 304, not its bytes.

internal import Foundation
internal import LiveSurface

/// Representations with their tags; the least recently used one is dropped.
struct RepresentationCache: Sendable {
    private struct Entry: Sendable {
        var tag: String
        var body: Data
    }

    private var entries: [String: Entry] = [:]
    private var order: [String] = []

    /// The tag of a path.
    func tag(of path: String) -> String? { entries[path]?.tag }

    /// The body of a path.
    mutating func body(of path: String) -> Data? {
        touch(path)
        return entries[path]?.body
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
actor MatchReads {
    private let transport: any ClientTransport
    private var cache = RepresentationCache()

    init(transport: any ClientTransport) { self.transport = transport }

    /// Reads a resource.
    func read<Value: Decodable & Sendable>(
        _ type: Value.Type,
        _ path: String,
        query: [URLQueryItem] = []
    ) async throws(ClientError) -> Value {
        let key = ([path] + query.map { "\($0.name)=\($0.value ?? "")" }).joined(separator: "&")
        let response = try await fetch(path, query, tag: cache.tag(of: key))
        let body: Data
        if response.status == 304, let kept = cache.body(of: key) {
            body = kept
        } else if response.isSuccess {
            cache.keep(response, of: key)
            body = response.body
        } else {
            throw ClientError(response)
        }
        guard let value = ClientJSON.decode(type, from: body) else { throw .unreadable }
        return value
    }

    /// Reads a match; nil while it is as it was at the last read.
    func changed(_ match: String) async -> Result<MatchDetail?, ClientError> {
        let path = Self.path(of: match)
        do throws(ClientError) {
            let response = try await fetch(path, [], tag: cache.tag(of: path))
            if response.status == 304 { return .success(nil) }
            guard response.isSuccess else { return .failure(ClientError(response)) }
            guard let detail = ClientJSON.decode(MatchDetail.self, from: response.body) else {
                return .failure(.unreadable)
            }
            cache.keep(response, of: path)
            return .success(detail)
        } catch {
            return .failure(error)
        }
    }

    /// Opens a stream.
    nonisolated func open(_ request: ClientRequest) async throws(TransportError) -> StreamingResponse {
        try await transport.open(request)
    }

    /// The path of a match.
    static func path(of match: String) -> String { "/v1/matches/\(ClientRequest.segment(match))" }

    private func fetch(
        _ path: String,
        _ query: [URLQueryItem],
        tag: String?
    ) async throws(ClientError) -> ClientResponse {
        let headers = tag.map { ["if-none-match": $0] } ?? [:]
        do throws(TransportError) {
            return try await transport.send(ClientRequest(.get, path, query: query, headers: headers))
        } catch {
            throw ClientError(error)
        }
    }
}
