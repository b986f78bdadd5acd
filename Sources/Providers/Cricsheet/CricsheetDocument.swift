// The published form of a Cricsheet match file, format 1.x, with one addition of ours for matches in play.

/// One match as Cricsheet writes it; decoding and encoding again keeps all that the adapter reads.
public struct CricsheetDocument: Sendable, Hashable {
    /// About the file.
    public var meta: Meta?
    /// About the match.
    public var info: CricsheetInfo
    /// In order of play, super overs last; empty before the first ball.
    public var innings: [CricsheetInnings]
    /// What the match is doing now; absent in files of finished matches.
    public var live: Live?

    /// Makes a document from its parts.
    public init(meta: Meta? = nil, info: CricsheetInfo, innings: [CricsheetInnings] = [], live: Live? = nil) {
        self.meta = meta
        self.info = info
        self.innings = innings
        self.live = live
    }

    /// The version of the file.
    public struct Meta: Sendable, Hashable {
        /// The version of the format, such as `1.1.0`.
        public var dataVersion: String?
        /// The day the file was made, as `yyyy-mm-dd`.
        public var created: String?
        /// Counts the corrections of the file.
        public var revision: Int?
    }

    /// The state of a match in play; our addition to the format.
    public struct Live: Sendable, Hashable {
        /// A `MatchStatus` word; an unknown one is shown as a note and otherwise passed over.
        public var state: String
        /// Free text for show.
        public var note: String?
        /// Since when the state lasts, in seconds since 1970.
        public var since: Int64?
        /// Start of play in seconds since 1970.
        public var startsAt: Int64?
        /// Grows with each change of the document.
        public var version: Int64?

        /// Makes the state.
        public init(
            state: String,
            note: String? = nil,
            since: Int64? = nil,
            startsAt: Int64? = nil,
            version: Int64? = nil
        ) {
            self.state = state
            self.note = note
            self.since = since
            self.startsAt = startsAt
            self.version = version
        }
    }
}
