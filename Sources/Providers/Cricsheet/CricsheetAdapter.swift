// Cricsheet's free format drives replays, tests and the demo without a paid key.

public import MatchEngine
public import ScoreTypes

/// Reads Cricsheet documents, finished or in play, and the list of matches of the feed that serves them.
///
/// The format has no ids of balls: a delivery's key is its innings, over and place in the over (`2.17.3`). Later balls
/// never change a key, and inserting or removing a ball changes the keys of later balls in its own over only.
public struct CricsheetAdapter: Adapter {
    /// Makes the adapter; it has no state.
    public init() {}

    /// Files of Cricsheet.
    public var provider: Provider { .cricsheet }

    /// Requests `/matches`, the complete list.
    public func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [ProviderRequest(part: .list, path: "/matches")]
    }

    /// Reads `{"matches":[{"id","startsAt","state"}]}`.
    ///
    /// - Throws: `AdapterError` when the list is missing, has another form or too many matches.
    public func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        let list = try ReplyJSON.read(CricsheetFixtureList.self, from: replies.required(.list))
        var listing = FixtureListing()
        listing.add(list.matches, in: .list) { entry in
            Fixture(id: entry.id, startsAt: entry.startsAt, status: entry.state.flatMap(CricsheetStatus.word))
        }
        return try listing.readable()
    }

    /// Requests `/matches/{id}`, the complete document.
    public func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [ProviderRequest(part: .match, path: "/matches/\(id)")]
    }

    /// Reads the reply to `/matches/{id}`.
    ///
    /// - Throws: `AdapterError` when the document is missing or a number is out of range.
    public func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let document = try replies.read(CricsheetDocument.self, .match)
        return try snapshot(of: document) { sides throws(AdapterError) in
            try replies.derived(.match) { earlier throws(AdapterError) in
                try CricsheetBalls(document, sides: sides, after: earlier)
            }
        }
    }

    /// Reads a document.
    ///
    /// - Throws: `AdapterError` when the body is no document or a number is out of range.
    public func snapshot(_ body: [UInt8]) throws(AdapterError) -> MatchSnapshot {
        try snapshot(of: ReplyJSON.read(CricsheetDocument.self, from: body))
    }

    /// Makes a snapshot of a decoded document.
    ///
    /// - Throws: `AdapterError` when a number is out of range.
    public func snapshot(of document: CricsheetDocument) throws(AdapterError) -> MatchSnapshot {
        try snapshot(of: document) { sides throws(AdapterError) in
            try CricsheetBalls(document, sides: sides, after: nil)
        }
    }

    /// Makes a snapshot of a decoded document that grew; `earlier` are the balls of its last state, and then its own.
    ///
    /// - Throws: `AdapterError` when a number is out of range.
    public func snapshot(
        of document: CricsheetDocument,
        after earlier: inout CricsheetBalls?
    ) throws(AdapterError) -> MatchSnapshot {
        try snapshot(of: document) { sides throws(AdapterError) in
            let balls = try CricsheetBalls(document, sides: sides, after: earlier)
            earlier = balls
            return balls
        }
    }

    private func snapshot(
        of document: CricsheetDocument,
        _ balls: (CricsheetSides) throws(AdapterError) -> CricsheetBalls
    ) throws(AdapterError) -> MatchSnapshot {
        let sides = try CricsheetSides(document.info)
        let info = try CricsheetFrame(document, sides: sides).info
        try AdapterError.check(document.innings, atMost: AdapterLimits.innings, at: "innings")
        let reader = CricsheetInningsReader(document: document, sides: sides, ballsPerOver: info.ballsPerOver)
        let innings = try reader.frames()
        let deliveries = try balls(sides).deliveries
        return MatchSnapshot(
            info: info,
            innings: innings,
            deliveries: deliveries,
            status: CricsheetStatus.report(of: document),
            result: try CricsheetOutcomeReader(document: document, sides: sides).result(),
            version: document.live?.version
        ).awaitingResult(revisedBy: document.info.outcome?.method)
    }
}

/// The list of matches of a Cricsheet feed.
struct CricsheetFixtureList: Decodable {
    let matches: LossyList<Entry>

    struct Entry: Decodable {
        let id: ProviderMatchID
        let startsAt: Int64?
        let state: String?
    }
}
