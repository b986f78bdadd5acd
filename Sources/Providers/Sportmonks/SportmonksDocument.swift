// The shapes of Sportmonks' replies: a fixture with its includes, each a bare list or one inside `data`.

internal import MatchEngine

/// What a reply holds: `data`, or an error of the provider's own with status 200.
struct SportmonksReply<Content: FeedReadable>: FeedReadable {
    let data: Content?
    let message: String?
    let error: Refusal?

    init(feed: FeedValue) throws(AdapterError) {
        data = try feed.given("data")
        message = try feed.given("message")
        error = try feed.given("error")
    }

    struct Refusal: FeedReadable {
        let message: String?

        init(feed: FeedValue) throws(AdapterError) {
            message = try feed.given("message")
        }
    }

    /// The content.
    func content() throws(AdapterError) -> Content {
        if let data { return data }
        if let reason = error?.message ?? message { throw .refused(path: "error", reason: reason) }
        throw .missing(path: "data")
    }
}

/// How many pages a list has, under either of the names that the provider gives it.
struct SportmonksPaging: FeedReadable {
    /// nil when the reply does not say.
    let count: Int?

    init(feed: FeedValue) throws(AdapterError) {
        guard let meta = try feed.find("meta"), meta.isObject else {
            count = nil
            return
        }
        if let last = try? meta.given("last_page") as Int? {
            count = last
        } else {
            let pagination = try meta.find("pagination")
            count = try pagination.flatMap { $0.isObject ? $0 : nil }?.given("total_pages")
        }
    }
}

/// An include that is a list, bare or inside `data`.
struct SportmonksList<Row: FeedReadable>: FeedReadable {
    let rows: [Row]

    init(feed: FeedValue) throws(AdapterError) { rows = try feed.isList ? [Row](feed: feed) : feed.need("data") }
}

/// An include that is one thing, bare or inside `data`.
struct SportmonksOne<Thing: FeedReadable>: FeedReadable {
    let thing: Thing

    init(feed: FeedValue) throws(AdapterError) { thing = try Thing(feed: feed.find("data") ?? feed) }
}

/// A fixture.
struct SportmonksFixture: FeedReadable {
    let id: Int
    let localteamId: Int
    let visitorteamId: Int
    let seasonId: Int?
    let startingAt: String?
    let type: String
    let status: String
    let note: String?
    let tossWonTeamId: Int?
    let elected: String?
    let winnerTeamId: Int?
    let drawNoresult: Word?
    let manOfMatchId: Int?
    let superOver: FlexibleBool?
    let localteamDlData: RevisedScore?
    let visitorteamDlData: RevisedScore?
    let rpcOvers: FlexibleNumber?
    let rpcTarget: FlexibleNumber?
    let localteam: SportmonksOne<Team>?
    let visitorteam: SportmonksOne<Team>?
    let venue: SportmonksOne<Named>?
    let league: SportmonksOne<Named>?
    let season: SportmonksOne<Named>?
    let lineup: SportmonksList<SportmonksPlayer>?
    let balls: SportmonksList<SportmonksBall>?
    let runs: SportmonksList<SportmonksRuns>?
    let scoreboards: SportmonksList<SportmonksScoreboard>?
    let batting: SportmonksList<SportmonksBatting>?
    let bowling: SportmonksList<SportmonksBowling>?

    init(feed: FeedValue) throws(AdapterError) {
        id = try feed.need("id")
        localteamId = try feed.need("localteam_id")
        visitorteamId = try feed.need("visitorteam_id")
        seasonId = try feed.given("season_id")
        startingAt = try feed.given("starting_at")
        type = try feed.need("type")
        status = try feed.need("status")
        note = try feed.given("note")
        tossWonTeamId = try feed.given("toss_won_team_id")
        elected = try feed.given("elected")
        winnerTeamId = try feed.given("winner_team_id")
        drawNoresult = try feed.given("draw_noresult")
        manOfMatchId = try feed.given("man_of_match_id")
        superOver = try feed.given("super_over")
        localteamDlData = try feed.given("localteam_dl_data")
        visitorteamDlData = try feed.given("visitorteam_dl_data")
        rpcOvers = try feed.given("rpc_overs")
        rpcTarget = try feed.given("rpc_target")
        localteam = try feed.given("localteam")
        visitorteam = try feed.given("visitorteam")
        venue = try feed.given("venue")
        league = try feed.given("league")
        season = try feed.given("season")
        lineup = try feed.given("lineup")
        balls = try feed.given("balls")
        runs = try feed.given("runs")
        scoreboards = try feed.given("scoreboards")
        batting = try feed.given("batting")
        bowling = try feed.given("bowling")
    }

    /// A side.
    struct Team: FeedReadable {
        let id: Int
        let name: String
        let code: String?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.need("id")
            name = try feed.need("name")
            code = try feed.given("code")
        }
    }

    /// Anything of which only the name counts.
    struct Named: FeedReadable {
        let name: String?

        init(feed: FeedValue) throws(AdapterError) {
            name = try feed.given("name")
        }
    }

    /// A target after a revision.
    struct RevisedScore: FeedReadable {
        let score: FlexibleNumber?
        let overs: FlexibleNumber?

        init(feed: FeedValue) throws(AdapterError) {
            score = try feed.given("score")
            overs = try feed.given("overs")
        }
    }

    /// A word, where some replies write a yes or no.
    struct Word: FeedReadable {
        let text: String?

        init(feed: FeedValue) throws(AdapterError) {
            switch feed.plain {
            case .flag(let flag): text = flag ? "true" : nil
            default: text = try String(feed: feed)
            }
        }
    }
}

/// A person.
struct SportmonksPlayer: FeedReadable {
    let id: Int
    let fullname: String?
    let firstname: String?
    let lastname: String?
    let lineup: Place?

    init(feed: FeedValue) throws(AdapterError) {
        id = try feed.need("id")
        fullname = try feed.given("fullname")
        firstname = try feed.given("firstname")
        lastname = try feed.given("lastname")
        lineup = try feed.given("lineup")
    }

    /// His or her part in the match.
    struct Place: FeedReadable {
        let teamId: Int?
        let wicketkeeper: FlexibleBool?
        let substitution: FlexibleBool?

        init(feed: FeedValue) throws(AdapterError) {
            teamId = try feed.given("team_id")
            wicketkeeper = try feed.given("wicketkeeper")
            substitution = try feed.given("substitution")
        }
    }

    /// The name as it is written in full.
    var name: String? {
        if let fullname, !fullname.isEmpty { return fullname }
        let parts = [firstname, lastname].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
