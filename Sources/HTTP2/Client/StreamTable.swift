// The open requests of one connection, in slots that are reused so that a request allocates nothing.

/// One open request.
struct ClientStream {
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
}

/// A response in several frames.
final class KeptResponse {
    let headers = ByteBuffer(capacity: 256)
    let body = ByteBuffer(capacity: 256)
}

/// Slots for streams, with a list of the free ones.
struct StreamTable {
    private(set) var slots: ContiguousArray<ClientStream> = []
    private var free: ContiguousArray<Int> = []
    private(set) var count = 0

    mutating func take() -> Int {
        count += 1
        if let index = free.popLast() { return index }
        slots.append(ClientStream())
        return slots.count - 1
    }

    mutating func release(_ index: Int) {
        slots[index] = ClientStream()
        free.append(index)
        count -= 1
    }

    subscript(index: Int) -> ClientStream {
        get { slots[index] }
        _modify { yield &slots[index] }
    }
}
