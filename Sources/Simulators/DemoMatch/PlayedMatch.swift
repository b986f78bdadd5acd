// A whole match with what happened around its balls: the material from which a feed is played.

/// A stop in play.
public struct Interruption: Sendable, Hashable {
    /// The ball, counted from 0 over the whole match, before which play stops.
    public let beforeBall: Int
    /// The word that the feed gives, one of `MatchStatus`.
    public let status: String
    /// Time lost.
    public let lasts: Duration
}

/// A ball that the feed first posts wrong, as one in seven is (cricket.md B.2).
public struct Misreport: Sendable, Hashable {
    /// How long the wrong ball stands.
    public static let usualDelay = Duration.seconds(20)
    /// The ball, counted from 0 over the whole match.
    public let ball: Int
    /// The wrong delivery as a Cricsheet object.
    public let posted: [UInt8]
    /// When the feed puts it right.
    public let correctedAfter: Duration
}

/// A finished Cricsheet document and the stops and mistakes on the way.
public struct PlayedMatch: Sendable {
    /// Cricsheet JSON, complete with its outcome.
    public let document: [UInt8]
    /// Stops in play, in order.
    public let interruptions: [Interruption]
    /// Balls first posted wrong, in order.
    public let misreports: [Misreport]

    /// Wraps a recorded match, which knows of no stops and no mistakes.
    public init(document: [UInt8], interruptions: [Interruption] = [], misreports: [Misreport] = []) {
        self.document = document
        self.interruptions = interruptions
        self.misreports = misreports
    }
}
