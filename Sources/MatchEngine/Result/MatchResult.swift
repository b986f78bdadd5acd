// The result of a match; the feed's result has precedence, and the balls supply what it omits.

/// How a match ended.
public struct MatchResult: Sendable, Hashable {
    /// The kind of result, with the margin in runs or wickets.
    public typealias Kind = ProviderResult.Kind

    /// The kind of result.
    public let kind: Kind
    /// The winner, also by a tie-break; nil when there is none.
    public let winner: Side?
    /// The method by which the target was revised: `DLS`, `D/L`, `VJD`.
    public let method: String?
    /// The tie-break that decided: `superOver`, `bowlOut`, `boundaryCount`; nil where it is not known.
    public let tieBreak: String?
    /// Legal balls left in the chase; nil unless a limited innings was won by wickets.
    public let ballsLeft: Int?
    /// The status that the feed reports; it says why there is no result.
    public let status: MatchStatus
    /// Whether a ball was bowled.
    public let hasBalls: Bool
    /// Names of the players of the match, by the feed.
    public let playersOfMatch: [String]
    /// Whether the feed states the result; false while only the balls prove it.
    public let isOfficial: Bool
    /// Whether the feed states another winner or margin than the scores show, or a tie that they do not show: its last
    /// balls are still to come.
    public let isAheadOfScores: Bool

    /// The feed's result, else the one that the balls prove; nil while the match is open.
    init?(record: MatchRecord, proven: ProvenResult?, cards: [InningsState], rules: RuleSet) {
        let given = record.result
        let reported = record.status.status
        let decided: (Kind, Side?)?
        if let given {
            decided = Self.official(given, proven: proven)
        } else if reported.isWithoutResult {
            decided = (.noResult, nil)
        } else if reported.isFinal {
            decided = Self.of(reported, proven: proven)
        } else {
            // A draw is never proven by balls, and a tie in limited overs may still be broken.
            let isOpenTie = proven?.isUnbrokenTie == true && rules.format.isLimitedOvers
            decided = isOpenTie || proven?.kind == .draw ? nil : proven.map { ($0.kind, $0.winner) }
        }
        guard let (kind, winner) = decided else { return nil }
        self.kind = kind
        self.winner = winner
        method = given?.method
        let isBroken = kind == .tie && winner != nil
        tieBreak = isBroken ? given?.tieBreak ?? Self.tieBreak(bySuperOver: proven?.winner != nil, cards, rules) : nil
        if case .wickets = kind { ballsLeft = proven?.ballsLeft } else { ballsLeft = nil }
        status = reported
        hasBalls = cards.contains { $0.hasBegun }
        playersOfMatch = given?.playersOfMatch ?? []
        isOfficial = given != nil || reported.isFinal
        isAheadOfScores = given.map { Self.isAhead($0, of: cards) } ?? false
    }

    /// The result that the balls prove, which has no method and no players of the match.
    init(_ proven: ProvenResult, record: MatchRecord) {
        kind = proven.kind
        winner = proven.winner
        method = nil
        tieBreak = kind == .tie && winner != nil ? "superOver" : nil
        ballsLeft = proven.ballsLeft
        status = record.status.status
        hasBalls = true
        playersOfMatch = []
        isOfficial = false
        isAheadOfScores = false
    }

    /// Margins after a revised target, and margins in wickets, which depend on the size of a side, are not compared.
    private static func isAhead(_ given: ProviderResult, of cards: [InningsState]) -> Bool {
        let played = cards.filter { !$0.isSuperOver && $0.hasBegun }
        guard given.method == nil, Set(played.map(\.info.batting)).count == 2 else { return false }
        func lead(of side: Side) -> Int { played.reduce(0) { $0 + ($1.info.batting == side ? $1.runs : -$1.runs) } }
        return switch (given.kind, given.winner) {
        case (.runs(let margin), let winner?), (.innings(let margin), let winner?): lead(of: winner) != margin
        case (.wickets, let winner?): lead(of: winner) <= 0
        case (.tie, _): lead(of: .first) != 0
        default: false
        }
    }

    /// The tie-break when the feed only names the winner: the super over that decided, else the count of boundaries
    /// that followed a tied super over at the time; nil where it is not known.
    private static func tieBreak(bySuperOver isDecided: Bool, _ cards: [InningsState], _ rules: RuleSet) -> String? {
        guard cards.contains(where: { $0.isSuperOver && $0.hasBegun }) else { return nil }
        if isDecided { return "superOver" }
        return rules.tieProcedure == .superOverThenBoundaries ? "boundaryCount" : nil
    }

    private static func official(_ given: ProviderResult, proven: ProvenResult?) -> (Kind, Side?) {
        switch given.kind {
        case .runs, .wickets, .innings, .fewerWickets, .awarded: (given.kind, given.winner)
        case .tie: (.tie, given.tieBreakWinner ?? (proven?.kind == .tie ? proven?.winner : nil))
        case .draw, .noResult: (given.kind, nil)
        case .won:
            if let proven, proven.winner == given.winner, proven.kind != .tie {
                (proven.kind, given.winner)
            } else {
                (.won, given.winner)
            }
        }
    }

    /// The result of a status that says that the match is over.
    private static func of(_ status: MatchStatus, proven: ProvenResult?) -> (Kind, Side?)? {
        switch status {
        case .drawn: (.draw, nil)
        case .tied: (.tie, proven?.kind == .tie ? proven?.winner : nil)
        default: proven.map { ($0.kind, $0.winner) }
        }
    }
}
