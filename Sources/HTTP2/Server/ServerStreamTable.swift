// The open requests of one server connection, in slots whose memory is reused.

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
struct ServerSlot {
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
    let buffer: ReceivedRequest
}

/// Slots for streams, with a list of the free ones.
struct ServerStreamTable {
    private var slots: ContiguousArray<ServerSlot> = []
    private var free: ContiguousArray<Int> = []
    private(set) var count = 0

    mutating func take(id: Int32) -> Int {
        count += 1
        let index: Int
        if let known = free.popLast() {
            index = known
        } else {
            index = slots.count
            slots.append(ServerSlot(buffer: ReceivedRequest()))
        }
        slots[index].phase = .receiving
        slots[index].id = id
        return index
    }

    mutating func release(_ index: Int) {
        slots[index].buffer.reset()
        slots[index] = ServerSlot(buffer: slots[index].buffer)
        free.append(index)
        count -= 1
    }

    func holds(_ id: Int32, at index: Int) -> Bool { slots[index].id == id && slots[index].phase != .free }

    subscript(index: Int) -> ServerSlot {
        get { slots[index] }
        _modify { yield &slots[index] }
    }
}
