// The open requests of one server connection.

/// Memory of one request while it is received.
final class ReceivedRequest {
    let headers = ByteBuffer(capacity: 1024)
    let body = ByteBuffer(capacity: 1024)

    func reset() {
        headers.clear()
        body.clear()
        headers.shrink(over: HTTP2Limits.idleRequestBytes)
        body.shrink(over: HTTP2Limits.idleRequestBytes)
    }
}

/// One stream of a server.
struct ServerSlot: StreamSlot {
    enum Phase {
        case free
        case receiving
        /// The delegate has the request.
        case waiting
        case answered
    }

    var phase = Phase.free
    var id: Int32 = 0
    var isBodyTruncated = false
    var resetsAfterAnswer = false
    var body = OutgoingBody()
    var fixed: HeaderTemplate?
    var buffer = ReceivedRequest()

    mutating func clear() {
        buffer.reset()
        self = ServerSlot(buffer: buffer)
    }
}
