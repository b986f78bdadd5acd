// Takes buckets and leases from nodes whose term is over: the steps behind `Membership`.

internal import ScoreTypes

/// One rebalancing of the buckets.
struct BucketClaim: Sendable {
    let term: Term
    let withheld: Set<Bucket>

    /// Each step is a transaction of its own: the target number is a matter of fairness, and only the claim itself has
    /// to be decided under locks.
    func perform(on connection: isolated Connection) throws -> (owned: Set<Bucket>, share: BucketShare) {
        let own: [Bind] = [.int(term.number)]
        guard let share = try connection.query(Membership.Statements.holdings, own, decode: decide).first else {
            throw PostgresError(.other, message: "the query of the nodes returned no row")
        }
        var owned = share.owned
        if !share.release.isEmpty {
            let binds = own + [.smallints(share.release.map(\.number)), .text(Membership.channel)]
            try connection.execute(Membership.Statements.releaseBuckets, binds)
            owned.subtract(share.release)
        }
        if share.claimsMax > 0 {
            let binds = own + [.int(Int64(share.claimsMax))]
            let rows = try connection.query(Membership.Statements.claimBuckets, binds) { row in
                try term.requireValid(row.bool(0))
                return try row.buckets(1)
            }
            owned.formUnion(rows.flatMap(\.self))
        }
        return (owned, share)
    }

    private func decide(_ row: Row) throws -> BucketShare {
        try term.requireValid(row.bool(0))
        return BucketShare(
            owned: Set(try row.buckets(2)),
            withheld: withheld,
            nodeCount: Int(try row.int(1))
        )
    }
}

/// One attempt to acquire a lease.
struct LeaseClaim: Sendable {
    let name: String
    let term: Term

    func perform(on connection: isolated Connection) throws -> Bool {
        try connection.execute(Membership.Statements.makeLease, [.text(name)])
        let claimed = try connection.query(Membership.Statements.claimLease, [.text(name), .int(term.number)]) { row in
            try term.requireValid(row.bool(0))
            return try row.bool(1)
        }
        return claimed.first ?? false
    }
}

extension Term {
    fileprivate func requireValid(_ isValid: Bool) throws(PostgresError) {
        guard isValid else { throw PostgresError(.fenced, message: "term \(self) is over") }
    }
}

extension Row {
    fileprivate func buckets(_ column: Int) throws(PostgresError) -> [Bucket] {
        try ints(column).compactMap { Bucket(Int($0)) }
    }
}
