// What this provider tells of a match: names, flags, a sentence, and a total for each innings.

internal import ScoreTypes

/// What stands around every reply.
struct CricketDataEnvelope<Content: FeedReadable>: FeedReadable {
    let status: String
    let reason: String?
    let data: Content?
    let info: Counters?

    init(feed: FeedValue) throws(AdapterError) {
        status = try feed.need("status")
        reason = try feed.given("reason")
        data = try feed.given("data")
        info = try feed.given("info")
    }

    /// The counters of the plan.
    struct Counters: FeedReadable {
        let hitsToday: FlexibleNumber?
        let hitsLimit: FlexibleNumber?
        /// Of a list, on all its pages.
        let totalRows: FlexibleNumber?

        init(feed: FeedValue) throws(AdapterError) {
            hitsToday = try feed.given("hitsToday")
            hitsLimit = try feed.given("hitsLimit")
            totalRows = try feed.given("totalRows")
        }
    }

    /// Reads a reply; the provider's own error comes out as `refused`.
    static func read(_ body: [UInt8], _ part: ReplyPart) throws(AdapterError) -> Content {
        let reply: CricketDataEnvelope
        do throws(AdapterError) {
            reply = try FeedValue.read(CricketDataEnvelope.self, from: body)
        } catch {
            throw error.at(part)
        }
        guard reply.status == "success" else {
            throw .refused(path: "\(part):status", reason: reply.reason ?? reply.status)
        }
        guard let data = reply.data else { throw .missing(path: "\(part):data") }
        return data
    }
}

/// One match, in a list or alone.
struct CricketDataMatch: FeedReadable {
    let id: String
    let matchType: String?
    let status: String?
    let venue: String?
    let date: String?
    let dateTimeGMT: String?
    let teams: [String]
    let teamInfo: [Team]?
    let score: [Total]?
    let tossWinner: String?
    let tossChoice: String?
    let matchWinner: String?
    let hasStarted: FlexibleBool?
    let hasEnded: FlexibleBool?

    init(feed: FeedValue) throws(AdapterError) {
        id = try feed.need("id")
        matchType = try feed.given("matchType")
        status = try feed.given("status")
        venue = try feed.given("venue")
        date = try feed.given("date")
        dateTimeGMT = try feed.given("dateTimeGMT")
        teams = try feed.need("teams")
        teamInfo = try feed.given("teamInfo")
        score = try feed.given("score")
        tossWinner = try feed.given("tossWinner")
        tossChoice = try feed.given("tossChoice")
        matchWinner = try feed.given("matchWinner")
        hasStarted = try feed.given("matchStarted")
        hasEnded = try feed.given("matchEnded")
    }

    /// A team's names.
    struct Team: FeedReadable {
        let name: String?
        let shortName: String?

        init(feed: FeedValue) throws(AdapterError) {
            name = try feed.given("name")
            shortName = try feed.given("shortname")
        }
    }

    /// The total of one innings.
    struct Total: FeedReadable {
        let runs: FlexibleNumber
        let wickets: FlexibleNumber
        /// `47.4`: what stands behind the point counts balls.
        let overs: FlexibleNumber
        /// `England Women Inning 1`.
        let inning: String

        init(feed: FeedValue) throws(AdapterError) {
            runs = try feed.need("r")
            wickets = try feed.need("w")
            overs = try feed.need("o")
            inning = try feed.need("inning")
        }
    }
}

/// What a number of a reply may be at most; beyond it the reply is a mistake or an attack.
enum CricketDataLimits {
    /// Innings with super overs.
    static let inningsMax = 40
    /// Runs of an innings.
    static let runsMax = 99_999
    /// Overs of an innings; the longest ever had 335.
    static let oversMax = 9_999
    /// Matches in one list; a page has 25.
    static let matchesMax = 10_000
}
