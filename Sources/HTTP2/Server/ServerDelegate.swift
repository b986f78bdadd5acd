// The receiver of a server's requests, confined to the loop of its connections.

/// Receives the requests of one server, on its loop's thread.
public protocol ServerDelegate: AnyObject {
    /// A request is complete; it is valid during the call, its `stream` may be answered then or later on the loop.
    func server(didReceive request: borrowing ServerRequest)
    /// A client has finished the TLS handshake.
    func server(didOpen connection: ServerConnection)
    /// A connection is closed; its open streams get no response.
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
    /// The stream that takes the response.
    public let stream: ServerStream
    /// Value of `:method`.
    public let method: UnsafeRawBufferPointer
    /// Value of `:path`.
    public let path: UnsafeRawBufferPointer
    /// The kept part of the body.
    public let body: UnsafeRawBufferPointer
    /// True if the body is longer than `HTTP2ServerConfiguration.bodyMax`.
    public let isBodyTruncated: Bool
    let block: HeaderBlock

    /// The first value of a field with a lower-case name; nil if absent.
    public func header(_ name: StaticString) -> UnsafeRawBufferPointer? { block.value(of: name) }

    /// The first value of a field with a lower-case name, as text; nil if absent.
    public func text(_ name: StaticString) -> String? {
        block.value(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// Visits all fields in order, pseudo-header fields included.
    public func forEachHeader(_ body: (_ name: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void) {
        block.forEach(body)
    }
}

/// The stream of one request; may be kept on the loop and answered once.
public struct ServerStream {
    /// The connection of the request.
    public let connection: ServerConnection
    /// HTTP/2 stream id.
    public let id: Int32
    let index: Int
}
