// Lets a writer wait for all readers that began before its commit.

extension Pool {

    private static let marked: Statement = """
        select l.virtualtransaction from pg_locks l
        where l.locktype = 'advisory' and l.mode = 'ShareLock' and l.objsubid = 1
          and l.database = (select oid from pg_database where datname = current_database())
          and (l.classid::bigint << 32) | l.objid::bigint = $1 and (l.virtualtransaction = any($2) or $3)
        """

    /// Waits until every transaction has ended that has the mark now; it does not wait for later ones.
    ///
    /// When it returns true, every marked transaction that began to read before the call was committed or rolled back.
    ///
    /// - Parameters:
    ///   - mark: The number of `TransactionMode.marked`.
    ///   - wait: Longest wait, in real time, since it depends on the database.
    /// - Returns: False when one of them had not ended by then.
    /// - Throws: The errors of `query`; `CancellationError`.
    public func passed(mark: Int64, within wait: Duration) async throws -> Bool {
        let deadline = ContinuousClock.now + wait
        var open = try await query(Self.marked, [.int(mark), .texts([]), .bool(true)]) { try $0.text(0) }
        while !open.isEmpty {
            guard ContinuousClock.now < deadline else { return false }
            try await Task.sleep(for: PostgresLimits.markCheckPause)
            open = try await query(Self.marked, [.int(mark), .texts(open), .bool(false)]) { try $0.text(0) }
        }
        return true
    }
}
