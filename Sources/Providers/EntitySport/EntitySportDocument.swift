// What this provider says of a match beside its balls: `info` before play, `scorecard` from then on, with equal names.

internal import MatchEngine

/// The reply to `/matches/{id}/info` or `/matches/{id}/scorecard`, and one item of `/matches`.
struct EntitySportMatch: FeedReadable {
    let matchID: FlexibleNumber
    let format: EntitySportNumber?
    let formatText: String?
    let status: FlexibleNumber
    let statusNote: String?
    let gameState: EntitySportNumber?
    let gameStateText: String?
    let competition: Competition?
    let teamA: Team
    let teamB: Team
    let dateStart: String?
    let dateEnd: String?
    let timestampStart: EntitySportNumber?
    let venue: Venue?
    let result: String?
    let winningTeamID: EntitySportNumber?
    let manOfTheMatch: Person?
    let latestInning: EntitySportNumber?
    let toss: Toss?
    let innings: [EntitySportInning]?
    let players: [EntitySportPlayer]?

    init(feed: FeedValue) throws(AdapterError) {
        matchID = try feed.need("match_id")
        format = try feed.given("format")
        formatText = try feed.given("format_str")
        status = try feed.need("status")
        statusNote = try feed.given("status_note")
        gameState = try feed.given("game_state")
        gameStateText = try feed.given("game_state_str")
        competition = try feed.given("competition")
        teamA = try feed.need("teama")
        teamB = try feed.need("teamb")
        dateStart = try feed.given("date_start")
        dateEnd = try feed.given("date_end")
        timestampStart = try feed.given("timestamp_start")
        venue = try feed.given("venue")
        result = try feed.given("result")
        winningTeamID = try feed.given("winning_team_id")
        manOfTheMatch = try feed.given("man_of_the_match")
        latestInning = try feed.given("latest_inning_number")
        toss = try feed.given("toss")
        innings = try feed.given("innings")
        players = try feed.given("players")
    }

    struct Competition: FeedReadable {
        let title: String?
        let season: FlexibleText?
        let category: String?

        init(feed: FeedValue) throws(AdapterError) {
            title = try feed.given("title")
            season = try feed.given("season")
            category = try feed.given("category")
        }
    }

    struct Team: FeedReadable {
        let id: FlexibleNumber
        let name: String
        let shortName: String?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.need("team_id")
            name = try feed.need("name")
            shortName = try feed.given("short_name")
        }
    }

    struct Venue: FeedReadable {
        let name: String?

        init(feed: FeedValue) throws(AdapterError) {
            name = try feed.given("name")
        }
    }

    struct Toss: FeedReadable {
        let winner: EntitySportNumber?
        let decision: EntitySportNumber?

        init(feed: FeedValue) throws(AdapterError) {
            winner = try feed.given("winner")
            decision = try feed.given("decision")
        }
    }

    /// Somebody who is honoured; an empty text when nobody is.
    struct Person: FeedReadable {
        let name: String?

        init(feed: FeedValue) throws(AdapterError) { name = try feed.isObject ? feed.given("name") : nil }
    }

    /// Whether play is on, paused or over: then there is a scorecard.
    var hasCard: Bool {
        status.whole == 3 || status.whole == 2 || status.whole == 4 && (latestInning?.whole ?? 0) > 0
    }
}

/// One player as every reply lists them.
struct EntitySportPlayer: FeedReadable {
    let id: FlexibleNumber
    let title: String?
    let shortName: String?

    init(feed: FeedValue) throws(AdapterError) {
        id = try feed.need("pid")
        title = try feed.given("title")
        shortName = try feed.given("short_name")
    }
}

/// The frame and the rows of one innings; stands in the scorecard and beside the balls.
struct EntitySportInning: FeedReadable, Hashable {
    let number: FlexibleNumber
    let status: EntitySportNumber?
    let result: EntitySportNumber?
    let isSuperOver: EntitySportFlag?
    let battingTeamID: FlexibleNumber
    let scoresFull: String?
    let target: EntitySportNumber?
    let maxOver: EntitySportNumber?
    let batsmen: [Batsman]?
    let extras: Extras?

    init(feed: FeedValue) throws(AdapterError) {
        number = try feed.need("number")
        status = try feed.given("status")
        result = try feed.given("result")
        isSuperOver = try feed.given("issuperover")
        battingTeamID = try feed.need("batting_team_id")
        scoresFull = try feed.given("scores_full")
        target = try feed.given("target")
        maxOver = try feed.given("max_over")
        batsmen = try feed.given("batsmen")
        extras = try feed.given("extra_runs")
    }

    /// A row of the batting card, in the order of coming in.
    struct Batsman: FeedReadable, Hashable {
        let id: FlexibleNumber
        /// `striker` or `non-striker` of those who are in.
        let position: String?
        let runs: EntitySportNumber?
        let balls: EntitySportNumber?
        let howOut: String?
        let dismissal: String?
        let firstFielder: EntitySportNumber?
        let secondFielder: EntitySportNumber?
        let thirdFielder: EntitySportNumber?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.need("batsman_id")
            position = try feed.given("position")
            runs = try feed.given("runs")
            balls = try feed.given("balls_faced")
            howOut = try feed.given("how_out")
            dismissal = try feed.given("dismissal")
            firstFielder = try feed.given("first_fielder_id")
            secondFielder = try feed.given("second_fielder_id")
            thirdFielder = try feed.given("third_fielder_id")
        }

        /// Ids of those who had a part in it, in order.
        var fielders: [Int] {
            [firstFielder, secondFielder, thirdFielder].compactMap { $0?.whole }.filter { $0 > 0 }
        }
    }

    /// Runs that no batter made.
    struct Extras: FeedReadable, Hashable {
        let penalty: EntitySportNumber?

        init(feed: FeedValue) throws(AdapterError) {
            penalty = try feed.given("penalty")
        }
    }

    /// Whether the provider calls it complete.
    var isComplete: Bool { status?.whole == 2 }

    /// Whether a card shows the same score as the balls that are held, so that they need not be asked for again.
    func tellsTheSame(as other: EntitySportInning) -> Bool {
        status == other.status && result == other.result && scoresFull == other.scoresFull
            && batsmen?.map(\.line) == other.batsmen?.map(\.line)
    }
}

extension EntitySportInning.Batsman {
    /// What a correction of a ball would change.
    fileprivate var line: [String] {
        [id.value.description, runs?.value?.description ?? "", balls?.value?.description ?? "", howOut ?? ""]
    }
}
