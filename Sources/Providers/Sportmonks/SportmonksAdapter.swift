// Sportmonks sends the whole fixture each time: balls by id, totals, and a table of score ids.

internal import MatchEngine
internal import ScoreTypes

/// Reads Sportmonks' Cricket API v2 (cricket.md B.2).
///
/// A ball's key is its row's id: a missing row is a withdrawn ball, an edited row an amended one. The score of a ball
/// is its `score_id`, whose meaning comes from `/scores`; an id without a meaning refuses the reply.
struct SportmonksAdapter: Adapter {
    /// The includes of a match; the provider allows ten nested ones.
    static let includes =
        "localteam,visitorteam,venue,league,season,lineup,balls,runs,scoreboards,"
        + "batting.batsman,batting.catchstump,batting.runoutby,bowling.bowler"
    /// Days ahead for which matches are listed, so that they can be followed before their day.
    static let daysAhead: Int64 = 7
    /// Days in one list of fixtures, which has a hundred a page.
    static let daysInRequest: Int64 = 2
    var provider: Provider { .sportmonks }

    /// Requests the table of scores; without it the recorded part is used.
    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] {
        [ProviderRequest(part: .scores, path: "/scores", query: token(credentials.key), isOptional: true)]
    }

    /// Keeps token and table; entries of the table that are missing, unreadable or contradicted are doubts.
    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        do throws(AdapterError) {
            let table = try replies.read(SportmonksScoreTable.self, .scores)
            let doubts = table.doubts.map { $0.at(.scores) }
            return ProviderSession(token: credentials.key, tables: replies, doubts: doubts)
        } catch {
            if case .refused = error { throw error.at(.scores) }
            return ProviderSession(token: credentials.key, doubts: [error.at(.scores)])
        }
    }

    /// Requests all live matches, and those from yesterday to a week ahead.
    func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        let include = ProviderRequest.Field("include", "localteam,visitorteam,venue,league")
        let today = now.seconds / 86_400
        var requests = [
            ProviderRequest(part: .live, path: "/livescores", query: token(session.token) + [include])
        ]
        for start in stride(from: today - 1, to: today + Self.daysAhead, by: Int(Self.daysInRequest)) {
            let (first, end) = (ISO8601.day(start), ISO8601.day(start + Self.daysInRequest))
            let part = ReplyPart(rawValue: "fixtures.\(first)")
            let query =
                token(session.token) + [ProviderRequest.Field("filter[starts_between]", "\(first),\(end)"), include]
            for page in 1...min(Self.pages(part, replies), AdapterLimits.fixturePages) {
                let more = page == 1 ? [] : [ProviderRequest.Field("page", "\(page)")]
                requests.append(ProviderRequest(part: part.page(page), path: "/fixtures", query: query + more))
            }
        }
        return requests
    }

    /// The number of pages of a list by its first page; at least 1.
    private static func pages(_ part: ReplyPart, _ replies: ProviderReplies) -> Int {
        let reported = replies[part].flatMap { try? ReplyJSON.read(SportmonksPaging.self, from: $0).count }
        return max(1, reported ?? 1)
    }

    /// Reads both kinds of lists; of a match in both `/livescores` counts.
    func fixtures(
        _ replies: ProviderReplies,
        _ session: ProviderSession
    ) throws(AdapterError) -> FixtureListing {
        var listing = FixtureListing()
        for part in [.live] + replies.parts.filter({ $0.rawValue.hasPrefix("fixtures.") }) {
            let body = try replies.required(part)
            let entries = try AdapterError.within(part) { () throws(AdapterError) in
                try ReplyJSON.read(SportmonksReply<LossyList<SportmonksFixture>>.self, from: body).content()
            }
            listing.add(entries, in: part, fixture)
            // Further pages have the same number.
            let isFirstPage = !part.rawValue.dropFirst("fixtures.".count).contains(".")
            let isCut = isFirstPage && Self.pages(part, replies) > AdapterLimits.fixturePages
            if isCut, part != .live { listing.cut.append(part) }
        }
        listing.fixtures.sort { ($0.startsAt ?? 0, $0.id) < ($1.startsAt ?? 0, $1.id) }
        return try listing.readable()
    }

    /// Requests a fixture with all its rows, and once the squads of teams without a line-up.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        let query = token(session.token) + [ProviderRequest.Field("include", Self.includes)]
        let whole = ProviderRequest(part: .match, path: "/fixtures/\(id)", query: query)
        // A fixture that cannot be read names no team; `snapshot` reports the error.
        guard let fixture = try? replies.read(SportmonksReply<SportmonksFixture>.self, .match).content() else {
            return [whole]
        }
        let squads = SportmonksSquads.missing(of: fixture, replies).map { team, season in
            ProviderRequest(
                part: SportmonksSquads.part(of: team, season: season),
                path: "/teams/\(team)/squad/\(season)",
                query: token(session.token),
                isOptional: true
            )
        }
        return [whole] + squads
    }

    /// Reads a fixture.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot {
        let hasTable = session.tables[.scores] != nil
        let table = hasTable ? try session.tables.read(SportmonksScoreTable.self, .scores) : SportmonksScoreTable()
        let fixture = try replies.read(SportmonksReply<SportmonksFixture>.self, .match).content()
        return try snapshot(of: fixture, table, SportmonksSquads(of: fixture, replies), replies)
    }

    private func snapshot(
        of fixture: SportmonksFixture,
        _ table: SportmonksScoreTable,
        _ squads: SportmonksSquads,
        _ replies: ProviderReplies
    ) throws(AdapterError) -> MatchSnapshot {
        let frame = SportmonksFrame(fixture: fixture, squads: squads)
        let format = try frame.format()
        let people = try SportmonksPeople(fixture, squads)
        let teams = try frame.teams()
        let info = try frame.info(format, teams: teams, people: people)
        let order = SportmonksInningsOrder(format: format)
        let ballReader = SportmonksBallReader(people: people, table: table, order: order)
        let deliveries = try replies.derived(.match) { earlier throws(AdapterError) in
            try SportmonksBalls(fixture.balls?.rows ?? [], ballReader, after: earlier)
        }.deliveries
        let reader = SportmonksInningsReader(
            fixture: fixture,
            people: people,
            table: table,
            order: order,
            ballsPerOver: info.ballsPerOver,
            deliveries: deliveries
        )
        let outcome = SportmonksOutcomeReader(fixture: fixture, people: people, teams: teams, order: order)
        let result = try outcome.result()
        let open = try reader.frames(isBreak: false)
        let status = SportmonksStatus.report(of: fixture, info, open: open, deliveries, result: result)
        let isBreak = status.status == .inningsBreak || status.status == .superOverBreak
        return MatchSnapshot(
            info: info,
            innings: isBreak ? try reader.frames(isBreak: true) : open,
            deliveries: deliveries,
            status: status,
            result: result,
            version: fixture.version
        ).awaitingResult(revisedBy: outcome.sentence.method)
    }

    private func fixture(_ row: SportmonksFixture) -> Fixture {
        Fixture(
            id: ProviderMatchID(unchecked: String(row.id)),
            startsAt: row.startingAt.flatMap(ISO8601.seconds),
            status: SportmonksStatus.word(row.status),
            teams: (try? SportmonksFrame(fixture: row).teams()) ?? [],
            competition: row.league?.thing.name.map(SafeText.clean),
            format: Format(word: row.type),
            venue: row.venue?.thing.name.map(SafeText.clean)
        )
    }

    private func token(_ key: Secret?) -> [ProviderRequest.Field] {
        key.map { [ProviderRequest.Field("api_token", $0.text, isSecret: true)] } ?? []
    }
}

extension ReplyPart {
    /// The table of scores.
    static let scores: ReplyPart = "scores"
    /// The matches in play.
    static let live: ReplyPart = "livescores"
}

extension SportmonksFixture {
    /// The version: the latest time of any total or card in milliseconds since 1970; nil while there is none.
    ///
    /// Balls do not count: after the newest row is deleted the latest time of the others is earlier, and the correction
    /// would be taken for an old copy. The totals change then, too.
    fileprivate var version: Int64? {
        let totals = (runs?.rows.map(\.updatedAt) ?? []) + (scoreboards?.rows.map(\.updatedAt) ?? [])
        let cards = (batting?.rows.map(\.updatedAt) ?? []) + (bowling?.rows.map(\.updatedAt) ?? [])
        // Texts of one format sort like their times.
        return (totals + cards).compactMap { $0 }.max().flatMap(ISO8601.milliseconds)
    }
}
