// The part of a match that changes with every ball: targets, totals, who is in.

internal import MatchEngine

/// The play of a match.
struct RoanuzPlay: FeedReadable {
    let dayNumber: Int?
    let session: FlexibleNumber?
    let oversPerInnings: [Int]?
    let reducedOvers: [Int]?
    let target: Target?
    let result: Result?
    let inningsOrder: [String]?
    let innings: [String: Innings]?
    let live: Live?
    let relatedBalls: [String: RoanuzBall]?

    init(feed: FeedValue) throws(AdapterError) {
        dayNumber = try feed.given("day_number")
        session = try feed.given("session")
        oversPerInnings = try feed.given("overs_per_innings")
        reducedOvers = try feed.given("reduced_overs")
        target = try feed.given("target")
        result = try feed.given("result")
        inningsOrder = try feed.given("innings_order")
        innings = try feed.given("innings")
        live = try feed.given("live")
        relatedBalls = try feed.given("related_balls")
    }

    /// What a side has to reach.
    struct Target: FeedReadable {
        let balls: Int?
        let runs: Int?
        let dlApplied: FlexibleBool?

        init(feed: FeedValue) throws(AdapterError) {
            balls = try feed.given("balls")
            runs = try feed.given("runs")
            dlApplied = try feed.given("dl_applied")
        }
    }

    /// How the match ended.
    struct Result: FeedReadable {
        let pom: [String]?
        let winner: String?
        let resultType: String?
        let msg: String?

        init(feed: FeedValue) throws(AdapterError) {
            pom = try feed.given("pom")
            winner = try feed.given("winner")
            resultType = try feed.given("result_type")
            msg = try feed.given("msg")
        }
    }

    /// The totals of an innings.
    struct Innings: FeedReadable {
        let overs: [Int]?
        let isCompleted: FlexibleBool?
        let score: Score?
        let wickets: Int?
        let extraRuns: Extras?

        init(feed: FeedValue) throws(AdapterError) {
            overs = try feed.given("overs")
            isCompleted = try feed.given("is_completed")
            score = try feed.given("score")
            wickets = try feed.given("wickets")
            extraRuns = try feed.given("extra_runs")
        }

        struct Score: FeedReadable {
            let runs: Int?
            let balls: Int?

            init(feed: FeedValue) throws(AdapterError) {
                runs = try feed.given("runs")
                balls = try feed.given("balls")
            }
        }

        struct Extras: FeedReadable {
            let bye: Int?
            let legBye: Int?
            let wide: Int?
            let noBall: Int?
            let penalty: Int?

            init(feed: FeedValue) throws(AdapterError) {
                bye = try feed.given("bye")
                legBye = try feed.given("leg_bye")
                wide = try feed.given("wide")
                noBall = try feed.given("no_ball")
                penalty = try feed.given("penalty")
            }
        }
    }

    /// Who is in now.
    struct Live: FeedReadable {
        let innings: String?
        let strikerKey: String?
        let nonStrikerKey: String?
        let lastBallKey: String?
        /// Of the day; nobody has seen its form, so one that is no number is passed over.
        let session: FlexibleNumber?

        init(feed: FeedValue) throws(AdapterError) {
            innings = try feed.given("innings")
            strikerKey = try feed.given("striker_key")
            nonStrikerKey = try feed.given("non_striker_key")
            lastBallKey = try feed.given("last_ball_key")
            session = (try? feed.given("session")) ?? nil
        }
    }
}

extension RoanuzMatch {
    /// When the newest of the balls that the match repeats was edited, in seconds since 1970.
    var newestEdit: Double? { play?.relatedBalls?.values.compactMap(\.updatedTime?.value).max() }
}
