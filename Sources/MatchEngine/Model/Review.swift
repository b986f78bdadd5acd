// Decisions reviewed by the third umpire and players replaced: facts of a ball beside its runs.

/// A review of an umpire's decision.
public struct Review: Sendable, Hashable, Codable {
    /// The outcome.
    public enum Decision: String, Sendable, Hashable, Codable {
        /// The third umpire has not decided yet.
        case pending
        /// The decision on the field is overturned.
        case upheld
        /// The decision on the field stands.
        case struckDown
        /// The review was not possible; the decision on the field stands.
        case failed
    }

    /// The side that requested the review.
    public var side: Side
    /// The batter concerned; nil when the feed does not say.
    public var batter: Player?
    /// The outcome.
    public let decision: Decision
    /// Whether the decision stood by the umpire's call, so that the side keeps the review.
    public let isUmpiresCall: Bool

    /// Makes a review.
    public init(side: Side, batter: Player? = nil, decision: Decision, isUmpiresCall: Bool = false) {
        self.side = side
        self.batter = batter
        self.decision = decision
        self.isUmpiresCall = isUmpiresCall
    }
}

/// One player replacing another.
public struct Replacement: Sendable, Hashable, Codable {
    /// The reason.
    public enum Reason: String, Sendable, Hashable, Codable, CaseIterable {
        case concussion, covid, impactPlayer, injury, nationalCallUp, nationalRelease, supersub, tactical
        /// The bowler was suspended by the umpires, or has bowled the maximum number of overs.
        case excluded
        /// The feed states no reason, or an unknown one.
        case unknown
    }

    /// The duration.
    public enum Scope: String, Sendable, Hashable, Codable {
        /// For the rest of the match: the eleven changes.
        case match
        /// For one task: another bowler completes an over.
        case role
    }

    /// The duration.
    public let scope: Scope
    /// The player who comes on.
    public var incoming: Player
    /// The player who goes off; nil when the feed does not say.
    public var outgoing: Player?
    /// The side of both players; nil when the feed does not say.
    public var side: Side?
    /// The reason.
    public let reason: Reason

    /// Makes a replacement.
    public init(scope: Scope, incoming: Player, outgoing: Player? = nil, side: Side? = nil, reason: Reason = .unknown) {
        self.scope = scope
        self.incoming = incoming
        self.outgoing = outgoing
        self.side = side
        self.reason = reason
    }
}
