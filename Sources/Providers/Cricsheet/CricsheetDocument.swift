// A Cricsheet match file, format 1.x, with an addition for matches in play.

/// A match in Cricsheet's format; decoding and encoding keeps all that the adapter reads.
public struct CricsheetDocument: Codable, Sendable, Hashable {
    /// About the match.
    public var info: CricsheetInfo
    /// In order of play, super overs last; empty before the first ball.
    public var innings: [CricsheetInnings]
    /// The state of a match in play; absent in files of finished matches.
    public var live: Live?

    /// Makes a document from its parts.
    public init(info: CricsheetInfo, innings: [CricsheetInnings] = [], live: Live? = nil) {
        self.info = info
        self.innings = innings
        self.live = live
    }

    /// Decodes a document.
    ///
    /// - Throws: `JSONError` that names the place.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        info = try members.decode(CricsheetInfo.self, forKey: .info)
        innings = try members.decodeIfPresent([CricsheetInnings].self, forKey: .innings) ?? []
        live = try members.decodeIfPresent(Live.self, forKey: .live)
    }

    /// Reads a document.
    ///
    /// - Parameter body: The bytes of a file.
    /// - Throws: `AdapterError` that names the place when the bytes are no document.
    public init(json body: [UInt8]) throws(AdapterError) {
        self = try ReplyJSON.read(CricsheetDocument.self, from: body)
    }

    /// The state of a match in play; an addition to Cricsheet's format.
    public struct Live: Codable, Sendable, Hashable {
        /// A raw value of `MatchStatus`; an unknown one is shown as a note and otherwise ignored.
        public var state: String
        /// Free text for display.
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
