// Strides shake what is taken in; only a poller's own rhythm sees as many mistakes as a live match shows.

import ScoreIngest
import ScoreTypes
import Simulators

/// How often a proof looks at its match.
enum ProofPace: Sendable, Hashable {
    /// Once in one to twelve balls.
    case strides
    /// Every five seconds or so, as a poller does in play (`Cadence.live`).
    case live

    /// How fast the follower's clock runs: at the speed of strides a match is called silent after 400 seconds and not
    /// after 45, while the ten seconds of a moment stay ten.
    var followerSpeed: Int { self == .strides ? 200 : 1 }

    /// Until the next poll of a match in play.
    static func wait(_ draw: inout SeededDraw) -> Duration {
        let interval = Cadence().live
        return draw.duration(interval * 0.9...(interval * 1.1))
    }
}
