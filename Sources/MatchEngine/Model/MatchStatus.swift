// The state words of every provider, brought to one vocabulary, and the result as officials state it.

/// What a match is doing (cricket.md C.17: a superset of all providers' words).
public enum MatchStatus: String, Sendable, Hashable, Codable, CaseIterable {
    case scheduled, lineups, toss, tossDelayed, startDelayed
    case live, drinks, inningsBreak, lunch, tea, dinner, stumps, restDay, strategicTimeout, review
    case rain, badLight, wetOutfield, floodlight, crowd, pitch, injury, ballChange, suspended
    case superOverBreak, superOver, resultPending
    case result, tied, drawn, noResult, abandoned, abandonedNoBall, postponed, cancelled, awarded
}

/// The status with its free text and its beginning.
public struct StatusReport: Sendable, Hashable, Codable {
    /// The word.
    public let status: MatchStatus
    /// The feed's own words, for show and for operators.
    public let note: String?
    /// Since when, in seconds since 1970, when the feed says.
    public let since: Int64?
    /// The day of a match of several days, from 1, when the feed says.
    public let day: Int?
    /// The session of the day, from 1, when the feed says.
    public let session: Int?
    /// Whether the feed's word is none that is known.
    ///
    /// The status is then what else is told implies, which counts only where no status is known yet. A journal keeps
    /// no such report.
    public private(set) var isUnknown = false

    private enum CodingKeys: String, CodingKey { case status, note, since, day, session }

    /// Reports a status.
    public init(
        status: MatchStatus,
        note: String? = nil,
        since: Int64? = nil,
        day: Int? = nil,
        session: Int? = nil,
        isUnknown: Bool = false
    ) {
        self.status = status
        self.note = note
        self.since = since
        self.day = day
        self.session = session
        self.isUnknown = isUnknown
    }
}

/// The result as the feed states it; what the balls prove is worked out by the fold and compared with it.
public struct ProviderResult: Sendable, Hashable, Codable {
    /// How the match ended.
    public enum Kind: Sendable, Hashable, Codable {
        case runs(Int)
        case wickets(Int)
        case innings(Int)
        case fewerWickets
        case awarded
        case tie
        case draw
        case noResult
        /// The feed names a winner but no margin.
        case won
    }
    /// How it ended.
    public let kind: Kind
    /// Who won; nil for ties, draws and no results.
    public let winner: Side?
    /// `DLS`, `D/L`, `VJD`, `Awarded` …, as the feed names it.
    public let method: String?
    /// Whether the method is one that sets new targets; an award or a count of wickets sets none.
    public var isRevised: Bool {
        guard let method, !method.isEmpty else { return false }
        return kind != .awarded && kind != .fewerWickets
    }
    /// Who won the super over or bowl-out after a tie.
    public let tieBreakWinner: Side?
    /// `superOver`, `bowlOut`, `boundaryCount`: what broke the tie.
    public let tieBreak: String?
    /// Names of those honoured.
    public let playersOfMatch: [String]
    /// States a result.
    public init(
        kind: Kind,
        winner: Side? = nil,
        method: String? = nil,
        tieBreakWinner: Side? = nil,
        tieBreak: String? = nil,
        playersOfMatch: [String] = []
    ) {
        self.kind = kind
        self.winner = winner
        self.method = method
        self.tieBreakWinner = tieBreakWinner
        self.tieBreak = tieBreak
        self.playersOfMatch = playersOfMatch
    }
}
