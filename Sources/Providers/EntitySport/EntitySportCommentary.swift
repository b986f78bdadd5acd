// The balls of an innings as this provider tells them: a list of events without ids.

/// The reply to `/matches/{id}/innings/{n}/commentary`.
struct EntitySportCommentary: FeedReadable {
    let inning: EntitySportInning
    let events: [Event]
    let players: [EntitySportPlayer]?

    init(feed: FeedValue) throws(AdapterError) {
        inning = try feed.need("inning")
        events = try feed.need("commentaries")
        players = try feed.given("players")
    }

    /// Most events of one innings; the longest ever had some 2,000 balls.
    static let eventsMax = 8_000

    /// `ball`, `wicket` or `overend`; the last has no ball.
    struct Event: FeedReadable {
        let event: String
        let batsmanID: EntitySportNumber?
        let bowlerID: EntitySportNumber?
        let over: EntitySportNumber?
        let ball: EntitySportNumber?
        let score: Score?
        let timestamp: EntitySportNumber?
        let run: EntitySportNumber?
        let batRun: EntitySportNumber?
        let wideRun: EntitySportNumber?
        let noBallRun: EntitySportNumber?
        let byeRun: EntitySportNumber?
        let legByeRun: EntitySportNumber?
        let isNoBall: EntitySportFlag?
        let isWide: EntitySportFlag?
        let isFour: EntitySportFlag?
        let isSix: EntitySportFlag?
        let batsmen: [Bat]?
        let wicketBatsmanID: EntitySportNumber?
        let howOut: String?

        static var isRow: Bool { true }

        init(feed: FeedValue) throws(AdapterError) {
            event = try feed.need("event")
            batsmanID = try feed.given("batsman_id")
            bowlerID = try feed.given("bowler_id")
            over = try feed.given("over")
            ball = try feed.given("ball")
            score = try feed.given("score")
            timestamp = try feed.given("timestamp")
            run = try feed.given("run")
            batRun = try feed.given("bat_run")
            wideRun = try feed.given("wide_run")
            noBallRun = try feed.given("noball_run")
            byeRun = try feed.given("bye_run")
            legByeRun = try feed.given("legbye_run")
            isNoBall = try feed.given("noball")
            isWide = try feed.given("wideball")
            isFour = try feed.given("four")
            isSix = try feed.given("six")
            batsmen = try feed.given("batsmen")
            wicketBatsmanID = try feed.given("wicket_batsman_id")
            howOut = try feed.given("how_out")
        }
    }

    /// Somebody at the crease.
    struct Bat: FeedReadable {
        let id: EntitySportNumber?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.given("batsman_id")
        }
    }

    /// `4`, `"4"`, `"1lb"`, `"w"`.
    enum Score: FeedReadable, Hashable {
        case runs(Int)
        case text(String)

        init(feed: FeedValue) throws(AdapterError) {
            self = try feed.isText ? .text(String(feed: feed)) : .runs(Int(feed: feed))
        }
    }
}

/// The reply to `/matches/{id}/squads`.
struct EntitySportSquads: FeedReadable {
    let teamA: Squad
    let teamB: Squad
    let players: [EntitySportPlayer]?

    init(feed: FeedValue) throws(AdapterError) {
        teamA = try feed.need("teama")
        teamB = try feed.need("teamb")
        players = try feed.given("players")
    }

    /// Those of one side.
    struct Squad: FeedReadable {
        let teamID: FlexibleNumber
        let squads: [Member]?

        init(feed: FeedValue) throws(AdapterError) {
            teamID = try feed.need("team_id")
            squads = try feed.given("squads")
        }

        /// Those named to play.
        var playing: [Member] { (squads ?? []).filter { $0.isPlaying?.value == true } }
    }

    /// One of a squad.
    struct Member: FeedReadable {
        let id: FlexibleNumber
        let role: String?
        let isPlaying: EntitySportFlag?

        init(feed: FeedValue) throws(AdapterError) {
            id = try feed.need("player_id")
            role = try feed.given("role")
            isPlaying = try feed.given("playing11")
        }
    }
}
