// The tier of plans that has scores and no balls: plainer content, and just as right.

public import MatchEngine
public import ScoreTypes

/// Reads CricketData (CricAPI), version 1: fixture lists and totals.
///
/// The provider knows no versions of a reply, so an older copy is told by its lower total alone, and waits to be seen
/// twice as every falling score does.
public struct CricketDataAdapter: Adapter {
    /// Makes the adapter; it has no state.
    public init() {}

    /// CricketData.
    public var provider: Provider { .cricketData }

    /// Keeps the key: there is nothing to sign in to.
    ///
    /// - Parameters:
    ///   - replies: Not needed.
    ///   - credentials: The key.
    ///   - now: Not needed.
    /// - Returns: A session that does not end.
    /// - Throws: Nothing.
    public func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        ProviderSession(token: credentials.key)
    }

    /// Asks for the matches of these days and for those to come.
    ///
    /// - Parameters:
    ///   - session: The key.
    ///   - now: Not needed: both lists are around the present.
    ///   - replies: The pages that have come; the first of a list tells how many rows it has.
    /// - Returns: Two requests, and those for further pages.
    public func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        Self.lists.flatMap { list in
            (1...min(Self.pages(list.part, replies), list.pagesMax)).map { page in
                get(list.path, list.part.page(page), session, [.init("offset", "\((page - 1) * Self.pageRows)")])
            }
        }
    }

    /// How many pages a list has by its first, at least 1.
    private static func pages(_ part: ReplyPart, _ replies: ProviderReplies) -> Int {
        let info = replies[part].flatMap { try? FeedValue.read(CricketDataEnvelope<Ignored>.self, from: $0).info }
        let rows = info?.totalRows?.whole ?? 0
        return max(1, (min(max(rows, 0), CricketDataLimits.matchesMax) + pageRows - 1) / pageRows)
    }

    /// Reads both lists; the present one is believed over the other.
    ///
    /// - Parameters:
    ///   - replies: The lists.
    ///   - session: Not needed.
    /// - Returns: The matches, each once.
    /// - Throws: `AdapterError` when a list is missing or not of its form.
    public func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        var listing = FixtureListing()
        var known: Set<ProviderMatchID> = []
        for list in Self.lists {
            _ = try replies.required(list.part)
            let pages = Self.pages(list.part, replies)
            for part in (1...min(pages, list.pagesMax)).map(list.part.page) {
                guard let body = replies[part] else { break }
                let items = try CricketDataEnvelope<FeedEntries<CricketDataMatch>>.read(body, part)
                guard items.rows.count <= CricketDataLimits.matchesMax else {
                    throw .outOfRange(
                        path: "\(part):data",
                        expected: "at most \(CricketDataLimits.matchesMax) matches"
                    )
                }
                let found = listing.rows(of: items, in: part).compactMap(Self.fixture)
                listing.fixtures += found.filter { known.insert($0.id).inserted }
            }
            if list.isWhole, pages > list.pagesMax { listing.cut.append(list.part) }
        }
        return try listing.readable()
    }

    /// Asks for the match.
    ///
    /// - Parameters:
    ///   - id: The match.
    ///   - session: The key.
    ///   - replies: Not needed.
    ///   - record: Not needed.
    /// - Returns: One request.
    public func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies,
        record: MatchRecord
    ) -> [ProviderRequest] {
        [get("/match_info", .match, session, [.init("id", id.text)])]
    }

    /// Reads the match.
    ///
    /// - Parameters:
    ///   - replies: The match.
    ///   - session: Not needed.
    /// - Returns: The match so far, without balls.
    /// - Throws: `AdapterError` when there is no match, or its numbers are none of cricket.
    public func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let match = try CricketDataEnvelope<CricketDataMatch>.read(replies.required(.match), .match)
        return try CricketDataReader(match).snapshot()
    }

    /// Reads the counters of the plan.
    ///
    /// - Parameter replies: Replies that have just come.
    /// - Returns: The highest count among them; nil when none has one.
    public func allowance(_ replies: ProviderReplies) -> RequestAllowance? {
        let counts = replies.parts.compactMap { part -> RequestAllowance? in
            guard let body = replies[part],
                let counters = try? FeedValue.read(CricketDataEnvelope<Ignored>.self, from: body).info,
                let used = counters.hitsToday?.whole, let limit = counters.hitsLimit?.whole, used >= 0, limit > 0
            else { return nil }
            return RequestAllowance(limit: limit, used: used)
        }
        return counts.max { $0.used < $1.used }
    }

    // MARK: Parts

    static let current: ReplyPart = "list.current"
    static let coming: ReplyPart = "list.coming"
    /// Rows of one page.
    static let pageRows = 25

    /// A list of the provider; each page of it costs a request of the day's plan.
    private struct List {
        let part: ReplyPart
        let path: String
        let pagesMax: Int
        /// Whether it should be read to its end, as `/matches` with all that ever were cannot be.
        let isWhole: Bool
    }

    private static let lists = [
        List(part: current, path: "/currentMatches", pagesMax: 4, isWhole: true),
        List(part: coming, path: "/matches", pagesMax: 2, isWhole: false),
    ]

    private func get(
        _ path: String,
        _ part: ReplyPart,
        _ session: ProviderSession,
        _ query: [ProviderRequest.Field]
    ) -> ProviderRequest {
        let key = ProviderRequest.Field("apikey", session.token?.text ?? "", isSecret: true)
        return ProviderRequest(part: part, path: path, query: query + [key])
    }

    private static func fixture(_ match: CricketDataMatch) -> Fixture? {
        guard let id = ProviderMatchID(match.id) else { return nil }
        let hasBalls = match.score?.isEmpty == false
        return Fixture(
            id: id,
            startsAt: match.dateTimeGMT.flatMap(FeedTime.seconds),
            status: CricketDataStatus.status(of: match, hasBalls: hasBalls).status,
            teams: match.teams.prefix(2).map { TeamInfo(id: FeedText.clean($0), name: FeedText.clean($0)) },
            format: match.matchType.flatMap(CricketDataReader.format),
            venue: match.venue.map(FeedText.clean)
        )
    }

    /// Content that nobody looks at.
    private struct Ignored: FeedReadable {
        init(feed: FeedValue) throws(AdapterError) {}
    }
}
