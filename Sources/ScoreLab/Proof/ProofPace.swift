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

    /// One alert in so many may repeat a mistake of the feed: one ball in forty is inserted when later ones have been
    /// published after it.
    ///
    /// A poller announces a wicket some ten seconds after its ball, and a ball before it is inserted up to two minutes
    /// later: with the faults of the simulated feeds one alert in ninety lacks it. Strides read the feed later.
    var putRightOneIn: Int { self == .strides ? 200 : 50 }

    /// One alert in so many may be omitted, for whatever reason; nil without a bound: between two strides a match may
    /// be silent.
    var passedOverOneIn: Int? { self == .strides ? nil : 20 }
}
