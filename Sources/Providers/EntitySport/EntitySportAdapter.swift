// The provider without ball ids: it proves that the model needs none.

internal import Foundation
public import MatchEngine
public import ScoreTypes

/// Reads EntitySport's Cricket API, version 2.
///
/// ```
/// POST /auth ─▶ token ─▶ /matches                      (live, coming, done)
///                   └──▶ /matches/{id}/info            (until play begins)
///                        /matches/{id}/scorecard       (from then on, in its place)
///                        /matches/{id}/innings/{n}/commentary
///                        /matches/{id}/squads          (until the teams are named)
/// ```
///
/// A ball's key is its innings, over, label and occurrence on that label (`2.17.3.1`). A ball that is put in or taken
/// out moves those behind it in its own over only. Balls of an innings are asked for again as long as it is the newest,
/// and whenever the card tells another score than the balls that are held.
public struct EntitySportAdapter: Adapter {
    /// Makes the adapter; it has no state.
    public init() {}

    /// EntitySport.
    public var provider: Provider { .entitySport }

    /// Signs in with access key and secret key.
    ///
    /// - Parameter credentials: Both keys.
    /// - Returns: One request.
    public func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] {
        [
            ProviderRequest(
                part: Self.token,
                method: .post,
                path: "/auth",
                query: [
                    .init("access_key", credentials.key?.text ?? "", isSecret: true),
                    .init("secret_key", credentials.secret?.text ?? "", isSecret: true),
                ]
            )
        ]
    }

    /// Reads the token and its end.
    ///
    /// - Parameters:
    ///   - replies: The reply to the sign-in.
    ///   - credentials: Not needed.
    ///   - now: When it came.
    /// - Returns: The session.
    /// - Throws: `AdapterError` when the keys were refused.
    public func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        let body = try replies.required(Self.token)
        let reply = try EntitySportEnvelope<SignIn>.read(body, Self.token).response
        guard !reply.token.isEmpty else { throw .missing(path: "\(Self.token):response.token") }
        let told = reply.expires?.whole.map { Instant(milliseconds: Int64($0).multipliedClamped(by: 1_000)) }
        // A token without an end, or with one that is past by our clock, lasts as long as the provider documents.
        let documented = now + Self.tokenLife
        let expiresAt = told.flatMap { $0 > now ? $0 : nil } ?? documented
        return ProviderSession(token: Secret(reply.token), expiresAt: expiresAt)
    }

    /// How long a token lasts when the reply does not tell: one hour by the provider's documents.
    public static let tokenLife: Duration = .seconds(3_600)

    /// Asks for the matches that are live, coming and done.
    ///
    /// - Parameters:
    ///   - session: The token.
    ///   - now: Not needed: the lists are by state.
    ///   - replies: The pages that have come; the first of a list tells how many it has.
    /// - Returns: Three requests, and those for further pages.
    public func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        Self.lists.flatMap { part, status in
            (1...min(Self.pages(part, replies), Self.pagesMax(part))).map { page in
                let more = page == 1 ? [] : [ProviderRequest.Field("paged", "\(page)")]
                let query = [ProviderRequest.Field("status", status), .init("per_page", "100")]
                return get("/matches", part.page(page), session, query + more)
            }
        }
    }

    /// Most pages of a list; of matches that are done, which go back for years, the newest are enough.
    private static func pagesMax(_ part: ReplyPart) -> Int { part == done ? 1 : 5 }

    /// How many pages a list has by its first, at least 1.
    private static func pages(_ part: ReplyPart, _ replies: ProviderReplies) -> Int {
        let told = replies[part].flatMap { try? EntitySportEnvelope<Paging>.read($0, part).response.count?.whole }
        return max(1, told ?? 1)
    }

    /// Reads the three lists; a match that changes from one to the other is taken from the later state.
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
        for (list, _) in Self.lists {
            _ = try replies.required(list)
            let pages = Self.pages(list, replies)
            for part in (1...min(pages, Self.pagesMax(list))).map(list.page) {
                guard let body = replies[part] else { break }
                let items = try EntitySportEnvelope<MatchList>.read(body, part).response.items
                guard items.rows.count <= EntitySportLimits.matchesMax else {
                    throw .outOfRange(path: "\(part):response.items", expected: "at most 10000 matches")
                }
                let found = listing.rows(of: items, in: part).compactMap(fixture)
                listing.fixtures += found.filter { known.insert($0.id).inserted }
            }
            if pages > Self.pagesMax(list), list != Self.done { listing.cut.append(list) }
        }
        return try listing.readable()
    }

    /// Asks for the card and the newest balls, for older balls when the card tells that they changed, and for the
    /// squads until they are named.
    ///
    /// - Parameters:
    ///   - id: The match.
    ///   - session: The token.
    ///   - replies: What is held.
    ///   - record: Not needed.
    /// - Returns: The requests.
    public func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies,
        record: MatchRecord
    ) -> [ProviderRequest] {
        let card = try? EntitySportEnvelope<EntitySportMatch>.read(Self.card, of: replies).response
        let match = card ?? (try? EntitySportEnvelope<EntitySportMatch>.read(.match, of: replies).response)
        var requests: [ProviderRequest] = []
        // An old copy of the card may tell of no play yet: then both are asked for, or nothing ever would be again.
        if card?.hasCard != true { requests.append(get("/matches/\(id)/info", .match, session)) }
        if card != nil || match?.hasCard == true {
            requests.append(get("/matches/\(id)/scorecard", Self.card, session))
        }
        for inning in match?.innings ?? [] {
            guard let number = inning.number.whole, (1...EntitySportLimits.inningsMax).contains(number) else {
                continue
            }
            let isNewest = number == match?.innings?.compactMap { $0.number.whole }.max()
            if isNewest || !holds(inning, replies) {
                requests.append(get("/matches/\(id)/innings/\(number)/commentary", Self.balls(number), session))
            }
        }
        if !hasSquads(replies, of: match) {
            requests.append(get("/matches/\(id)/squads", Self.squads, session))
        }
        return requests
    }

    /// Reads card, balls and squads together.
    ///
    /// - Parameters:
    ///   - replies: The last reply of each part.
    ///   - session: Not needed.
    /// - Returns: The match so far.
    /// - Throws: `AdapterError` when a part is missing, or its numbers are none of cricket.
    public func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        try EntitySportReader(replies).snapshot()
    }

    // MARK: Parts

    static let token: ReplyPart = "token"
    static let card: ReplyPart = "card"
    static let squads: ReplyPart = "squads"
    /// In the order in which a match passes from one to the next, the last first.
    static let lists: [(ReplyPart, String)] = [(done, "2"), ("list.live", "3"), ("list.coming", "1")]
    static let done: ReplyPart = "list.done"

    static func balls(_ number: Int) -> ReplyPart { ReplyPart(rawValue: "balls.\(number)") }

    private func get(
        _ path: String,
        _ part: ReplyPart,
        _ session: ProviderSession,
        _ query: [ProviderRequest.Field] = []
    ) -> ProviderRequest {
        let token = ProviderRequest.Field("token", session.token?.text ?? "", isSecret: true)
        return ProviderRequest(part: part, path: path, query: query + [token])
    }

    private func holds(_ inning: EntitySportInning, _ replies: ProviderReplies) -> Bool {
        guard let number = inning.number.whole else { return false }
        let held = try? EntitySportEnvelope<EntitySportCommentary>.read(Self.balls(number), of: replies).response
        return held.map { inning.tellsTheSame(as: $0.inning) } ?? false
    }

    /// Whether the squads of these sides are held and named, or are held and play has begun: then nobody is named any
    /// more.
    private func hasSquads(_ replies: ProviderReplies, of match: EntitySportMatch?) -> Bool {
        guard let squads = try? EntitySportEnvelope<EntitySportSquads>.read(Self.squads, of: replies).response else {
            return false
        }
        // An id that was another match's for a moment has told of others.
        if let match, [squads.teamA.teamID, squads.teamB.teamID] != [match.teamA.id, match.teamB.id] { return false }
        return match?.hasCard == true || squads.teamA.playing.count >= 11 && squads.teamB.playing.count >= 11
    }

    private func fixture(_ match: EntitySportMatch) -> Fixture? {
        guard let number = match.matchID.whole, let id = ProviderMatchID(String(number)) else { return nil }
        let status = try? EntitySportStatus.status(
            of: match,
            isSuperOver: false,
            hasBalls: (match.latestInning?.whole ?? 0) > 0
        )
        return Fixture(
            id: id,
            startsAt: match.timestampStart?.whole.map(Int64.init),
            status: status,
            teams: [match.teamA, match.teamB].map {
                TeamInfo(id: $0.id.whole.map { String($0) } ?? "", name: FeedText.clean($0.name))
            },
            competition: match.competition?.title.map(FeedText.clean),
            format: try? EntitySportFormat.format(of: match),
            venue: match.venue?.name.map(FeedText.clean)
        )
    }

    private struct SignIn: FeedReadable {
        let token: String
        let expires: EntitySportNumber?

        init(feed: FeedValue) throws(AdapterError) {
            token = try feed.need("token")
            expires = try feed.given("expires")
        }
    }

    private struct Paging: FeedReadable {
        let count: EntitySportNumber?

        init(feed: FeedValue) throws(AdapterError) {
            count = try feed.given("total_pages")
        }
    }

    private struct MatchList: FeedReadable {
        let items: FeedEntries<EntitySportMatch>

        init(feed: FeedValue) throws(AdapterError) {
            items = try feed.need("items")
        }
    }
}

extension Int64 {
    /// The product, or the largest number that there is.
    fileprivate func multipliedClamped(by other: Int64) -> Int64 {
        let (product, overflow) = multipliedReportingOverflow(by: other)
        return overflow ? .max : product
    }
}
