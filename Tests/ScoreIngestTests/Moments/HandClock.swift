// A clock that a test moves, so that ten seconds take no time.

import ScoreTypes
import Synchronization

/// Real and wall time by hand.
final class HandClock: Sendable {
    private let passed = Mutex(Duration.zero)

    func advance(by span: Duration) { passed.withLock { $0 += span } }

    var service: ServiceClock {
        ServiceClock(
            monotonic: { self.passed.withLock { $0 } },
            wall: { Instant(milliseconds: 1_700_000_000_000) + self.passed.withLock { $0 } }
        )
    }
}
