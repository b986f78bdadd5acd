// The clock of a stream, in one value so that a test can be quick.

/// How long things last on a stream.
struct StreamTiming: Sendable, Hashable {
    /// Silence after which a ping is sent, ±10 % for each connection.
    var heartbeat: Duration = .seconds(15)
    /// Age at which a connection is ended, ±20 %: a deploy then looks like ordinary coming and going.
    var maxAge: Duration = .seconds(600)
    /// How long one write may take before the reader counts as gone.
    var writeDeadline: Duration = .seconds(5)
    /// How long a stream stays open after its last `end`.
    var lingerAfterEnd: Duration = .seconds(5)
    /// How often the hub looks at the clock.
    var tick: Duration = .seconds(1)
}

/// How many streams may be open.
struct StreamCaps: Sendable, Hashable {
    var node = 50_000
    var device = 3
    var address = 20
}
