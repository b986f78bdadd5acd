// The content of a feed at one time: the match so far with the feed's faults.

public import MatchEngine
public import Providers
public import ScoreTypes

/// The present content of a feed for one match, with the edits of its faults.
public struct ShownMatch: Sendable, Hashable {
    /// Grows with each change of what is shown; the first member, so that contents that differ compare at no cost.
    var version: Int64
    /// The match cut to the balls that are visible.
    public internal(set) var document: CricsheetDocument
    /// The match as the feed names it; for providers that number their matches, a number.
    var id: ProviderMatchID
    /// The status of the match.
    var status: MatchStatus
    /// Start of play in seconds since 1970.
    public var startsAt: Int64
    /// Time of the last change in seconds since 1970.
    var updatedAt: Int64
    /// When each visible delivery was bowled, in seconds since 1970, in the order of the document.
    var ballTimes: [Int64]
    /// When each visible delivery was last edited, in seconds since 1970; a ball's own time when it never was.
    var editTimes: [Int64]
    /// An id for each visible delivery; one that is late or inserted again has an id above all earlier ones.
    public internal(set) var ballIDs: [Int64]
    /// The day of play, from 1, which only some providers state.
    var day = 1
    /// Whether the provider has checked the card and calls it final.
    var isFinal = false
    /// Whether the start of play is fixed, as it is once the feed is opened.
    var isStartFixed = true

    /// The time between two balls where no times are given, in seconds: about what a real match takes.
    static let ballSeconds: Int64 = 35

    /// Shows a document; ids and times that are not given are laid out evenly.
    public init(
        document: CricsheetDocument,
        id: ProviderMatchID,
        status: MatchStatus,
        startsAt: Int64,
        version: Int64 = 1,
        updatedAt: Int64? = nil
    ) {
        let count = Self.ballCount(of: document)
        let times = (0..<count).map { startsAt + Int64($0) * Self.ballSeconds }
        self.document = document
        self.id = id
        self.status = status
        self.startsAt = startsAt
        self.version = version
        self.updatedAt = updatedAt ?? times.last ?? startsAt
        (ballTimes, editTimes) = (times, times)
        ballIDs = (0..<count).map { Int64($0 + 1) }
    }

    /// Deliveries that a document holds.
    static func ballCount(of document: CricsheetDocument) -> Int {
        document.innings.reduce(0) { $0 + $1.ballCount }
    }
}

extension CricsheetInnings {
    /// Deliveries in it.
    var ballCount: Int { (overs ?? []).reduce(0) { $0 + $1.deliveries.count } }
}
