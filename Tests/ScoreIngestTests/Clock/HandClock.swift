// A clock that a test moves, so that ten seconds take no time.

import ScoreTypes
import Synchronization

/// Real and wall time by hand.
final class HandClock: Sendable {
    /// Far ahead, since the database has a clock of its own and what is past by that is over.
    static let wallAtZero = Instant(milliseconds: 4_000_000_000_000)
    private let passed = Mutex(Duration.zero)

    func advance(by span: Duration) { passed.withLock { $0 += span } }

    func clock(speed: Int = 1) -> ServiceClock {
        ServiceClock(speed: speed, monotonic: { self.passed.withLock { $0 } }) {
            Self.wallAtZero + self.passed.withLock { $0 }
        }
    }
}
