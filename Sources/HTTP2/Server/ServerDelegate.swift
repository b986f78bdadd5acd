// What answers requests: confined to the loop like the connections it serves.

/// Receives the requests of one server, on its loop's thread.
public protocol ServerDelegate: AnyObject {
    /// A request is complete; it is valid during the call only, its `stream` may be answered then or later on the loop.
    func server(didReceive request: borrowing ServerRequest)
    /// A client has finished the TLS handshake.
    func server(didOpen connection: ServerConnection)
    /// A connection is over; its open streams will not be answered.
    func server(didClose connection: ServerConnection)
}

extension ServerDelegate {
    /// Does nothing.
    public func server(didOpen connection: ServerConnection) {}
    /// Does nothing.
    public func server(didClose connection: ServerConnection) {}
}

/// One request; valid during the delegate's call only.
public struct ServerRequest: ~Copyable {
    /// Where the answer goes.
    public let stream: ServerStream
    /// `:method`.
    public let method: UnsafeRawBufferPointer
    /// `:path`.
    public let path: UnsafeRawBufferPointer
    /// The body, as far as it was kept.
    public let body: UnsafeRawBufferPointer
    /// True when the body is longer than `ServerConfiguration.bodyMax`.
    public let isBodyTruncated: Bool
    let block: HeaderBlock

    /// The first value under a lower-case name; nil when absent.
    public func header(_ name: StaticString) -> UnsafeRawBufferPointer? { block.value(of: name) }

    /// The first value under a lower-case name as text; nil when absent.
    public func text(_ name: StaticString) -> String? {
        block.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Visits all fields, pseudo-header fields included, in order.
    public func forEachHeader(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        block.forEach(body)
    }
}

/// The way back of one request; may be kept on the loop and used once.
public struct ServerStream {
    /// The connection that the request came on.
    public let connection: ServerConnection
    /// HTTP/2's number of the stream.
    public let id: Int32
    let index: Int

    /// Answers; false when the stream is gone or was answered before.
    ///
    /// - Parameters:
    ///   - status: 100 to 999.
    ///   - fixed: Constant fields, without pseudo-header fields.
    ///   - extra: A field whose value is new with each answer.
    ///   - body: Shared, not copied; nil for none.
    /// - Returns: Whether the answer was taken.
    @discardableResult
    public func respond(
        status: Int,
        fixed: HeaderTemplate? = nil,
        extra: ExtraHeader? = nil,
        body: BodyBytes? = nil
    ) -> Bool {
        connection.respond(self, status: status, fixed: fixed, extra: extra, body: body)
    }

    /// Resets the stream with an HTTP/2 error code (7 is REFUSED_STREAM, 8 CANCEL).
    public func reset(code: UInt32) { connection.reset(self, code: code) }
}
