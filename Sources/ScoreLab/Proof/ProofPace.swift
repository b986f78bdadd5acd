// Strides shake what is taken in; only a poller's own rhythm sees as many mistakes as a live match shows.

/// How often a proof looks at its match.
enum ProofPace: Sendable, Hashable {
    /// Once in one to twelve balls.
    case strides
    /// At the intervals of a poller, which depend on provider and phase of play (`Cadence`).
    case live

    /// How fast the follower's clock runs: at the speed of strides a match is called silent after 400 seconds and not
    /// after 45, while the ten seconds of a moment stay ten.
    var followerSpeed: Int { self == .strides ? 200 : 1 }

    /// One in so many replies is also read without the caches of earlier ones, which costs as much as many polls.
    var readAnewEvery: Int { self == .strides ? 4 : 40 }
}
