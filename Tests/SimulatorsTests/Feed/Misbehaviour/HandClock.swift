// A day of cricket in a second: the test moves the time.

import ScoreTypes
import Synchronization

/// A clock that stands still until it is moved.
final class HandClock: Sendable {
    private let now = Mutex(Duration.zero)
    private static let start = Instant(milliseconds: 1_700_000_000_000)

    var clock: ServiceClock {
        ServiceClock(monotonic: { self.time }, wall: { Self.start + self.time })
    }

    var time: Duration { now.withLock { $0 } }

    func move(to time: Duration) { now.withLock { $0 = max($0, time) } }
}
