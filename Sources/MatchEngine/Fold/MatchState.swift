// The whole match as folded from its record: what every outlet draws from.

public import LiveSurface

/// Where a match stands in its life.
public enum MatchPhase: String, Sendable, Hashable, Codable, CaseIterable {
    case scheduled, live, onBreak, over
}

/// What the side that bats last has to do.
public struct Chase: Sendable, Hashable {
    /// Who chases.
    public let side: Side
    /// What it has to reach.
    public let target: Target
    /// Runs still needed, at least 0.
    public let needed: Int
    /// Balls left; nil without a limit.
    public let ballsLeft: Int?
    /// Wickets left.
    public let wicketsLeft: Int
    /// Whether a ball of the chase has been bowled.
    public let hasBegun: Bool
    /// Runs an over still needed, `9.46`; nil without balls left.
    public let requiredRate: String?
}

/// How far the batting side of a two-innings match is in front.
public struct Standing: Sendable, Hashable {
    /// The side that bats or batted last.
    public let side: Side
    /// Own total less the other's; below 0 it trails.
    public let lead: Int
}

/// A match at one revision; a pure function of its record.
public struct MatchState: Sendable, Hashable {
    /// In order of `ordinal`, super overs among them.
    public internal(set) var innings: [InningsState] = []
    /// Where the match stands in its life, by the feed's word and the balls.
    public internal(set) var phase = MatchPhase.scheduled
    /// The feed's word.
    public internal(set) var status = StatusReport(status: .scheduled)
    /// The word for phones.
    public internal(set) var displayState = MatchDisplayState.scheduled
    /// The result; before officials state it, what the balls prove (`isOfficial` tells which).
    public internal(set) var result: MatchResult?
    /// What the balls alone prove, whatever officials have said; nil where they prove nothing.
    public internal(set) var proven: MatchResult?
    /// Index of the innings being played, or played last; nil before the first.
    public internal(set) var current: Int?
    /// What the side batting last has to do, also in the break before it; nil when no target is set or it is over.
    public internal(set) var chase: Chase?
    /// Lead or trail in a two-innings match, once both sides have batted.
    public internal(set) var standing: Standing?
    /// Whether the follow-on may be enforced now (Law 14); whether it is shows only when the same side bats again.
    public internal(set) var isFollowOnPossible = false
    /// Whether play has ended level and nothing has broken the tie yet.
    public internal(set) var isLevel = false
    /// The day of a match of several days, from 1, when it is known.
    public internal(set) var day: Int?
    /// The session of the day, from 1, while it is played or has just ended; nil when it is not known.
    public internal(set) var session: Int?
    /// Short names of both sides.
    public internal(set) var abbreviations: Abbreviations
    /// The rules it is played by.
    public internal(set) var rules: RuleSet
    /// Moments before the first ball: lineups, toss, the start.
    var openingMoments: [Moment] = []
    /// Moments that belong to no single innings: pauses, resumptions, super overs, the result.
    var matchMoments: [Moment] = []

    init(_ context: FoldContext) {
        abbreviations = context.abbreviations
        rules = context.rules
    }

    /// All moments, in match order.
    public var moments: [Moment] {
        var all = openingMoments
        all.reserveCapacity(innings.reduce(all.count + matchMoments.count) { $0 + $1.played.count + 4 })
        for card in innings {
            all += card.before
            all += card.played
            all += card.after
        }
        return all + matchMoments
    }

    /// The innings being played, or played last.
    public var currentInnings: InningsState? { current.map { innings[$0] } }

    /// A side's innings in order, super overs left out.
    public func innings(of side: Side) -> [InningsState] {
        innings.filter { $0.info.batting == side && !$0.isSuperOver }
    }

    /// A side's runs in all its innings, super overs left out.
    public func total(of side: Side) -> Int { innings(of: side).reduce(0) { $0 + $1.runs } }

    /// Where the match ranks among a person's activities, 0 to 100 (PUBLICATION section 2).
    public var relevance: Int {
        switch phase {
        case .over: 100
        case .scheduled: 10
        case .onBreak: 30
        case .live: isCloseFinish ? 80 : 50
        }
    }

    /// Under thirty balls, under fifteen runs or two wickets from the end.
    public var isCloseFinish: Bool {
        guard result == nil, let chase, chase.hasBegun else { return false }
        return (chase.ballsLeft ?? .max) < 30 || chase.needed < 15 || chase.wicketsLeft <= 2
    }
}
