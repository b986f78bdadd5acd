// The requests of a phone's client; all phones share one HTTP client, since a session for each would be too heavy.

public import CurlTransfer
import Foundation
public import ScoreClient

/// The server as phones reach it; all phones of a fleet share it.
public struct PhoneServer: Sendable {
    private let base: String
    private let security: HostPolicy
    private let driver: TransferDriver

    /// Describes a server without TLS, as the demo runs it on loopback.
    ///
    /// - Parameters:
    ///   - host: The name or address of this machine.
    ///   - port: The port.
    ///   - driver: Sends the requests of all phones.
    public init(host: String, port: Int, driver: TransferDriver) {
        base = "http://\(host):\(port)"
        security = .local([host])
        self.driver = driver
    }

    func perform(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let reply: Reply
        do throws(TransferError) {
            reply = try await driver.perform(transfer(request))
        } catch {
            throw TransportError(error)
        }
        var headers: [String: String] = [:]
        for (name, value) in reply.head.headers where headers[name] == nil { headers[name] = value }
        return ClientResponse(status: reply.status, headers: headers, body: Data(reply.body))
    }

    func stream(_ request: ClientRequest) -> AsyncThrowingStream<[UInt8], any Error> {
        driver.stream(transfer(request))
    }

    /// The client ends a request at its deadline, so that the transfer has none of its own.
    private func transfer(_ request: ClientRequest) -> Transfer {
        Transfer(
            method: request.method.rawValue,
            url: base + request.path + Self.query(request.query),
            headers: request.headers.map { (name: $0.key, value: $0.value) },
            body: request.body.map { Array($0) } ?? [],
            deadline: nil,
            bodyLimit: SimulatorLimits.phoneAnswerBytes,
            security: security
        )
    }

    private static func query(_ items: [URLQueryItem]) -> String {
        guard !items.isEmpty else { return "" }
        var parts = URLComponents()
        parts.queryItems = items
        return "?" + (parts.percentEncodedQuery ?? "")
    }
}

/// The transport of one phone's client.
public struct PhoneTransport: ClientTransport {
    private let server: PhoneServer
    private let network: PhoneNetwork
    private let onAnswer: @Sendable (ClientRequest, ClientResponse) -> Void

    /// Connects a phone to a server.
    ///
    /// - Parameters:
    ///   - server: The server.
    ///   - network: The phone's network.
    ///   - onAnswer: Called with each answer that the phone receives.
    public init(
        server: PhoneServer,
        network: PhoneNetwork,
        onAnswer: @escaping @Sendable (ClientRequest, ClientResponse) -> Void = { _, _ in }
    ) {
        self.server = server
        self.network = network
        self.onAnswer = onAnswer
    }

    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: `TransportError` when there is no complete answer, or a fault of the network has taken it.
    public func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let fate = network.next()
        if fate.isRequestLost { throw .offline }
        let response = try await server.perform(request)
        try await wait(fate.delay)
        // The network may have ended since.
        if fate.isAnswerLost || !network.isOnline { throw .interrupted }
        onAnswer(request, response)
        return response
    }

    /// Sends a request and returns when the first bytes of the answer have arrived.
    ///
    /// - Throws: `TransportError` when there is no answer, or a fault of the network has taken it.
    public func open(_ request: ClientRequest) async throws(TransportError) -> StreamingResponse {
        let fate = network.next()
        if fate.isRequestLost { throw .offline }
        let body = PhoneByteStream(server.stream(request), network: network)
        try await wait(fate.delay)
        if fate.isAnswerLost { throw .interrupted }
        return try await body.response()
    }

    private func wait(_ delay: Duration) async throws(TransportError) {
        guard delay > .zero else { return }
        do { try await Task.sleep(for: delay) } catch { throw .cancelled }
    }
}

extension TransportError {
    /// The error of an app's network for a failed transfer.
    init(_ error: TransferError) {
        switch error {
        case .deadline: self = .timedOut
        case .truncated, .badReply, .notText, .status: self = .interrupted
        case .tls: self = .insecure
        case .tooLarge: self = .tooLarge
        case .badRequest, .hostNotAllowed, .addressNotAllowed: self = .invalidRequest
        case .cancelled: self = .cancelled
        case .connection, .nameNotFound, .tooMany, .stopped, .other: self = .offline
        }
    }
}
