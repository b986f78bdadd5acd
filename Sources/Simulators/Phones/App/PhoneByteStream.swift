// A live stream of the shared HTTP client in the form that the client library reads.

import CurlTransfer
import ScoreClient
import Synchronization

/// The body of one stream.
final class PhoneByteStream: ByteStream {
    private struct State {
        var stream: AsyncThrowingStream<[UInt8], any Error>?
        /// The bytes that arrived with the head.
        var first: [UInt8]?
    }

    private let state: Mutex<State>
    private let network: PhoneNetwork

    init(_ stream: AsyncThrowingStream<[UInt8], any Error>, network: PhoneNetwork) {
        state = Mutex(State(stream: stream))
        self.network = network
    }

    /// Waits for the head, which the shared client reports with the first bytes.
    func response() async throws(TransportError) -> StreamingResponse {
        do {
            guard let first = try await read() else { return StreamingResponse(status: 204, body: self) }
            state.withLock { $0.first = first }
            return StreamingResponse(status: 200, body: self)
        } catch TransferError.status(let status, let wait) {
            let headers = wait.map { ["retry-after": "\($0.components.seconds)"] } ?? [:]
            return StreamingResponse(status: status, headers: headers, body: self)
        } catch {
            throw Self.meaning(of: error)
        }
    }

    /// The next bytes; nil at the end.
    ///
    /// - Throws: `TransportError` when the connection fails.
    func next() async throws(TransportError) -> [UInt8]? {
        let first = state.withLock { state in
            defer { state.first = nil }
            return state.first
        }
        if let first { return first }
        do {
            let bytes = try await read()
            guard network.isOnline else { throw TransportError.interrupted }
            return bytes
        } catch {
            throw Self.meaning(of: error)
        }
    }

    /// Closes the connection.
    func cancel() { state.withLock { $0.stream = nil } }

    private func read() async throws -> [UInt8]? {
        guard let stream = state.withLock({ $0.stream }) else { return nil }
        var reader = stream.makeAsyncIterator()
        return try await reader.next()
    }

    private static func meaning(of error: any Error) -> TransportError {
        switch error {
        case let error as TransportError: error
        case let error as TransferError: TransportError(error)
        case is CancellationError: .cancelled
        default: .interrupted
        }
    }
}
