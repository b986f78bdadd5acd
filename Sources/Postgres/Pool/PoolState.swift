// Decides which caller gets which connection, without a clock, a lock or an await.

/// The connections of a pool and the callers that wait for one.
struct PoolState<Item> {
    /// Identifies a waiting caller.
    typealias WaiterID = UInt64

    /// The action of a caller that needs a connection.
    enum Acquisition {
        case use(Item)
        /// A slot is reserved: open a connection for it, or call `lose` when that fails.
        case open
        case wait(WaiterID)
        case refuse
        case closed
    }

    /// The action for a slot that became free.
    enum Handover {
        case give(Item, to: WaiterID)
        case letOpen(WaiterID)
        case rest
        case discard(Item)
    }

    private let size: Int
    private let waitersMax: Int
    private var idle: [Item] = []
    /// Slots in use: connections that are idle, lent or being opened.
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

    /// Chooses for a caller: the connection used last, since its caches are warm, else a new one, else a wait.
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

    /// Returns a healthy connection.
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

    /// Removes a lent connection that broke, or one that could not be opened; the next waiting caller gets its slot.
    mutating func lose() -> Handover {
        guard !isClosed, let waiter = nextWaiter() else {
            placesTaken -= 1
            return .rest
        }
        return .letOpen(waiter)
    }

    /// Removes a waiting caller; false when a connection was already handed over.
    mutating func abandon(_ waiter: WaiterID) -> Bool {
        guard let index = waiters.firstIndex(of: waiter) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// Closes the pool; returns the connections to close and the callers to refuse.
    ///
    /// Lent connections are discarded when they are returned.
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
