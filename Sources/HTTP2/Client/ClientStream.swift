// The open requests of one client connection.

/// One open request.
struct ClientStream: StreamSlot {
    enum Phase {
        case free
        case waiting
        /// The response is complete; the stream closes next.
        case answered
        /// The delegate has received a failure; the stream has not closed yet.
        case abandoned
    }

    var phase = Phase.free
    var id: Int32 = 0
    var status: Int32 = 0
    var tag: UInt64 = 0
    var submitted: Int64 = 0
    var body = OutgoingBody()
    /// Headers and body of a response that does not end with its headers.
    var kept: KeptResponse?

    mutating func clear() { self = ClientStream() }
}

/// A response in several frames.
final class KeptResponse {
    let headers = ByteBuffer(capacity: 256)
    let body = ByteBuffer(capacity: 256)
}
