// Writer and publisher both keep a match in memory by reading the entries after their revision.

internal import MatchEngine
internal import ScoreTypes

extension Journal {
    /// Applies the entries of a span of revisions to a replica, page by page.
    ///
    /// `revision` is that of the replica and moves with it, so that a failure between two pages repeats none;
    /// `note` sees each entry before it is applied.
    func follow(
        _ match: MatchID,
        with replica: inout MatchReplica,
        from revision: inout Int64,
        through end: Int64,
        note: (JournalEntry) -> Void = { _ in }
    ) async throws(JournalError) {
        while let page = try await page(of: match, after: revision, through: end) {
            page.forEach(note)
            replica.apply(page.lazy.map(\.change))
            revision = page[page.count - 1].revision
        }
    }

    /// The next entries of a span of revisions, oldest first; nil at its end.
    private func page(
        of match: MatchID,
        after revision: Int64,
        through end: Int64
    ) async throws(JournalError) -> [JournalEntry]? {
        guard revision < end else { return nil }
        let limit = Int(clamping: min(end &- revision, Int64(JournalLimits.pageEntries)))
        let page = try await entries(of: match, after: revision, limit: limit)
        return page.isEmpty ? nil : page
    }

    /// Reads the rows and entries of a match, up to its newest publication, or the newest up to a revision.
    func advance(_ live: inout LiveMatch, through last: Int64 = .max) async throws(JournalError) {
        live.take(try await publications(of: live.match, after: live.known, through: last))
        guard let end = live.rows.last?.revision else { return }
        try await fold(&live, through: end)
    }

    /// Reads the row of a revision and the entries up to it; false when nothing was published at that revision.
    func advance(_ live: inout LiveMatch, to revision: Int64) async throws(JournalError) -> Bool {
        let (before, _) = revision.subtractingReportingOverflow(1)
        guard let row = try await publications(of: live.match, after: before, through: revision).first else {
            return false
        }
        live.take([row])
        try await fold(&live, through: revision)
        return true
    }

    /// Applies the entries of a match up to a revision.
    private func fold(_ live: inout LiveMatch, through end: Int64) async throws(JournalError) {
        while let page = try await page(of: live.match, after: live.applied, through: end) { live.apply(page) }
    }
}
