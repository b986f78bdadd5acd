// One vocabulary for the statuses of all providers, and the result as the officials state it.

/// The status of a match; a superset of the statuses of all providers (cricket.md C.17).
public enum MatchStatus: String, Sendable, Hashable, Codable, CaseIterable {
    case scheduled, lineups, toss, tossDelayed, startDelayed
    case live, drinks, inningsBreak, lunch, tea, dinner, stumps, restDay, strategicTimeout, review
    case rain, badLight, wetOutfield, floodlight, crowd, pitch, injury, ballChange, suspended
    case superOverBreak, superOver, resultPending
    case result, tied, drawn, noResult, abandoned, abandonedNoBall, postponed, cancelled, awarded
}

/// A status with the feed's details.
public struct StatusReport: Sendable, Hashable, Codable {
    /// The status.
    public var status: MatchStatus
    /// The feed's own text, for display and for operators.
    public var note: String?
    /// When the status began, in seconds since 1970; nil when the feed does not say.
    public var since: Int64?
    /// The day of a match of several days, from 1; nil when the feed does not say.
    public var day: Int?
    /// The session of the day, from 1; nil when the feed does not say.
    public var session: Int?
    /// Whether the feed's status text is unknown.
    ///
    /// The status is then derived from the other facts, and applies only where no status is known yet. A journal never
    /// contains such a report.
    public var isUnknown = false

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

/// The result as the feed states it; it is compared with the result that the balls prove.
public struct ProviderResult: Sendable, Hashable, Codable {
    /// The kind of result.
    public enum Kind: Sendable, Hashable, Codable {
        case runs(Int)
        case wickets(Int)
        case innings(Int)
        case fewerWickets
        case awarded
        case tie
        case draw
        case noResult
        /// The feed names a winner and no margin.
        case won
    }
    /// The kind of result.
    public let kind: Kind
    /// The winner; nil for ties, draws and no results.
    public var winner: Side?
    /// `DLS`, `D/L`, `VJD`, `Awarded` …, as the feed names it.
    public let method: String?
    /// Whether the method is one that revises targets; an award or a count of wickets does not.
    public var isRevised: Bool {
        guard let method, !method.isEmpty else { return false }
        return kind != .awarded && kind != .fewerWickets
    }
    /// The winner of the super over or bowl-out after a tie.
    public var tieBreakWinner: Side?
    /// The tie-break that decided: `superOver`, `bowlOut`, `boundaryCount`.
    public let tieBreak: String?
    /// Names of the players of the match.
    public let playersOfMatch: [String]
    /// Makes a result.
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
