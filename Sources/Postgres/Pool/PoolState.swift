// Who gets which connection is decided here, without a clock, a lock or an await.

/// The connections of a pool and those who wait for one.
struct PoolState<Item> {
    /// Names one who waits.
    typealias WaiterID = UInt64

    /// What somebody who wants a connection must do.
    enum Acquisition {
        case use(Item)
        /// A place is reserved: open a connection for it, and report `lose` if that fails.
        case open
        case wait(WaiterID)
        case refuse
        case closed
    }

    /// What to do with a place that came free.
    enum Handover {
        case give(Item, to: WaiterID)
        case letOpen(WaiterID)
        case rest
        case discard(Item)
    }

    private let size: Int
    private let waitersMax: Int
    private var idle: [Item] = []
    /// Places in use: idle, borrowed or being opened.
    private(set) var placesTaken = 0
    private var waiters: [WaiterID] = []
    private var waiterNext: WaiterID = 0
    private(set) var isClosed = false

    init(size: Int, waitersMax: Int) {
        self.size = size
        self.waitersMax = waitersMax
    }

    var waiterCount: Int { waiters.count }
    var idleCount: Int { idle.count }

    /// Somebody wants a connection: the one used last, since its caches are warm, else a new one, else a wait.
    mutating func acquire() -> Acquisition {
        guard !isClosed else { return .closed }
        if let item = idle.popLast() { return .use(item) }
        if placesTaken < size {
            placesTaken += 1
            return .open
        }
        guard waiters.count < waitersMax else { return .refuse }
        waiterNext += 1
        waiters.append(waiterNext)
        return .wait(waiterNext)
    }

    /// A healthy connection comes back.
    mutating func giveBack(_ item: Item) -> Handover {
        guard !isClosed else {
            placesTaken -= 1
            return .discard(item)
        }
        guard let waiter = nextWaiter() else {
            idle.append(item)
            return .rest
        }
        return .give(item, to: waiter)
    }

    /// A borrowed connection broke, or one could not be opened: its place goes to the next who waits.
    mutating func lose() -> Handover {
        guard !isClosed, let waiter = nextWaiter() else {
            placesTaken -= 1
            return .rest
        }
        return .letOpen(waiter)
    }

    /// Somebody stops waiting; false when a connection was handed over already.
    mutating func abandon(_ waiter: WaiterID) -> Bool {
        guard let index = waiters.firstIndex(of: waiter) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Ends the pool: returns the connections to close and the waiters to refuse.
    ///
    /// What is borrowed is discarded when it comes back.
    mutating func close() -> (idle: [Item], waiters: [WaiterID]) {
        isClosed = true
        defer {
            placesTaken -= idle.count
            idle = []
            waiters = []
        }
        return (idle, waiters)
    }

    private mutating func nextWaiter() -> WaiterID? {
        waiters.isEmpty ? nil : waiters.removeFirst()
    }
}
