// The context of an event, as a poller makes it, with a draw that a test fixes.

import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

extension ManualClock {
    /// The time of the hand, with one draw for all waits; 0.5 leaves every interval as it is.
    func context(jitter: Double = 0.5, speed: Int = 1) -> PollContext { PollContext(clock(speed: speed)) { jitter } }
}
