// A network whose every answer the test gives.

import Foundation

@testable import ScoreClient

final class ScriptedTransport: ClientTransport, Sendable {
    /// A request of the client that waits for its answer.
    struct Exchange: Sendable {
        let request: ClientRequest
        fileprivate let reply = Reply<ClientResponse, TransportError>()
        fileprivate let opening = Reply<StreamingResponse, TransportError>()

        func answer(_ status: Int, _ body: String = "{}", headers: [String: String] = [:]) {
            reply.give(.success(ClientResponse(status: status, headers: headers, body: Data(body.utf8))))
        }

        func open(_ status: Int, _ stream: ScriptedStream = ScriptedStream(), headers: [String: String] = [:]) {
            opening.give(.success(StreamingResponse(status: status, headers: headers, body: stream)))
        }

        func fail(_ error: TransportError) {
            reply.give(.failure(error))
            opening.give(.failure(error))
        }

        fileprivate let cancelled = WaitingQueue<Void>()

        /// Returns when the client has cancelled the request.
        func cancellation() async throws { try await cancelled.next() }
    }

    private let exchanges = WaitingQueue<Exchange>()

    /// The next request of the client.
    func next() async throws -> Exchange { try await exchanges.next() }

    /// Whether no further request has been sent.
    var isIdle: Bool { exchanges.isEmpty }

    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse {
        let exchange = Exchange(request: request)
        exchanges.put(exchange)
        defer { if Task.isCancelled { exchange.cancelled.put(()) } }
        return try await exchange.reply.wait(cancelledBy: .cancelled)
    }

    func open(_ request: ClientRequest) async throws(TransportError) -> StreamingResponse {
        let exchange = Exchange(request: request)
        exchanges.put(exchange)
        defer { if Task.isCancelled { exchange.cancelled.put(()) } }
        return try await exchange.opening.wait(cancelledBy: .cancelled)
    }
}

/// A body whose bytes the test sends.
final class ScriptedStream: ByteStream, Sendable {
    private struct State {
        var parts: [Result<[UInt8]?, TransportError>] = []
        var waiting: Reply<[UInt8]?, TransportError>?
    }

    private let state = Locked(State())
    /// The client has closed the connection.
    let closed = WaitingQueue<Void>()

    func send(_ text: String) { put(.success(Array(text.utf8))) }

    func end() { put(.success(nil)) }

    func fail(_ error: TransportError) { put(.failure(error)) }

    private func put(_ part: Result<[UInt8]?, TransportError>) {
        let waiting = state.with { state -> Reply<[UInt8]?, TransportError>? in
            guard let waiting = state.waiting else {
                state.parts.append(part)
                return nil
            }
            state.waiting = nil
            return waiting
        }
        waiting?.give(part)
    }

    func next() async throws(TransportError) -> [UInt8]? {
        let reply = Reply<[UInt8]?, TransportError>()
        let part = state.with { state -> Result<[UInt8]?, TransportError>? in
            if !state.parts.isEmpty { return state.parts.removeFirst() }
            state.waiting = reply
            return nil
        }
        if let part { reply.give(part) }
        return try await reply.wait(cancelledBy: .cancelled)
    }

    func cancel() { closed.put(()) }
}
