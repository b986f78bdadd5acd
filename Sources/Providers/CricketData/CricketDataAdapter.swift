// CricketData has totals and no balls; they are published without ball detail.

internal import MatchEngine
internal import ScoreTypes

/// Reads CricketData (CricAPI), version 1: fixture lists and totals.
///
/// Replies have no version, so an older copy shows only in a lower total, which is held until it is seen twice.
struct CricketDataAdapter: Adapter {
    var provider: Provider { .cricketData }

    /// Requests the current and the coming matches.
    func listRequests(
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

    /// The number of pages of a list by its first page; at least 1.
    private static func pages(_ part: ReplyPart, _ replies: ProviderReplies) -> Int {
        let info = replies[part].flatMap { try? ReplyJSON.read(CricketDataEnvelope<JSONElement>.self, from: $0).info }
        let rows = info?.totalRows?.whole ?? 0
        return max(1, (min(max(rows, 0), AdapterLimits.entries) + pageRows - 1) / pageRows)
    }

    /// Reads both lists; of a match in both the current one counts.
    func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        var listing = FixtureListing()
        for list in Self.lists {
            _ = try replies.required(list.part)
            let pages = Self.pages(list.part, replies)
            for part in (1...min(pages, list.pagesMax)).map(list.part.page) {
                guard let body = replies[part] else { break }
                let items = try CricketDataEnvelope<LossyList<CricketDataMatch>>.read(body, part)
                listing.add(items, in: part, Self.fixture)
            }
            if list.isWhole, pages > list.pagesMax { listing.cut.append(list.part) }
        }
        return try listing.readable()
    }

    /// Requests the match.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [get("/match_info", .match, session, [.init("id", id.text)])]
    }

    /// Reads the match.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let match = try CricketDataEnvelope<CricketDataMatch>.read(replies.required(.match), .match)
        return try CricketDataReader(match).snapshot()
    }

    /// Reads the counters of the plan.
    func allowance(_ replies: ProviderReplies) -> RequestAllowance? {
        let counts = replies.parts.compactMap { part -> RequestAllowance? in
            guard let body = replies[part],
                let counters = try? ReplyJSON.read(CricketDataEnvelope<JSONElement>.self, from: body).info,
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

    /// A list of matches; each page costs a request of the daily plan.
    private struct List {
        let part: ReplyPart
        let path: String
        let pagesMax: Int
        /// Whether it is read to its end; `/matches` has all matches ever and is not.
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
            startsAt: match.dateTimeGMT.flatMap(ISO8601.seconds),
            status: CricketDataStatus.status(of: match, hasBalls: hasBalls).status,
            teams: match.teams.prefix(2).map { TeamInfo(id: SafeText.clean($0), name: SafeText.clean($0)) },
            format: match.matchType.flatMap(Format.init(word:)),
            venue: match.venue.map(SafeText.clean)
        )
    }
}
