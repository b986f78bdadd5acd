// A decision put to the third umpire, and players who come for others: facts beside the runs of a ball.

/// A review of an umpire's decision.
public struct Review: Sendable, Hashable, Codable {
    /// What became of it.
    public enum Decision: String, Sendable, Hashable, Codable {
        /// The third umpire is still looking.
        case pending
        /// The side that asked was right: the decision on the field is overturned.
        case upheld
        /// The decision on the field stands.
        case struckDown
        /// It could not be looked at; the decision on the field stands.
        case failed
    }

    /// Who asked for it.
    public let side: Side
    /// The batter whom it is about, when the feed says.
    public let batter: Player?
    /// What became of it.
    public let decision: Decision
    /// Whether it stood by the umpire's call, so that the side keeps the review.
    public let isUmpiresCall: Bool

    /// Describes a review.
    public init(side: Side, batter: Player? = nil, decision: Decision, isUmpiresCall: Bool = false) {
        self.side = side
        self.batter = batter
        self.decision = decision
        self.isUmpiresCall = isUmpiresCall
    }
}

/// One player for another.
public struct Replacement: Sendable, Hashable, Codable {
    /// Why.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        case concussion, covid, impactPlayer, injury, nationalCallUp, nationalRelease, supersub, tactical
        /// Taken out of the attack by the umpires, or having bowled all overs allowed.
        case excluded
        /// The feed does not say, or in words that are not known.
        case unknown
    }

    /// For how long.
    public enum Scope: String, Sendable, Hashable, Codable {
        /// For the rest of the match: the eleven changes.
        case match
        /// In a task only: an over is ended by another bowler.
        case role
    }

    /// For how long.
    public let scope: Scope
    /// Who comes.
    public let incoming: Player
    /// Who goes, when the feed says.
    public let outgoing: Player?
    /// Whose player it is; nil when the feed does not say.
    public let side: Side?
    /// Why.
    public let reason: Reason

    /// Describes a replacement.
    public init(scope: Scope, incoming: Player, outgoing: Player? = nil, side: Side? = nil, reason: Reason = .unknown) {
        self.scope = scope
        self.incoming = incoming
        self.outgoing = outgoing
        self.side = side
        self.reason = reason
    }
}
