// Takes buckets and leases from nodes whose term is over: the steps behind `Membership`.

internal import ScoreTypes

extension Connection {
    /// Rebalances the buckets once; `withheld` is of the previous call.
    ///
    /// Each step is a transaction of its own: the target number is a matter of fairness, and only the claim itself has
    /// to be decided under locks.
    func claimBuckets(for term: Term, withheld: Set<Bucket>) throws -> (owned: Set<Bucket>, share: BucketShare) {
        let own: [Bind] = [.int(term.number)]
        let shares = try query(Membership.Statements.holdings, own) { row in
            try term.requireValid(row.bool(0))
            let (living, serving) = (Int(try row.int(1)), Int(try row.int(3)))
            let (isDrained, sends) = (try row.bool(4), try row.bool(5))
            return BucketShare(
                owned: Set(try row.buckets(2)),
                withheld: withheld,
                // Drained nodes keep their buckets while no other node sends.
                nodeCount: serving > 0 ? serving : living,
                isLeaving: !sends || (isDrained && serving > 0)
            )
        }
        guard let share = shares.first else {
            throw PostgresError(.other, message: "the query of the nodes returned no row")
        }
        var owned = share.owned
        if !share.release.isEmpty {
            let binds = own + [.smallints(share.release.map(\.number)), .text(Membership.channel)]
            try execute(Membership.Statements.releaseBuckets, binds)
            owned.subtract(share.release)
        }
        if share.claimsMax > 0 {
            let binds = own + [.int(Int64(share.claimsMax))]
            let rows = try query(Membership.Statements.claimBuckets, binds) { row in
                try term.requireValid(row.bool(0))
                return try row.buckets(1)
            }
            owned.formUnion(rows.flatMap(\.self))
        }
        return (owned, share)
    }

    /// Tries once to acquire a lease.
    func claimLease(_ name: String, for term: Term) throws -> Bool {
        try execute(Membership.Statements.makeLease, [.text(name)])
        let claimed = try query(Membership.Statements.claimLease, [.text(name), .int(term.number)]) { row in
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
