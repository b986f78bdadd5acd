// A writer begins with the rows alone: the one before it may be dead.

package import MatchEngine
package import ScoreTypes

extension WriterState {
    /// Folds a match out of its journal, up to its head.
    ///
    /// - Throws: `JournalError`.
    init(
        _ head: JournalHead,
        journal: Journal,
        gate: Gate,
        options: EngineOptions,
        waits: ConfirmationWaits,
        clock: ServiceClock,
        now: Duration
    ) async throws(JournalError) {
        var replica = MatchReplica(options: options)
        var number: Int64 = 0
        try await journal.follow(head.match, with: &replica, from: &number, through: head.revision.number)
        let announced = try await journal.announced(of: head.match)
        let age = try await journal.sincePublication(of: head.match)
        let report = try await journal.lastReport(of: head.match)
        let feed = try await journal.lastFeed(of: head.match)
        self.init(
            match: head.match,
            revision: Revision(epoch: head.revision.epoch, number: number),
            gate: gate,
            replica: replica,
            announced: announced,
            publishedAgo: age ?? .zero,
            reportedAgo: report?.ago ?? .zero,
            silentSince: head.silentSince,
            waits: waits,
            clock: clock,
            now: now
        )
        self.feed = feed
        reporter = report?.feed
        home = head.feed.text
        isRemoved = head.isRemoved
    }

    /// Makes the state of a match that is folded already.
    package init(
        match: MatchID,
        revision: Revision,
        gate: Gate,
        replica: MatchReplica,
        announced: [AnnouncedMoment] = [],
        publishedAgo: Duration = .zero,
        reportedAgo: Duration = .zero,
        silentSince: Instant? = nil,
        waits: ConfirmationWaits,
        clock: ServiceClock,
        now: Duration
    ) {
        self.init(
            match: match,
            revision: revision,
            gate: gate,
            replica: replica,
            life: MomentLife(
                announced: announced,
                moments: replica.state.moments,
                record: replica.record,
                now: now,
                waits: waits
            ),
            keepAlive: KeepAlive(
                every: clock.real(JournalLimits.keepAliveInterval, .keepAlive),
                lastPublication: now - publishedAgo
            ),
            silence: FeedSilence(clock, now: now, reportedAgo: reportedAgo, since: silentSince),
            announced: announced
        )
    }
}
