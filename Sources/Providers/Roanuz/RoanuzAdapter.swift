// Roanuz pushes notices of changes and serves the match with its totals, and its balls one over a page.

internal import MatchEngine
internal import ScoreTypes

/// Reads Roanuz' Cricket API v5 (cricket.md B.3).
///
/// A ball's key encodes its place: a correction keeps the key, a deletion removes it. A match is assembled from the
/// match itself and a page for each over; each page names the page before it.
///
/// The address of the webhook is set once in the provider's console; each match is subscribed separately.
struct RoanuzAdapter: Adapter {
    /// A token counts as expired this long before its end, in real time, so that none expires in flight.
    static let tokenReserve: Duration = .seconds(300)

    var provider: Provider { .roanuz }

    /// Signs in.
    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] {
        [
            ProviderRequest(
                part: .token,
                method: .post,
                path: "/core/\(credentials.project ?? "")/auth/",
                headers: [ProviderRequest.Field("content-type", "application/json")],
                body: JSONWriter.document { $0.field("api_key", credentials.key?.text ?? "") }
            )
        ]
    }

    /// Keeps the token.
    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        let given = try AdapterError.within(.token) { () throws(AdapterError) in
            try ReplyJSON.read(RoanuzReply<RoanuzToken>.self, from: replies.required(.token)).content()
        }
        let end = given.expires.flatMap { Int64(exactly: ($0.value * 1_000).rounded()) }.map { max(0, $0) }
        return ProviderSession(
            project: credentials.project,
            token: Secret(given.token),
            expiresAt: end.map { Instant(milliseconds: $0) + (.zero - Self.tokenReserve) }
        )
    }

    /// Requests the featured matches: those of the project's plan some days back and ahead.
    func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [request(.list, "featured-matches-2/", session)]
    }

    /// Reads the featured matches.
    func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        let matches = try AdapterError.within(.list) { () throws(AdapterError) in
            try ReplyJSON.read(RoanuzReply<RoanuzMatchList>.self, from: replies.required(.list)).content().matches
        }
        var listing = FixtureListing()
        listing.add(matches, in: .list, \.fixture)
        return try listing.readable()
    }

    /// Requests the match, and when it has pages of balls its newest over, overs that are not held, and some that
    /// disagree with the totals.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        let whole = request(.match, "match/\(id)/", session)
        guard replies[.match] != nil else { return [whole] }
        let newest = [whole, request(.balls, "match/\(id)/ball-by-ball/", session)]
        // A match that cannot be read names no page; `snapshot` reports the error.
        guard let (match, order, reply) = try? Self.match(in: replies) else { return newest }
        guard match.hasPages else { return [whole] }
        guard let pages = try? Self.pages(of: match, order, replies) else { return newest }
        let start = Int(truncatingIfNeeded: (reply.stamp ?? 0) / 1_000) & 0xffff
        let isWhole = pages.missing.isEmpty && pages.passedOver.isEmpty
        let more = isWhole ? pages.suspect(match, startingAt: start) : pages.missing
        let required = more.map { page($0, of: id, session) }
        let passedOver = pages.passedOver.map { page($0, of: id, session, isOptional: true) }
        return newest + (required + passedOver).prefix(AdapterLimits.requestedPages)
    }

    /// Requests the match and, when the notice is about a ball of an older over, that over again.
    func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        var requests = matchRequests(notice.match, session, replies: replies)
        guard let ball = notice.ball, let (match, order, _) = try? Self.match(in: replies),
            ball.innings >= 1, order.indices.contains(ball.innings - 1),
            let pages = try? Self.pages(of: match, order, replies),
            let key = pages.key(of: ball.over, in: order[ball.innings - 1]),
            !requests.contains(where: { $0.part == .balls(key) })
        else { return requests }
        requests.append(page(key, of: notice.match, session))
        return requests
    }

    /// Subscribes a match for the webhook; by the provider's documentation a repetition is charged and delivered once.
    func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest? {
        var subscription = request(Self.subscription, "match/\(id)/subscribe/", session)
        subscription.method = .post
        subscription.headers.append(ProviderRequest.Field("content-type", "application/json"))
        subscription.body = JSONWriter.document { $0.field("method", "web_hook") }
        return subscription
    }

    /// Reads the answer, which may be a refusal with status 200.
    func subscribed(_ replies: ProviderReplies) throws(AdapterError) {
        try AdapterError.within(Self.subscription) { () throws(AdapterError) in
            try ReplyJSON.read(RoanuzReply<JSONElement>.self, from: replies.required(Self.subscription)).accepted()
        }
    }

    private static let subscription: ReplyPart = "subscribe"

    /// Reads the match and its pages.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let (match, order, reply) = try Self.match(in: replies)
        let pages = try Self.pages(of: match, order, replies)
        if let first = pages.missing.first {
            let part = ReplyPart.balls(first)
            // A page that was received and cannot be read throws its error.
            _ = try RoanuzPages.page(part, replies)
            throw .missing(path: "reply \(part)")
        }
        do throws(AdapterError) {
            return try Self.snapshot(of: match, order, pages, replies, version: reply.madeAt(showing: match.newestEdit))
        } catch {
            // Errors of balls name their page already.
            throw error.path?.hasPrefix("balls") == true ? error : error.at(.match)
        }
    }

    private static func snapshot(
        of match: RoanuzMatch,
        _ order: [String],
        _ pages: RoanuzPages,
        _ replies: ProviderReplies,
        version: Int64?
    ) throws(AdapterError) -> MatchSnapshot {
        let info = try RoanuzFrame(match: match).info()
        let people = RoanuzPeople(match)
        let balls = try replies.derived(.match) { earlier throws(AdapterError) in
            try RoanuzBalls(pages, of: match, order, people, replies, after: earlier)
        }
        let deliveries = balls.deliveries
        let chase = RoanuzChase(match, order, info)
        let result = try RoanuzOutcomeReader(match: match, teams: info.teams, people: people, chase: chase).result()
        let word = RoanuzStatus.word(match.playStatus)
        let reader = RoanuzInningsReader(
            match: match,
            format: info.format,
            ballsPerOver: info.ballsPerOver,
            people: people,
            chase: chase,
            newestPage: pages.newestPage(beside: match, madeAt: version),
            absentees: balls.absentees
        )
        let isBreak = word == .inningsBreak || word == .superOverBreak
        let innings = try reader.frames(order, deliveries: deliveries, isBreak: isBreak)
        return MatchSnapshot(
            info: info,
            innings: innings,
            deliveries: deliveries,
            status: RoanuzStatus.report(of: match, innings: innings, balls: deliveries, result: result, chase: chase),
            result: result,
            version: version,
            isIncomplete: reader.isIncomplete(order, deliveries: deliveries)
        ).awaitingResult()
    }

    /// The pages of the match that is in the replies.
    private static func pages(
        of match: RoanuzMatch,
        _ order: [String],
        _ replies: ProviderReplies
    ) throws(AdapterError) -> RoanuzPages {
        try replies.once(.balls) { () throws(AdapterError) in try RoanuzPages(match, order, replies) }
    }

    private static func match(
        in replies: ProviderReplies
    ) throws(AdapterError) -> (match: RoanuzMatch, order: [String], reply: RoanuzReply<RoanuzMatch>) {
        try AdapterError.within(.match) { () throws(AdapterError) in
            let reply = try replies.read(RoanuzReply<RoanuzMatch>.self, .match)
            let match = try reply.content()
            return (match, try RoanuzInningsReader.order(of: match), reply)
        }
    }

    private func page(
        _ key: String,
        of id: ProviderMatchID,
        _ session: ProviderSession,
        isOptional: Bool = false
    ) -> ProviderRequest {
        request(.balls(key), "match/\(id)/ball-by-ball/\(key)/", session, isOptional: isOptional)
    }

    private func request(
        _ part: ReplyPart,
        _ path: String,
        _ session: ProviderSession,
        isOptional: Bool = false
    ) -> ProviderRequest {
        ProviderRequest(
            part: part,
            path: "/cricket/\(session.project ?? "")/\(path)",
            headers: session.token.map { [ProviderRequest.Field("rs-token", $0.text, isSecret: true)] } ?? [],
            isOptional: isOptional
        )
    }
}

/// The list of matches.
struct RoanuzMatchList: Decodable {
    let matches: LossyList<RoanuzListedMatch>
}

/// A match of the list, whose key is an id.
struct RoanuzListedMatch: Decodable {
    let fixture: Fixture

    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        let match = try json.decode(RoanuzMatch.self)
        guard let id = ProviderMatchID(match.key) else {
            throw JSONError.mismatch(path: json.path(to: "key"), expected: "an id")
        }
        let frame = RoanuzFrame(match: match)
        fixture = Fixture(
            id: id,
            startsAt: match.startAt.flatMap { Int64(exactly: $0.value.rounded()) },
            status: RoanuzStatus.listed(match),
            teams: (try? frame.teams()) ?? [],
            competition: match.tournament?.name.map(SafeText.clean),
            format: try? frame.format(),
            venue: match.venue?.name.map(SafeText.clean)
        )
    }
}
