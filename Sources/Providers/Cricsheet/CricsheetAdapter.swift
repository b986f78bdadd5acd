// Cricsheet's format drives replays and tests, and lets anybody run the backend without a paid key.

public import MatchEngine
public import ScoreTypes

/// Reads Cricsheet documents, finished or in play, and the list of matches of the feed that serves them.
///
/// The format has no id of a ball: a delivery's key is its innings, over and place in the over (`2.17.3`). Balls
/// that are added later never change a key, and a ball that is put in or taken out shifts those behind it in its own
/// over only.
public struct CricsheetAdapter: Adapter {
    /// Makes the adapter; it has no state.
    public init() {}

    /// Files of Cricsheet.
    public var provider: Provider { .cricsheet }

    /// Asks for `/matches`.
    ///
    /// - Parameters:
    ///   - session: Not needed.
    ///   - now: Not needed: the list is whole.
    ///   - replies: Not needed: it has one page.
    /// - Returns: One request.
    public func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [ProviderRequest(part: .list, path: "/matches")]
    }

    /// Reads the reply to `/matches`.
    ///
    /// - Parameters:
    ///   - replies: The list.
    ///   - session: Not needed.
    /// - Returns: The matches.
    /// - Throws: `AdapterError` when there is no list or it is not of its form.
    public func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        try fixtures(replies.required(.list))
    }

    /// Asks for `/matches/{id}`.
    ///
    /// - Parameters:
    ///   - id: The match.
    ///   - session: Not needed.
    ///   - replies: Not needed: the document is whole.
    ///   - record: Not needed.
    /// - Returns: One request.
    public func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies,
        record: MatchRecord
    ) -> [ProviderRequest] {
        [ProviderRequest(part: .match, path: "/matches/\(id)")]
    }

    /// Reads the reply to `/matches/{id}`.
    ///
    /// - Parameters:
    ///   - replies: The document.
    ///   - session: Not needed.
    /// - Returns: The match so far.
    /// - Throws: `AdapterError` when there is no document, or its numbers are none of cricket.
    public func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let document = try replies.read(CricsheetDocument.self, .match)
        return try snapshot(of: document) { sides throws(AdapterError) in
            try replies.carried(.match) { earlier throws(AdapterError) in
                try CricsheetBalls(document, sides: sides, after: earlier)
            }
        }
    }

    /// Reads `{"matches":[{"id","startsAt","state"}]}`.
    ///
    /// - Throws: `AdapterError` when the body is not of that form or lists more matches than a feed may.
    public func fixtures(_ body: [UInt8]) throws(AdapterError) -> FixtureListing {
        let list = try FeedValue.read(CricsheetFixtureList.self, from: body)
        guard list.matches.rows.count <= CricsheetFixtureList.matchesMax else {
            throw .outOfRange(path: "matches", expected: "at most \(CricsheetFixtureList.matchesMax) matches")
        }
        var listing = FixtureListing()
        listing.fixtures = listing.rows(of: list.matches, in: .list).map { entry in
            Fixture(id: entry.id, startsAt: entry.startsAt, status: entry.state.flatMap(CricsheetStatus.word))
        }
        return try listing.readable()
    }

    /// Reads a document.
    ///
    /// - Throws: `AdapterError` when the body is no document, or its numbers are none of cricket.
    public func snapshot(_ body: [UInt8]) throws(AdapterError) -> MatchSnapshot {
        try snapshot(of: FeedValue.read(CricsheetDocument.self, from: body))
    }

    /// Turns a document that was read before into a snapshot.
    ///
    /// - Throws: `AdapterError` when its numbers are none of cricket.
    public func snapshot(of document: CricsheetDocument) throws(AdapterError) -> MatchSnapshot {
        try snapshot(of: document) { sides throws(AdapterError) in
            try CricsheetBalls(document, sides: sides, after: nil)
        }
    }

    private func snapshot(
        of document: CricsheetDocument,
        _ balls: (CricsheetSides) throws(AdapterError) -> CricsheetBalls
    ) throws(AdapterError) -> MatchSnapshot {
        let sides = try CricsheetSides(document.info)
        let info = try CricsheetFrame(document, sides: sides).info
        guard document.innings.count <= CricsheetLimits.inningsMax else {
            throw .outOfRange(path: "innings", expected: "at most \(CricsheetLimits.inningsMax) innings")
        }
        let innings = try CricsheetInningsReader(document, sides: sides, ballsPerOver: info.ballsPerOver).frames()
        let deliveries = try balls(sides).deliveries
        return MatchSnapshot(
            info: info,
            innings: innings,
            deliveries: deliveries,
            status: CricsheetStatus.report(of: document),
            result: try CricsheetOutcomeReader(document, sides: sides).result(),
            version: document.live?.version
        ).awaitingResult(revisedBy: document.info.outcome?.method)
    }
}

/// The list of matches of a Cricsheet feed.
struct CricsheetFixtureList: FeedReadable {
    /// Most matches in one list: all the world's cricket of a season, well above what is due at one time.
    static let matchesMax = 10_000

    let matches: FeedEntries<Entry>

    init(feed: FeedValue) throws(AdapterError) {
        matches = try feed.need("matches")
    }

    struct Entry: FeedReadable {
        let id: ProviderMatchID
        let startsAt: Int64?
        let state: String?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.need("id")
            startsAt = try feed.given("startsAt")
            state = try feed.given("state")
        }
    }
}

/// What a number of a document may be at most; beyond it the reply is a mistake or an attack.
enum CricsheetLimits {
    /// Innings with super overs: four, or two and a dozen super overs, with room.
    static let inningsMax = 40
    /// The number of an over; the longest innings ever had 335.
    static let oversMax = 9_999
    /// Deliveries of one over, by number; the longest known over had 77 balls.
    static let placesMax = 4_000
    /// Runs of one kind on one ball; the most ever claimed is 286, the most in these files 8.
    static let runsMax = 999
    /// Runs of a target or a penalty award.
    static let totalMax = 99_999
    /// Names in one list: squads, fielders on one ball, those absent.
    static let namesMax = 100
}

extension ProviderMatchID: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {
        guard let id = ProviderMatchID(try String(feed: feed)) else { throw feed.unlike("an id") }
        self = id
    }
}
