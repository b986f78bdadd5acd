// The rows of a fixture: its balls, and the totals and cards that stand beside them.

/// A ball, or something that happened between two.
struct SportmonksBall: FeedReadable {
    let id: Int
    let teamId: Int
    /// A label such as 0.2: neither an identity nor an order.
    let ball: FlexibleNumber
    let scoreboard: String
    let batsmanOneOnCreezeId: Int?
    let batsmanTwoOnCreezeId: Int?
    let batsmanId: Int
    let bowlerId: Int
    let batsmanoutId: Int?
    let catchstumpId: Int?
    let runoutById: Int?
    let scoreId: Int
    let score: SportmonksOne<SportmonksScore>?
    let updatedAt: String?

    static var isRow: Bool { true }

    init(feed: FeedValue) throws(AdapterError) {
        id = try feed.need("id")
        teamId = try feed.need("team_id")
        ball = try feed.need("ball")
        scoreboard = try feed.need("scoreboard")
        batsmanOneOnCreezeId = try feed.given("batsman_one_on_creeze_id")
        batsmanTwoOnCreezeId = try feed.given("batsman_two_on_creeze_id")
        batsmanId = try feed.need("batsman_id")
        bowlerId = try feed.need("bowler_id")
        batsmanoutId = try feed.given("batsmanout_id")
        catchstumpId = try feed.given("catchstump_id")
        runoutById = try feed.given("runout_by_id")
        scoreId = try feed.need("score_id")
        score = try feed.given("score")
        updatedAt = try feed.given("updated_at")
    }
}

/// An entry of the table that says what a score id means.
struct SportmonksScore: FeedReadable, Hashable {
    let id: Int
    let name: String
    let runs: Int
    let four: FlexibleBool
    let six: FlexibleBool
    let bye: Int
    let legBye: Int
    let noball: Int
    let noballRuns: Int
    let isWicket: FlexibleBool
    let ball: FlexibleBool
    let out: FlexibleBool

    init(feed: FeedValue) throws(AdapterError) {
        id = try feed.need("id")
        name = try feed.need("name")
        runs = try feed.need("runs")
        four = try feed.need("four")
        six = try feed.need("six")
        bye = try feed.need("bye")
        legBye = try feed.need("leg_bye")
        noball = try feed.need("noball")
        noballRuns = try feed.need("noball_runs")
        isWicket = try feed.need("is_wicket")
        ball = try feed.need("ball")
        out = try feed.need("out")
    }
}

/// The total of one innings.
struct SportmonksRuns: FeedReadable {
    let teamId: Int
    let inning: Int
    let score: Int?
    let wickets: Int?
    let overs: FlexibleNumber?
    let pp1: String?
    let pp2: String?
    let pp3: String?
    let updatedAt: String?

    init(feed: FeedValue) throws(AdapterError) {
        teamId = try feed.need("team_id")
        inning = try feed.need("inning")
        score = try feed.given("score")
        wickets = try feed.given("wickets")
        overs = try feed.given("overs")
        pp1 = try feed.given("pp1")
        pp2 = try feed.given("pp2")
        pp3 = try feed.given("pp3")
        updatedAt = try feed.given("updated_at")
    }
}

/// Extras or the total of one innings.
struct SportmonksScoreboard: FeedReadable {
    let teamId: Int
    /// `extra` or `total`.
    let type: String
    let scoreboard: String
    let wide: Int?
    let noballRuns: Int?
    let bye: Int?
    let legBye: Int?
    let penalty: Int?
    let total: Int?
    let updatedAt: String?

    init(feed: FeedValue) throws(AdapterError) {
        teamId = try feed.need("team_id")
        type = try feed.need("type")
        scoreboard = try feed.need("scoreboard")
        wide = try feed.given("wide")
        noballRuns = try feed.given("noball_runs")
        bye = try feed.given("bye")
        legBye = try feed.given("leg_bye")
        penalty = try feed.given("penalty")
        total = try feed.given("total")
        updatedAt = try feed.given("updated_at")
    }
}

/// A batter's row of the card.
struct SportmonksBatting: FeedReadable {
    let teamId: Int
    let scoreboard: String
    let playerId: Int
    /// How the batter left, by the table of scores; absent while in.
    let wicketId: Int?
    let ball: Int?
    let score: Int?
    let fourX: Int?
    let sixX: Int?
    let fowScore: Int?
    let fowBalls: FlexibleNumber?
    let batsman: SportmonksOne<SportmonksPlayer>?
    let catchstump: SportmonksOne<SportmonksPlayer>?
    let runoutby: SportmonksOne<SportmonksPlayer>?
    let updatedAt: String?

    init(feed: FeedValue) throws(AdapterError) {
        teamId = try feed.need("team_id")
        scoreboard = try feed.need("scoreboard")
        playerId = try feed.need("player_id")
        wicketId = try feed.given("wicket_id")
        ball = try feed.given("ball")
        score = try feed.given("score")
        fourX = try feed.given("four_x")
        sixX = try feed.given("six_x")
        fowScore = try feed.given("fow_score")
        fowBalls = try feed.given("fow_balls")
        batsman = try feed.given("batsman")
        catchstump = try feed.given("catchstump")
        runoutby = try feed.given("runoutby")
        updatedAt = try feed.given("updated_at")
    }
}

/// A bowler's row of the card.
struct SportmonksBowling: FeedReadable {
    let teamId: Int
    let scoreboard: String
    let playerId: Int
    let overs: FlexibleNumber?
    /// Maidens.
    let medians: Int?
    let runs: Int?
    let wickets: Int?
    /// Runs of wides, not their number.
    let wide: Int?
    let noball: Int?
    let bowler: SportmonksOne<SportmonksPlayer>?
    let updatedAt: String?

    init(feed: FeedValue) throws(AdapterError) {
        teamId = try feed.need("team_id")
        scoreboard = try feed.need("scoreboard")
        playerId = try feed.need("player_id")
        overs = try feed.given("overs")
        medians = try feed.given("medians")
        runs = try feed.given("runs")
        wickets = try feed.given("wickets")
        wide = try feed.given("wide")
        noball = try feed.given("noball")
        bowler = try feed.given("bowler")
        updatedAt = try feed.given("updated_at")
    }
}
