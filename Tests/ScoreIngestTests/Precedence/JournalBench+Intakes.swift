// The intakes of a node on one journal, for tests of precedence.

import JournalSamples
import MatchJournal
import ScoreTypes

@testable import ScoreIngest

extension JournalBench {
    /// The intakes of a node with these feeds.
    func intakes(_ precedence: [FeedID: Int], clock: ServiceClock) -> MatchIntakes {
        MatchIntakes(precedence: precedence, clock: clock) { [journal] match, feed in
            MatchWriter(match: match, feed: feed, journal: journal, fence: { Self.fence }, clock: clock)
        }
    }
}
