// The interface to the network: requests, and answers that arrive as a stream of bytes.

/// Sends requests; tests and simulations implement it too.
public protocol ClientTransport: Sendable {
    /// Sends a request and waits for the whole answer.
    ///
    /// - Throws: `TransportError` when there is no complete answer.
    func send(_ request: ClientRequest) async throws(TransportError) -> ClientResponse

    /// Sends a request and returns when the head of the answer has arrived.
    ///
    /// - Throws: `TransportError` when there is no answer.
    func open(_ request: ClientRequest) async throws(TransportError) -> StreamingResponse
}

/// An answer whose body is still arriving.
public struct StreamingResponse: Sendable {
    /// The status code.
    public var status: Int
    /// Header fields by lower-case name.
    public var headers: [String: String]
    /// The body.
    public var body: any ByteStream

    /// Makes an answer.
    public init(status: Int, headers: [String: String] = [:], body: any ByteStream) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}

/// A body that arrives in parts; one task reads it.
public protocol ByteStream: Sendable {
    /// The next bytes; nil at the end. Cancelling the task ends the wait.
    ///
    /// - Throws: `TransportError` when the connection fails.
    func next() async throws(TransportError) -> [UInt8]?

    /// Closes the connection; a waiting `next()` ends.
    func cancel()
}

/// A transfer that failed; nothing is known about what the server did.
public enum TransportError: Error, Sendable, Hashable {
    /// There is no network, or the server cannot be reached.
    case offline
    /// The answer did not come in time.
    case timedOut
    /// The connection ended before the answer did.
    case interrupted
    /// The server's identity could not be verified.
    case insecure
    /// The answer is larger than the client accepts.
    case tooLarge
    /// The request has no valid address.
    case invalidRequest
    /// The task was cancelled.
    case cancelled
}
