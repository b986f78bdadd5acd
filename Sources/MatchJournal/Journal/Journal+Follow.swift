// Writer and publisher both keep a match in memory by reading the entries after their revision.

internal import MatchEngine
internal import ScoreTypes

extension Journal {
    /// Applies the entries of a span of revisions to a replica, page by page.
    ///
    /// `revision` is that of the replica and moves with it, so that a failure between two pages repeats none;
    /// `note` sees each entry before it is applied, a correction with the ball that it replaces. The match is folded at
    /// each of `stops`, in order, and passed to `reached`.
    func follow(
        _ match: MatchID,
        with replica: inout MatchReplica,
        from revision: inout Int64,
        through end: Int64,
        stops: [Int64] = [],
        note: (JournalEntry) -> Void = { _ in },
        reached: (Int64, MatchReplica) -> Void = { _, _ in }
    ) async throws(JournalError) {
        while revision < end {
            let page = try await entries(
                of: match,
                after: revision,
                limit: Int(clamping: min(end &- revision, Int64(JournalLimits.pageEntries)))
            )
            guard let last = page.last else { break }
            JournalEntry.withBallsBefore(page, in: replica.record).forEach(note)
            var rest = page[...]
            for stop in stops where stop > revision && stop <= last.revision {
                let part = rest.prefix { $0.revision <= stop }
                replica.apply(part.lazy.map(\.change))
                rest = rest.dropFirst(part.count)
                reached(stop, replica)
            }
            if !rest.isEmpty { replica.apply(rest.lazy.map(\.change)) }
            revision = last.revision
        }
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
        var notes: [JournalEntry] = []
        var announced = live.announced
        defer {
            for entry in notes { live.note(entry) }
            live.announced = announced
        }
        // Alerts that are older than a correction may be need no state of their own.
        let rows = live.rows.filter { $0.revision > live.applied }
        let recent = rows.drop { rows[rows.count - 1].at - $0.at >= JournalLimits.correctionAge }
        let stops = Dictionary(uniqueKeysWithValues: recent.map { ($0.revision, $0) })
        try await follow(
            live.match,
            with: &live.replica,
            from: &live.applied,
            through: end,
            stops: recent.map(\.revision),
            note: { notes.append($0) },
            reached: { revision, replica in
                guard let row = stops[revision], announced.concerns(row), let info = replica.record.info else { return }
                var keys: [MomentKey] = []
                for entry in notes where entry.revision == revision {
                    if case .confirmed(let confirmed) = entry.change { keys = confirmed }
                }
                announced.take(row, confirmed: keys, replica.state, info)
            }
        )
    }
}
