// Several nodes share one database; rows with terms define ownership, by PostgreSQL's clock alone.

internal import Logging
internal import Metrics
public import ScoreTypes
internal import Synchronization

/// This node's membership in the cluster of one database: its term, its buckets, its leases.
///
/// Clocks of nodes are never compared: PostgreSQL sets and checks all lifetimes.
public actor Membership {
    /// The channel on which nodes are notified that buckets or leases may be free; the payload is the node.
    public static let channel = "membership"

    private let node: NodeID
    private let clock: ServiceClock
    private let version: String
    private let sends: Bool
    private let timeToLive: Duration
    private let logger = Logger(label: "membership")
    private let pool: Pool
    private nonisolated let validity = Mutex<TermValidity?>(nil)
    private nonisolated let drainState = Mutex(DrainState())
    private var hasJoined = false
    private var withheld: Set<Bucket> = []
    private var heldLeases: Set<String> = []

    /// Makes a membership; the node has not joined yet.
    ///
    /// - Parameters:
    ///   - info: The database that the nodes share.
    ///   - node: Unique among the nodes, and the same after a restart.
    ///   - version: The release that the node runs, for operators.
    ///   - sends: Whether the node sends pushes; one that sends none owns no buckets.
    ///   - clock: The monotonic clock, for the node's own lifetime.
    ///   - timeToLive: Lifetime of a term after its last renewal; then other nodes take over.
    public init(
        info: ConnectionInfo,
        node: NodeID,
        version: String = "",
        sends: Bool = true,
        clock: ServiceClock,
        timeToLive: Duration = PostgresLimits.termLifetime
    ) {
        self.node = node
        self.version = version
        self.sends = sends
        self.clock = clock
        self.timeToLive = timeToLive
        pool = Pool(
            info,
            size: PostgresLimits.membershipConnections,
            name: "membership",
            bounds: .init(statementTimeout: PostgresLimits.membershipStatementTimeout)
        )
    }

    /// Whether this node may act now: its last successful renewal began less than `timeToLive` less half a second ago.
    public nonisolated var isTrusted: Bool {
        validity.withLock { $0?.isTrusted(at: clock.monotonic) ?? false }
    }

    /// The current term; nil before `join`, after the end, and while an expired term is replaced.
    ///
    /// It changes when the node did not renew in time.
    public nonisolated var term: Term? { validity.withLock { $0?.term } }

    /// The right to write in the current term.
    ///
    /// - Parameter lease: A lease that the write needs; nil for none.
    /// - Returns: nil when the node may not act.
    public nonisolated func fence(lease: String? = nil) -> Fence? {
        guard isTrusted, let term else { return nil }
        return Fence(node: node, term: term, lease: lease)
    }

    /// Registers the node; a previous term of the same node ends.
    ///
    /// - Returns: The new term.
    /// - Throws: `PostgresError`.
    @discardableResult
    public func join() async throws -> Term {
        let begunAt = clock.monotonic
        let binds: [Bind] = [
            .text(node.text), .double(timeToLive.inSeconds), .text(Self.channel), .bool(!hasJoined), .text(version),
            .bool(sends),
        ]
        let terms = try await pool.query(Statements.join, binds) { row in Term(try row.int(0)) }
        guard let term = terms.first else {
            throw PostgresError(.other, message: "the registration of the node returned no term")
        }
        hasJoined = true
        withheld = []
        heldLeases = []
        validity.withLock { $0 = TermValidity(term: term, begunAt: begunAt, timeToLive: timeToLive) }
        return term
    }

    /// Renews the term every third of its lifetime until the task is cancelled, then resigns.
    ///
    /// A node that did not renew within its lifetime joins again with a new term.
    ///
    /// - Throws: `PostgresError` of kind `fenced` when another process joined with the same node id.
    public func run() async throws {
        while !Task.isCancelled {
            var pause = timeToLive / 3
            do {
                if term == nil { try await join() } else { try await renew() }
            } catch let error as PostgresError where error.kind == .fenced {
                validity.withLock { $0 = nil }
                throw error
            } catch {
                logger.warning("renewal failed", metadata: ["node": "\(node)", "error": "\(error)"])
                pause = min(pause, PostgresLimits.renewalRetryPause)
            }
            try? await Task.sleep(for: pause)
        }
        await resign()
    }

    /// Ends the term and this membership, so that other nodes need not wait for the expiry.
    public func resign() async {
        guard let term else { return }
        validity.withLock { $0 = nil }
        let binds: [Bind] = [.text(node.text), .int(term.number), .text(Self.channel)]
        // The calling task is usually cancelled at this point; the statement runs in a task of its own.
        let resignation = Task { [pool] in try await pool.execute(Statements.resign, binds) }
        if case .failure(let error) = await resignation.result {
            logger.warning("resignation failed; other nodes wait for the expiry", metadata: ["error": "\(error)"])
        }
        await pool.close()
    }

    /// Claims buckets whose owner's term is over, up to a fair share of those of all nodes that send.
    ///
    /// Call it about every second. A surplus bucket is omitted from one result and released by the next call: stop
    /// working on a bucket that is missing from the result before the next call.
    ///
    /// - Returns: The buckets that this node owns, in order.
    /// - Throws: `PostgresError` of kind `fenced` when the term is over; of another kind when a statement fails.
    public func claimBuckets() async throws -> [Bucket] {
        guard let term else { throw Self.notJoined }
        let before = withheld
        let (owned, share) = try await pool.withConnection { connection in
            try connection.claimBuckets(for: term, withheld: before)
        }
        guard self.term == term else { throw Self.notJoined }
        withheld = share.withhold
        return owned.subtracting(share.withhold).sorted()
    }

    /// Acquires a lease that is free or whose holder's term is over.
    ///
    /// A lease of a trusted node cannot be taken, so a repeated call needs no query.
    ///
    /// - Parameter name: The lease.
    /// - Returns: Whether this node holds the lease; false for a drained node while another one can take it.
    /// - Throws: `PostgresError` of kind `fenced` when the term is over; of another kind when a statement fails.
    public func acquire(lease name: String) async throws -> Bool {
        guard let term else { throw Self.notJoined }
        if drainState.withLock({ $0.isLeaving }) { return false }
        if heldLeases.contains(name), isTrusted { return true }
        let isMine = try await pool.withConnection { connection in
            try connection.claimLease(name, for: term)
        }
        guard self.term == term else { return false }
        if isMine { heldLeases.insert(name) } else { heldLeases.remove(name) }
        return isMine
    }

    /// Releases a lease, so that another node may take it at once.
    ///
    /// - Parameter name: The lease.
    /// - Throws: `PostgresError`.
    public func release(lease name: String) async throws {
        guard let term else { return }
        heldLeases.remove(name)
        try await pool.execute(Statements.releaseLease, [.text(name), .int(term.number), .text(Self.channel)])
    }

    private func renew() async throws {
        guard let term else { return }
        let (begunAt, wall) = (clock.monotonic, clock.wall)
        let report = drainState.withLock { $0.report }
        let binds: [Bind] = [
            .text(node.text), .int(term.number), .double(timeToLive.inSeconds), .bool(report.isReady),
            .integer(Int32(clamping: report.streams)),
        ]
        if let renewal = try await pool.query(Statements.renew, binds, decode: { try Renewal($0) }).first {
            validity.withLock { if $0?.term == term { $0?.renewed(begunAt: begunAt) } }
            // The answer was written about halfway between question and answer.
            let offset = (wall - renewal.at).milliseconds + (clock.monotonic - begunAt).milliseconds / 2
            Gauge(label: "score_clock_offset_seconds", dimensions: [("source", "db")]).record(Double(offset) / 1000)
            // At each renewal: an acquisition that was under way may have got another one.
            if drainState.withLock({ $0.take(renewal) }) { try await leave(term) }
            return
        }
        let current = try await pool.query(Statements.termOfNode, [.text(node.text)]) { row in Term(try row.int(0)) }
        if let current = current.first, current != term {
            throw PostgresError(
                .fenced,
                message: "another process joined as node \(node) (term \(current)): configure a unique id for each node"
            )
        }
        logger.warning("the term expired before a renewal", metadata: ["node": "\(node)", "term": "\(term)"])
        // The answer may be lost after the server has committed: the new term would then seem another process's.
        validity.withLock { if $0?.term == term { $0 = nil } }
        try await join()
    }

    /// Releases all leases of a node that was drained.
    private func leave(_ term: Term) async throws {
        heldLeases = []
        let released = try await pool.query(Statements.releaseLeases, [.int(term.number), .text(Self.channel)]) { _ in 0
        }
        guard !released.isEmpty else { return }
        logger.notice("leases of the drained node released", metadata: ["count": "\(released.count)"])
    }

    /// The order to end this node's work, as the newest renewal found it; nil when there is none.
    public nonisolated var drainOrder: DrainOrder? { drainState.withLock { $0.order } }

    /// Stores what the next renewals report about this node.
    public nonisolated func report(_ report: NodeReport) { drainState.withLock { $0.report = report } }

    private static var notJoined: PostgresError {
        PostgresError(.fenced, message: "the node has not joined, or its term is over")
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(milliseconds) / 1000 }
}
