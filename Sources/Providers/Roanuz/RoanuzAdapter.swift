// Roanuz pushes what changed and serves the rest: the match with its totals, and its balls one over a page.

public import MatchEngine
public import ScoreTypes

/// Reads Roanuz' Cricket API v5 (cricket.md B.3).
///
/// A ball's key tells its place, so a correction keeps its key and a deletion takes it away. A picture of a match is
/// made of the match itself and a page for each over; pages name the one before them.
///
/// The address of the webhook is set once in the provider's console; each match has to be subscribed besides.
public struct RoanuzAdapter: Adapter {
    /// Most matches of one list.
    static let fixturesMax = 2_000
    /// Real time before its end at which a token counts as ended, so that none ends on its way.
    static let tokenReserve: Duration = .seconds(300)

    /// Makes the adapter; it has no state.
    public init() {}

    /// Roanuz.
    public var provider: Provider { .roanuz }

    /// Signs in.
    ///
    /// - Parameter credentials: The project, and the API key as `key`.
    /// - Returns: One request.
    public func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] {
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
    ///
    /// - Parameters:
    ///   - replies: The reply to the sign-in.
    ///   - credentials: The project.
    ///   - now: Not needed: the token says when it ends.
    /// - Returns: A session that ends with the token.
    /// - Throws: `AdapterError` when the sign-in was refused or brought no token.
    public func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        do throws(AdapterError) {
            let body = try replies.required(.token)
            let given = try FeedValue.read(RoanuzReply<RoanuzToken>.self, from: body).content()
            let end = given.expires.flatMap { Int64(exactly: ($0.value * 1_000).rounded()) }
            return ProviderSession(
                project: credentials.project,
                token: Secret(given.token),
                expiresAt: end.map { Instant(milliseconds: $0) + (.zero - Self.tokenReserve) }
            )
        } catch {
            throw error.at(.token)
        }
    }

    /// Asks for the featured matches, which are those of the project's plan from some days back to some days ahead.
    ///
    /// - Parameters:
    ///   - session: Project and token.
    ///   - now: Not needed.
    ///   - replies: Not needed: the list has one page.
    /// - Returns: One request.
    public func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        [request(.list, "featured-matches-2/", session)]
    }

    /// Reads the featured matches.
    ///
    /// - Parameters:
    ///   - replies: The list.
    ///   - session: Not needed.
    /// - Returns: The matches.
    /// - Throws: `AdapterError` when the list is not of its form.
    public func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        let matches: FeedEntries<RoanuzListedMatch>
        do throws(AdapterError) {
            let body = try replies.required(.list)
            matches = try FeedValue.read(RoanuzReply<RoanuzMatchList>.self, from: body).content().matches
        } catch {
            throw error.at(.list)
        }
        guard matches.rows.count <= Self.fixturesMax else {
            throw .outOfRange(path: "\(ReplyPart.list):data.matches", expected: "at most \(Self.fixturesMax) matches")
        }
        var listing = FixtureListing()
        listing.fixtures = listing.rows(of: matches, in: .list).map(\.fixture)
        return try listing.readable()
    }

    /// Asks for the match, and once that tells that it has pages of balls for its newest over, for overs that are not
    /// held, and for some that do not add up.
    ///
    /// - Parameters:
    ///   - id: The match.
    ///   - session: Project and token.
    ///   - replies: What is held: it names the pages that are missing.
    ///   - record: Not needed.
    /// - Returns: One request, or two and those for pages, at most twenty.
    public func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies,
        record: MatchRecord
    ) -> [ProviderRequest] {
        let whole = request(.match, "match/\(id)/", session)
        guard replies[.match] != nil else { return [whole] }
        let newest = [whole, request(.balls, "match/\(id)/ball-by-ball/", session)]
        // What cannot be read names no page; `snapshot` says why.
        guard let (match, order, reply) = try? Self.match(in: replies) else { return newest }
        guard match.hasPages else { return [whole] }
        guard let pages = try? RoanuzPages(match, order, replies) else { return newest }
        let start = Int(truncatingIfNeeded: (reply.stamp ?? 0) / 1_000) & 0xffff
        let isWhole = pages.missing.isEmpty && pages.passedOver.isEmpty
        let more = isWhole ? pages.doubted(match, startingAt: start) : pages.missing
        let asked = more.map { page($0, of: id, session) }
        let passedOver = pages.passedOver.map { page($0, of: id, session, isOptional: true) }
        return newest + (asked + passedOver).prefix(RoanuzPages.askedMax)
    }

    /// Asks for the match and, when the notice is about a ball of an older over, for that over again.
    ///
    /// - Parameters:
    ///   - notice: What changed.
    ///   - session: Project and token.
    ///   - replies: What is held: it names the innings.
    /// - Returns: Two or three requests, and those for missing pages.
    public func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        var requests = matchRequests(notice.match, session, replies: replies, record: MatchRecord())
        guard let ball = notice.ball, let (match, order, _) = try? Self.match(in: replies),
            ball.innings >= 1, order.indices.contains(ball.innings - 1),
            let pages = try? RoanuzPages(match, order, replies),
            let key = pages.key(of: ball.over, in: order[ball.innings - 1]),
            !requests.contains(where: { $0.part == .balls(key) })
        else { return requests }
        requests.append(page(key, of: notice.match, session))
        return requests
    }

    /// Subscribes a match for the webhook; twice is charged and told once, by the provider's documents.
    ///
    /// - Parameters:
    ///   - id: The match.
    ///   - session: Project and token.
    /// - Returns: One request.
    public func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest? {
        let common = request(Self.subscription, "match/\(id)/subscribe/", session)
        return ProviderRequest(
            part: common.part,
            method: .post,
            path: common.path,
            headers: common.headers + [ProviderRequest.Field("content-type", "application/json")],
            body: JSONWriter.document { $0.field("method", "web_hook") }
        )
    }

    /// Reads the answer, which may be a refusal with status 200.
    ///
    /// - Parameter replies: The answer.
    /// - Throws: `AdapterError` when the match was not subscribed, or the answer is no answer of this provider.
    public func subscribed(_ replies: ProviderReplies) throws(AdapterError) {
        do throws(AdapterError) {
            try FeedValue.read(RoanuzReply<RoanuzAnything>.self, from: replies.required(Self.subscription)).accepted()
        } catch {
            throw error.at(Self.subscription)
        }
    }

    private static let subscription: ReplyPart = "subscribe"

    /// Reads the match and its pages.
    ///
    /// - Parameters:
    ///   - replies: The match, and a page for each over.
    ///   - session: Not needed.
    /// - Returns: The match so far.
    /// - Throws: `AdapterError`; `missing` while a page has not come, `unknownWord` for a word that no table has.
    public func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let (match, order, reply) = try Self.match(in: replies)
        let pages = try RoanuzPages(match, order, replies)
        if let first = pages.missing.first {
            let part = ReplyPart.balls(first)
            // One that has come and cannot be read says why.
            _ = try RoanuzPages.page(part, replies)
            throw .missing(path: "reply \(part)")
        }
        do throws(AdapterError) {
            return try Self.snapshot(of: match, order, pages, version: reply.madeAt(showing: match.newestEdit))
        } catch {
            // Balls name their page already.
            throw error.path?.hasPrefix("balls") == true ? error : error.at(.match)
        }
    }

    private static func snapshot(
        of match: RoanuzMatch,
        _ order: [String],
        _ pages: RoanuzPages,
        version: Int64?
    ) throws(AdapterError) -> MatchSnapshot {
        let info = try RoanuzFrame(match: match).info()
        let people = RoanuzPeople(match)
        let sources = pages.sources(match)
        let deliveries = try RoanuzDeliveryReader(
            people: people,
            order: order,
            totals: match.play?.innings ?? [:],
            review: RoanuzReview(match)
        ).deliveries(of: sources)
        let chase = RoanuzChase(match, order, info)
        let result = try RoanuzOutcomeReader(match: match, teams: info.teams, people: people, chase: chase).result()
        let word = RoanuzStatus.word(match.playStatus)
        let reader = RoanuzInningsReader(
            match: match,
            format: info.format,
            ballsPerOver: info.ballsPerOver,
            people: people,
            chase: chase,
            isPageOlder: pages.isOlder(than: match, madeAt: version),
            absentees: RoanuzDeliveryReader.absentees(in: sources)
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

    private static func match(
        in replies: ProviderReplies
    ) throws(AdapterError) -> (match: RoanuzMatch, order: [String], reply: RoanuzReply<RoanuzMatch>) {
        do throws(AdapterError) {
            let reply = try replies.read(RoanuzReply<RoanuzMatch>.self, .match)
            let match = try reply.content()
            return (match, try RoanuzInningsReader.order(of: match), reply)
        } catch {
            throw error.at(.match)
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

/// Content that nobody looks at.
private struct RoanuzAnything: FeedReadable {
    init(feed: FeedValue) throws(AdapterError) {}
}

/// The list of matches.
struct RoanuzMatchList: FeedReadable {
    let matches: FeedEntries<RoanuzListedMatch>

    init(feed: FeedValue) throws(AdapterError) {
        matches = try feed.need("matches")
    }
}

/// A match of the list, whose key has to be an id.
struct RoanuzListedMatch: FeedReadable {
    let fixture: Fixture

    init(feed: FeedValue) throws(AdapterError) {
        let match = try RoanuzMatch(feed: feed)
        guard let id = ProviderMatchID(match.key) else {
            throw .wrongForm(path: feed.path(to: "key"), expected: "an id")
        }
        let frame = RoanuzFrame(match: match)
        fixture = Fixture(
            id: id,
            startsAt: match.startAt.flatMap { Int64(exactly: $0.value.rounded()) },
            status: RoanuzStatus.listed(match),
            teams: (try? frame.teams()) ?? [],
            competition: match.tournament?.name.map(FeedText.clean),
            format: frame.formatIfKnown(),
            venue: match.venue?.name.map(FeedText.clean)
        )
    }
}
