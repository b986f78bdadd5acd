// A day of cricket in a second: a proof moves the time itself.

import ScoreTypes
import Synchronization

/// A clock that stands still until it is moved, read by a feed and by those who follow it.
final class ProofClock: Sendable {
    private static let start = Instant(milliseconds: 1_700_000_000_000)

    /// How fast those who follow the feed take their time to run.
    private let followerSpeed: Int
    private let now = Mutex(Duration.zero)

    init(followerSpeed: Int) { self.followerSpeed = followerSpeed }

    /// Time since the start.
    var time: Duration { now.withLock { $0 } }

    /// As the feed reads it.
    var feed: ServiceClock { ServiceClock(monotonic: { self.time }, wall: { Self.start + self.time }) }

    /// As a writer reads it.
    var follower: ServiceClock {
        ServiceClock(
            speed: followerSpeed,
            monotonic: { self.time / self.followerSpeed },
            wall: { Self.start + self.time }
        )
    }

    /// The time that a wait of a writer takes.
    func span(_ wait: Duration) -> Duration { wait * followerSpeed }

    /// Moves forward; never back.
    func move(to time: Duration) { now.withLock { $0 = max($0, time) } }
}
