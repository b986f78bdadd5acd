// What a writer makes of replies and of time, without its database: restarts and hours cost nothing.

import MatchEngine
import ScoreTypes
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// A writer without a database: the same values, fed by hand.
struct MomentDesk {
    var replica = MatchReplica()
    var life: MomentLife
    var now: Duration = .zero
    var told: [ToldMoment] = []

    init() {
        life = MomentLife(
            told: [],
            moments: [],
            record: MatchRecord(),
            now: .zero,
            patience: MomentPatience(ManualClock().clock())
        )
    }

    /// A desk that has seen a match begin.
    init(watching book: Scorebook) {
        self.init()
        var empty = book
        empty.deliveries = []
        _ = reply(empty)
    }

    mutating func reply(_ book: Scorebook) -> Telling {
        let before = replica.record
        replica.apply(Differ.changes(from: before, to: book.snapshot))
        return look(.reply, before: before)
    }

    mutating func wait(_ span: Duration) -> Telling {
        now += span
        return look(.time, before: replica.record)
    }

    /// A crash: all that is left is the record and the ledger.
    mutating func restart() {
        life = MomentLife(
            told: told,
            moments: replica.state.moments,
            record: replica.record,
            now: now,
            patience: MomentPatience(ManualClock().clock())
        )
    }

    private mutating func look(_ sighting: MomentLife.Sighting, before: MatchRecord) -> Telling {
        let found = life.look(
            sighting,
            at: replica.state.moments,
            of: replica.record,
            before: before,
            now: now
        )
        told += found.told
        return found
    }
}

extension Telling {
    /// The names of what is told.
    var keys: [String] { news.map(\.key.text) }
}
