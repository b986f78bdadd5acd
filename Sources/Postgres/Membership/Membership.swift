// Several nodes share one database; who owns what is decided by rows with terms, on Postgres's clock alone.

public import Logging
public import ScoreTypes
internal import Synchronization

/// This node's place among the nodes of one database: its term, its buckets, its leases.
///
/// No wall clock of a node is ever compared with another's: lifetimes are set and judged by Postgres.
public actor Membership {
    /// The channel that is notified when buckets or leases may have come free; the payload is the node.
    public static let channel = "membership"
    /// Connections: renewals must not wait behind claims.
    private static let connections = 2
    /// Pause after a failed renewal: four attempts fit into the margin between two renewals.
    private static let retryPause = Duration.milliseconds(250)

    private let node: NodeID
    private let clock: ServiceClock
    private let timeToLive: Duration
    private let logger: Logger
    private let pool: Pool
    private nonisolated let standing = Mutex<NodeStanding?>(nil)
    private var withheld: Set<Bucket> = []
    private var heldLeases: Set<String> = []

    /// Makes a membership that has not yet joined.
    ///
    /// - Parameters:
    ///   - info: The database that the nodes share.
    ///   - node: A name of its own for each node, the same after a restart.
    ///   - clock: Read for the node's own lifetime (monotonic).
    ///   - timeToLive: How long others wait after the last sign of life before they take over.
    ///   - logger: Told of lost terms and failed renewals.
    public init(
        info: ConnectionInfo,
        node: NodeID,
        clock: ServiceClock,
        timeToLive: Duration = .seconds(3),
        logger: Logger = Logger(label: "membership")
    ) {
        self.node = node
        self.clock = clock
        self.timeToLive = timeToLive
        self.logger = logger
        pool = Pool(info, size: Self.connections, name: "membership", bounds: .init(statementTimeout: .seconds(2)))
    }

    /// Whether this node may act now: less than the lifetime less half a second since its last good renewal began.
    public nonisolated var isTrusted: Bool {
        standing.withLock { $0?.isTrusted(at: clock.monotonic) ?? false }
    }

    /// The current term, nil before `join` and after the end; it changes when the node was away too long.
    public nonisolated var term: Term? { standing.withLock { $0?.term } }

    /// The right to write as this node in its current term; nil when the node may not act.
    public nonisolated func fence(lease: String? = nil) -> Fence? {
        guard isTrusted, let term else { return nil }
        return Fence(node: node, term: term, lease: lease)
    }

    /// Registers the node and gets a new term at once, also over its own older one, which ends with it.
    @discardableResult
    public func join() async throws -> Term {
        let begunAt = clock.monotonic
        let binds: [Bind] = [.text(node.text), .double(timeToLive.inSeconds), .text(Self.channel)]
        let terms = try await pool.query(Statements.join, binds) { row in Term(try row.int(0)) }
        guard let term = terms.first else { throw PostgresError(.other, message: "joining gave no term") }
        withheld = []
        heldLeases = []
        standing.withLock { $0 = NodeStanding(term: term, begunAt: begunAt, timeToLive: timeToLive) }
        return term
    }

    /// Renews every third of the lifetime until the task is cancelled, then resigns.
    ///
    /// A node that was away for longer than its lifetime joins again with a new term.
    ///
    /// - Throws: `PostgresError` of kind `fenced` when another process joined under the same name.
    public func run() async throws {
        while !Task.isCancelled {
            var pause = timeToLive / 3
            do {
                if term == nil { try await join() } else { try await renew() }
            } catch let error as PostgresError where error.kind == .fenced {
                standing.withLock { $0 = nil }
                throw error
            } catch {
                logger.warning("renewal failed", metadata: ["node": "\(node)", "error": "\(error)"])
                pause = min(pause, Self.retryPause)
            }
            try? await Task.sleep(for: pause)
        }
        await resign()
    }

    /// Ends the term and this membership for good, so that others need not wait for the expiry.
    public func resign() async {
        guard let term else { return }
        standing.withLock { $0 = nil }
        let binds: [Bind] = [.text(node.text), .int(term.number), .text(Self.channel)]
        // The caller's task is cancelled as a rule; the last word must be said all the same.
        let farewell = Task { [pool] in try await pool.execute(Statements.resign, binds) }
        if case .failure(let error) = await farewell.result {
            logger.warning("resigning failed, others wait for the expiry", metadata: ["error": "\(error)"])
        }
        await pool.close()
    }

    /// Whether this node wants buckets; without them it gives its own away with its next two claims.
    public func setWantsShare(_ wants: Bool) async throws {
        try await pool.execute(Statements.setShare, [.text(node.text), .bool(wants)])
    }

    /// Takes buckets whose owner's term is over, up to a fair share, and returns what this node owns.
    ///
    /// Call it every second or so. A surplus is left out of one answer and given away with the next call: stop working
    /// on a bucket that is missing from the answer before calling again.
    ///
    /// - Throws: `PostgresError` of kind `fenced` when the term is over.
    public func claimBuckets() async throws -> [Bucket] {
        guard let term else { throw Self.notJoined }
        let before = withheld
        let (owned, share) = try await pool.withConnection { connection in
            try BucketClaim(term: term, withheld: before).perform(on: connection)
        }
        guard self.term == term else { throw Self.notJoined }
        withheld = share.withhold
        return owned.subtracting(share.withhold).sorted()
    }

    /// Takes a lease that is free or whose holder's term is over; true when this node holds it afterwards.
    ///
    /// While this node is trusted nobody can take its leases, so asking again costs nothing.
    public func acquire(lease name: String) async throws -> Bool {
        guard let term else { throw Self.notJoined }
        if heldLeases.contains(name), isTrusted { return true }
        let isMine = try await pool.withConnection { connection in
            try LeaseClaim(name: name, term: term).perform(on: connection)
        }
        guard self.term == term else { return false }
        if isMine { heldLeases.insert(name) } else { heldLeases.remove(name) }
        return isMine
    }

    /// Gives a lease back, so that another node may take it at once.
    public func release(lease name: String) async throws {
        guard let term else { return }
        heldLeases.remove(name)
        try await pool.execute(Statements.releaseLease, [.text(name), .int(term.number), .text(Self.channel)])
    }

    /// All nodes that were alive within a day, by name.
    public func nodes() async throws -> [NodeRecord] {
        try await pool.query(Statements.nodes) { row in
            NodeRecord(
                node: NodeID(unchecked: try row.text(0)),
                term: Term(try row.int(1)),
                isAlive: try row.bool(2),
                wantsShare: try row.bool(3),
                bucketCount: Int(try row.int(4))
            )
        }
    }

    private func renew() async throws {
        guard let term else { return }
        let begunAt = clock.monotonic
        let binds: [Bind] = [.text(node.text), .int(term.number), .double(timeToLive.inSeconds)]
        if try await pool.execute(Statements.renew, binds) == 1 {
            standing.withLock { if $0?.term == term { $0?.renewed(begunAt: begunAt) } }
            return
        }
        let current = try await pool.query(Statements.termOfNode, [.text(node.text)]) { row in Term(try row.int(0)) }
        if let current = current.first, current != term {
            throw PostgresError(
                .fenced,
                message: "another process joined as node \(node) (term \(current)): give each node a name of its own"
            )
        }
        logger.warning("the term ended while the node was away", metadata: ["node": "\(node)", "term": "\(term)"])
        try await join()
    }

    private static var notJoined: PostgresError {
        PostgresError(.fenced, message: "the node has not joined, or its term is over")
    }
}

extension Duration {
    fileprivate var inSeconds: Double { Double(milliseconds) / 1000 }
}
