// The whole match as folded from its record; every outlet is rendered from it.

public import LiveSurface

/// The phase of a match.
public enum MatchPhase: String, Sendable, Hashable, Codable, CaseIterable {
    case scheduled, live, onBreak, over
}

/// The task of the side batting last.
public struct Chase: Sendable, Hashable {
    /// The chasing side.
    public let side: Side
    /// The score to reach.
    public let target: Target
    /// Runs still needed, at least 0.
    public let needed: Int
    /// Balls left; nil without a limit.
    public let ballsLeft: Int?
    /// Wickets left.
    public let wicketsLeft: Int
    /// Whether the chase has begun.
    public let hasBegun: Bool
    /// Runs an over still needed, `9.46`; nil without balls left.
    public let requiredRate: String?
}

/// The lead of the batting side in a match of two innings a side.
public struct Lead: Sendable, Hashable {
    /// The side that bats or batted last.
    public let side: Side
    /// Its total less the opponent's, in runs; negative for a deficit.
    public let runs: Int
}

/// A match at one revision; a pure function of its record.
public struct MatchState: Sendable, Hashable {
    /// In order of `ordinal`, super overs among them.
    public internal(set) var innings: [InningsState] = []
    /// The phase of the match, by the feed's status and the balls.
    public internal(set) var phase = MatchPhase.scheduled
    /// The status that the feed reports.
    public internal(set) var status = StatusReport(status: .scheduled)
    /// The display state that phones receive.
    public internal(set) var displayState = MatchDisplayState.scheduled
    /// The result; before the officials state it, the one that the balls prove (`isOfficial` distinguishes them).
    public internal(set) var result: MatchResult?
    /// The result that the balls alone prove, whatever the officials state; nil when they prove none.
    public internal(set) var proven: MatchResult?
    /// Index of the innings being played, or played last; nil before the first.
    public internal(set) var current: Int?
    /// The task of the side batting last, also in the break before it; nil without a target and after the end.
    public internal(set) var chase: Chase?
    /// Lead or deficit in a match of two innings a side, once both sides have batted.
    public internal(set) var lead: Lead?
    /// Whether the follow-on may be enforced now (Law 14); it was enforced when the same side bats again.
    public internal(set) var isFollowOnPossible = false
    /// Whether play has ended level and the tie is not broken yet.
    public internal(set) var isLevel = false
    /// The day of a match of several days, from 1; nil where no feed has stated it and it is not certain.
    public internal(set) var day: Int?
    /// Short names of both sides.
    public internal(set) var abbreviations: Abbreviations
    /// The rules of the match.
    public internal(set) var rules: RuleSet
    /// Moments before the first ball: teams, toss, start of play.
    var openingMoments: [Moment] = []
    /// Moments that belong to no single innings: intervals, resumptions, super overs, the result.
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

    /// A side's innings in order, without super overs.
    public func innings(of side: Side) -> [InningsState] {
        innings.filter { $0.info.batting == side && !$0.isSuperOver }
    }

    /// A side's runs in all its innings, without super overs.
    public func total(of side: Side) -> Int { innings(of: side).reduce(0) { $0 + $1.runs } }

    /// Relevance among a person's activities, 0 to 100 (PUBLICATION section 2).
    public var relevance: Int {
        switch phase {
        case .over: 100
        case .scheduled: 10
        case .onBreak: 30
        case .live: isCloseFinish ? 80 : 50
        }
    }

    /// Whether fewer than thirty balls or fifteen runs, or at most two wickets, are left in a chase.
    public var isCloseFinish: Bool {
        guard result == nil, let chase, chase.hasBegun else { return false }
        return (chase.ballsLeft ?? .max) < 30 || chase.needed < 15 || chase.wicketsLeft <= 2
    }
}
