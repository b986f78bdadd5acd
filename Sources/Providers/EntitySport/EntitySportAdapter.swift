// EntitySport gives balls no ids, so their keys are made from their places.

internal import MatchEngine
internal import ScoreTypes

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
/// A ball's key is its innings, over, label and occurrence on that label (`2.17.3.1`). Inserting or removing a ball
/// changes the keys of later balls in its own over only. The balls of an innings are requested again while it is the
/// newest one, and whenever the scorecard differs from the balls that are held.
struct EntitySportAdapter: Adapter {
    var provider: Provider { .entitySport }

    /// Signs in with access key and secret key.
    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] {
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
    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        let body = try replies.required(Self.token)
        let reply = try EntitySportEnvelope<SignIn>.read(body, Self.token).response
        guard !reply.token.isEmpty else { throw .missing(path: "\(Self.token):response.token") }
        let reported = reply.expires?.whole.map { Instant(milliseconds: Int64(min(max($0, 0), .max / 1_000)) * 1_000) }
        // A token without an expiry, or with one in the past by the local clock, is valid as long as the provider
        // documents.
        let documented = now + Self.tokenLife
        let expiresAt = reported.flatMap { $0 > now ? $0 : nil } ?? documented
        return ProviderSession(token: Secret(reply.token), expiresAt: expiresAt)
    }

    /// The lifetime of a token without an expiry: one hour, by the provider's documentation.
    static let tokenLife: Duration = .seconds(3_600)

    /// Requests the live, coming and finished matches.
    func listRequests(
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

    /// Most pages of a list; of finished matches, which go back for years, the newest page is enough.
    private static func pagesMax(_ part: ReplyPart) -> Int { part == done ? 1 : 5 }

    /// The number of pages of a list by its first page; at least 1.
    private static func pages(_ part: ReplyPart, _ replies: ProviderReplies) -> Int {
        let reported = replies[part].flatMap {
            try? EntitySportEnvelope<Paging>.read($0, part).response.totalPages?.whole
        }
        return max(1, reported ?? 1)
    }

    /// Reads the three lists; of a match in two of them the later state counts.
    func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        var listing = FixtureListing()
        for (list, _) in Self.lists {
            _ = try replies.required(list)
            let pages = Self.pages(list, replies)
            for part in (1...min(pages, Self.pagesMax(list))).map(list.page) {
                guard let body = replies[part] else { break }
                let items = try EntitySportEnvelope<MatchList>.read(body, part).response.items
                listing.add(items, in: part, fixture)
            }
            if pages > Self.pagesMax(list), list != Self.done { listing.cut.append(list) }
        }
        return try listing.readable()
    }

    /// Requests the scorecard and the balls of the newest innings, older balls when the scorecard shows a change, and
    /// the squads until the teams are named.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        let card = try? EntitySportEnvelope<EntitySportMatch>.read(Self.card, of: replies).response
        let match = card ?? (try? EntitySportEnvelope<EntitySportMatch>.read(.match, of: replies).response)
        var requests: [ProviderRequest] = []
        // An old copy of the scorecard may show no play yet: both are requested then, or neither ever would be again.
        if card?.hasCard != true { requests.append(get("/matches/\(id)/info", .match, session)) }
        if card != nil || match?.hasCard == true {
            requests.append(get("/matches/\(id)/scorecard", Self.card, session))
        }
        for inning in match?.innings ?? [] {
            guard let number = inning.number.whole, (1...AdapterLimits.innings).contains(number) else {
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

    /// Reads scorecard, balls and squads together.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        try EntitySportReader(replies).snapshot()
    }

    // MARK: Parts

    static let token: ReplyPart = "token"
    static let card: ReplyPart = "card"
    static let squads: ReplyPart = "squads"
    /// In reverse order of a match's progress.
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
        return held.map { inning.agrees(with: $0.inning) } ?? false
    }

    /// Whether the squads of these teams are held, and both elevens are named or play has begun.
    private func hasSquads(_ replies: ProviderReplies, of match: EntitySportMatch?) -> Bool {
        guard let squads = try? EntitySportEnvelope<EntitySportSquads>.read(Self.squads, of: replies).response else {
            return false
        }
        // An id that belonged to another match for a moment had other teams.
        if let match, [squads.teama.teamId, squads.teamb.teamId] != [match.teama.teamId, match.teamb.teamId] {
            return false
        }
        return match?.hasCard == true || squads.teama.playing.count >= 11 && squads.teamb.playing.count >= 11
    }

    private func fixture(_ match: EntitySportMatch) -> Fixture? {
        guard let number = match.matchId.whole, let id = ProviderMatchID(String(number)) else { return nil }
        let status = try? EntitySportStatus.status(
            of: match,
            isSuperOver: false,
            hasBalls: (match.latestInningNumber?.whole ?? 0) > 0
        )
        return Fixture(
            id: id,
            startsAt: match.timestampStart?.whole.map(Int64.init),
            status: status,
            teams: [match.teama, match.teamb].map {
                TeamInfo(id: $0.teamId.whole.map { String($0) } ?? "", name: SafeText.clean($0.name))
            },
            competition: match.competition?.title.map(SafeText.clean),
            format: try? EntitySportFormat.format(of: match),
            venue: match.venue?.name.map(SafeText.clean)
        )
    }

    private struct SignIn: Decodable {
        let token: String
        let expires: EntitySportNumber?
    }

    private struct Paging: Decodable {
        let totalPages: EntitySportNumber?
    }

    private struct MatchList: Decodable {
        let items: LossyList<EntitySportMatch>
    }
}
