// The answer to one request, given now or later; a stream whose client is gone takes it and does nothing.

internal import CNghttp2

/// Answers one request; confined to the loop.
public final class ServerStream {
    /// The connection it came over; nil when that is gone.
    public private(set) weak var connection: ServerConnection?
    let id: Int32

    init(_ connection: ServerConnection, id: Int32) {
        self.connection = connection
        self.id = id
    }

    /// Answers; a second answer is ignored by the session.
    ///
    /// - Parameters:
    ///   - status: The HTTP status.
    ///   - headers: Names in lower case.
    ///   - body: The whole body; empty for none.
    public func respond(status: Int, headers: [(name: String, value: String)] = [], body: [UInt8] = []) {
        connection?.respond(to: id, status: status, headers: headers, body: body)
    }

    /// Ends the stream without an answer, by an HTTP/2 error code such as 7, REFUSED_STREAM.
    public func reset(_ code: UInt32) { connection?.reset(id, code: code) }
}
