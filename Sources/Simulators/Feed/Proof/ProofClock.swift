// A day of cricket in a second: a proof moves the time itself.

internal import ScoreTypes
import Synchronization

/// A clock that stands still until it is moved, read by a feed and by those who follow it.
final class ProofClock: Sendable {
    /// Polls of a proof are balls apart and not seconds: at this speed a match is called silent after 400 seconds
    /// instead of 45, while the ten seconds of a moment stay ten.
    private static let followerSpeed = 200
    private static let start = Instant(milliseconds: 1_700_000_000_000)

    private let now = Mutex(Duration.zero)

    /// Time since the start.
    var time: Duration { now.withLock { $0 } }

    /// As the feed reads it.
    var feed: ServiceClock { ServiceClock(monotonic: { self.time }, wall: { Self.start + self.time }) }

    /// As a writer reads it.
    var follower: ServiceClock {
        ServiceClock(
            speed: Self.followerSpeed,
            monotonic: { self.time / Self.followerSpeed },
            wall: { Self.start + self.time }
        )
    }

    /// The time that a wait of a writer takes.
    func span(_ wait: Duration) -> Duration { wait * Self.followerSpeed }

    /// Moves forward; never back.
    func move(to time: Duration) { now.withLock { $0 = max($0, time) } }
}
