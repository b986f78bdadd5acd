// Taking over from the dead: the transactions behind `Membership`.

public import ScoreTypes

/// A node as others see it.
public struct NodeRecord: Sendable, Hashable {
    /// Its name.
    public let node: NodeID
    /// Its term.
    public let term: Term
    /// Whether its lifetime lies ahead, on Postgres's clock.
    public let isAlive: Bool
    /// Whether it wants buckets.
    public let wantsShare: Bool
    /// How many buckets are its own.
    public let bucketCount: Int
}

/// Which terms live, read under locks that keep renewals away until the transaction ends.
private struct LivingTerms {
    let terms: [Int64]
    let sharers: Set<Int64>

    init(on connection: isolated Connection) throws {
        let rows = try connection.query(Membership.Statements.livingNodes) { row in
            (term: try row.int(0), wants: try row.bool(1), lives: try row.bool(2))
        }
        terms = rows.filter(\.lives).map(\.term)
        sharers = Set(rows.filter { $0.lives && $0.wants }.map(\.term))
    }

    func demand(_ term: Term) throws(PostgresError) {
        guard terms.contains(term.number) else {
            throw PostgresError(.fenced, message: "term \(term) is over")
        }
    }
}

/// One round of sharing the buckets.
struct BucketClaim: Sendable {
    let term: Term
    let withheld: Set<Bucket>

    func perform(on connection: isolated Connection) throws -> (owned: Set<Bucket>, share: BucketShare) {
        let living = try LivingTerms(on: connection)
        try living.demand(term)
        var owned = Set(
            try connection.query(Membership.Statements.ownBuckets, [.int(term.number)]) { row in
                Bucket(Int(try row.int(0)))
            }.compactMap(\.self)
        )
        let share = BucketShare(
            owned: owned,
            withheld: withheld,
            sharers: living.sharers.count,
            isSharer: living.sharers.contains(term.number)
        )
        if !share.release.isEmpty {
            let numbers = share.release.map(\.number)
            try connection.execute(
                Membership.Statements.releaseBuckets,
                [.int(term.number), .smallints(numbers)]
            )
            try connection.execute(Membership.Statements.notify, [.text(Membership.channel)])
            owned.subtract(share.release)
        }
        if share.claimsMax > 0 {
            let binds: [Bind] = [.int(term.number), .ints(living.terms), .int(Int64(share.claimsMax))]
            let taken = try connection.query(Membership.Statements.claimBuckets, binds) { row in
                Bucket(Int(try row.int(0)))
            }
            owned.formUnion(taken.compactMap(\.self))
        }
        return (owned, share)
    }
}

/// One attempt at a lease.
struct LeaseClaim: Sendable {
    let name: String
    let term: Term

    /// The lease's row is never waited for: a stopped node may hold it until Postgres ends its transaction, and a wait
    /// here would hold the nodes' rows, and with them everybody's renewals.
    func perform(on connection: isolated Connection) throws -> Bool {
        try connection.execute(Membership.Statements.makeLease, [.text(name)])
        let holders = try connection.query(Membership.Statements.lockLease, [.text(name)]) { row in try row.int(0) }
        guard let holder = holders.first else { return false }
        let living = try LivingTerms(on: connection)
        try living.demand(term)
        if holder == term.number { return true }
        guard !living.terms.contains(holder) else { return false }
        try connection.execute(Membership.Statements.takeLease, [.text(name), .int(term.number)])
        return true
    }
}
