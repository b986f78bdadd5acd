// The requests being received or answered on one server connection; their memory is used again by the next ones.

/// Memory for one request while it arrives.
final class RequestBuffer {
    /// Memory kept between requests, in bytes; what a larger one had needed is given back.
    private static let kept = 16_384

    let headers = ByteBuffer(capacity: 1024)
    let body = ByteBuffer(capacity: 1024)

    func reset() {
        headers.clear()
        body.clear()
        headers.shrink(over: Self.kept)
        body.shrink(over: Self.kept)
    }
}

/// One stream on the server's side.
struct ServerSlot {
    enum Phase {
        case free
        case receiving
        /// The delegate has it.
        case waiting
        case answered
    }

    var phase = Phase.free
    var id: Int32 = 0
    var isBodyTruncated = false
    var resetsAfterAnswer = false
    var body = OutgoingBody()
    var fixed: HeaderTemplate?
    let buffer: RequestBuffer
}

/// Slots with a list of the free ones.
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
            slots.append(ServerSlot(buffer: RequestBuffer()))
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
