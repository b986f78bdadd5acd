// Moments are confirmed by replies and by time; the tests need neither a database nor real time.

import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport

@testable import MatchJournal

/// Passes replies and time to a `MomentLife`.
struct MomentLifeDriver {
    var replica = MatchReplica()
    var life: MomentLife
    var now: Duration = .zero
    var announced: [AnnouncedMoment] = []
    private let waits: ConfirmationWaits

    /// `wait` is the learned one in seconds, of every class; nil for an unknown feed.
    init(wait: Int? = nil) {
        let learned = wait.map { wait in Dictionary(uniqueKeysWithValues: MomentClass.allCases.map { ($0, wait) }) }
        waits = ConfirmationWaits(ManualClock().clock(), seconds: learned ?? [:])
        life = Self.loaded(MatchReplica(), [], now: .zero, waits)
    }

    private static func loaded(
        _ replica: MatchReplica,
        _ announced: [AnnouncedMoment],
        now: Duration,
        _ waits: ConfirmationWaits
    ) -> MomentLife {
        MomentLife(
            announced: announced,
            moments: replica.state.moments,
            record: replica.record,
            now: now,
            waits: waits
        )
    }

    /// Starts with a match that has begun.
    init(watching book: Scorebook, wait: Int? = nil) {
        self.init(wait: wait)
        var empty = book
        empty.deliveries = []
        _ = reply(empty)
    }

    /// Ten seconds later, by default, the feed replies: as long as the moments of an unknown feed wait.
    mutating func reply(_ book: Scorebook, after span: Duration = .seconds(10)) -> ConfirmedMoments {
        now += span
        let before = replica.record
        replica.apply(Differ.changes(from: before, to: book.snapshot))
        return look(.reply, before: before)
    }

    /// The first reply after a silence, by default ten seconds later and of another feed with keys of its own.
    mutating func catchUp(
        _ book: Scorebook,
        isOtherFeed: Bool = true,
        after span: Duration = .seconds(10)
    ) -> ConfirmedMoments {
        now += span
        let before = replica.record
        replica.apply(Differ.changes(from: before, to: book.snapshot))
        return look(.catchUp(at: 1_700_000_000, isOtherFeed: isOtherFeed), before: before)
    }

    mutating func wait(_ span: Duration) -> ConfirmedMoments {
        now += span
        return look(.time, before: replica.record)
    }

    /// A crash: only the record and the announced moments are left.
    mutating func restart() {
        life = Self.loaded(replica, announced, now: now, waits)
    }

    private mutating func look(_ sighting: MomentLife.Sighting, before: MatchRecord) -> ConfirmedMoments {
        let found = life.confirm(
            sighting,
            at: replica.state.moments,
            of: replica.record,
            before: before,
            now: now
        )
        announced += found.announced
        return found
    }
}

extension ConfirmedMoments {
    /// The keys of the announced moments.
    var keys: [String] { news.map(\.key.text) }
}
