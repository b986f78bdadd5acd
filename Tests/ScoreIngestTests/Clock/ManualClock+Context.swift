// The context of an event, as a poller creates it, with a fixed random draw.

import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

extension ManualClock {
    /// The current time, with one draw for all waits; 0.5 leaves every interval as it is.
    func context(jitter: Double = 0.5, speed: Int = 1) -> PollContext { PollContext(clock(speed: speed)) { jitter } }
}
