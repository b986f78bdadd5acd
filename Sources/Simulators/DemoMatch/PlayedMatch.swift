// A whole match with what happened around its balls: the material from which a feed is played.

/// A stop in play.
struct Interruption: Sendable, Hashable {
    /// The ball, counted from 0 over the whole match, before which play stops.
    let beforeBall: Int
    /// The word that the feed gives, one of `MatchStatus`.
    let status: String
    /// Time lost.
    let lasts: Duration
}

/// A finished Cricsheet document and the stops and mistakes on the way.
public struct PlayedMatch: Sendable {
    /// Cricsheet JSON, complete with its outcome.
    public let document: [UInt8]
    /// Stops in play, in order.
    let interruptions: [Interruption]
    /// What the feed posts first of balls that it posts wrong, as Cricsheet objects, by ball from 0; one in seven is
    /// (cricket.md B.2).
    let misreports: [Int: [UInt8]]
}

extension PlayedMatch {
    /// Wraps a recorded match, which knows of no stops and no mistakes.
    public init(document: [UInt8]) { self.init(document: document, interruptions: [], misreports: [:]) }
}
