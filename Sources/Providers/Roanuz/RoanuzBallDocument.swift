// The shapes of a page of balls: one over as Roanuz tells it.

internal import MatchEngine

/// One over of balls, and the keys of the overs around it.
struct RoanuzPage: FeedReadable {
    let over: Over?
    let previousOverKey: String?
    let nextOverKey: String?

    init(feed: FeedValue) throws(AdapterError) {
        over = try feed.given("over")
        previousOverKey = try feed.given("previous_over_key")
        nextOverKey = try feed.given("next_over_key")
    }

    struct Over: FeedReadable {
        let index: Index
        let balls: [RoanuzBall]

        init(feed: FeedValue) throws(AdapterError) {
            index = try feed.need("index")
            balls = try feed.need("balls")
        }
    }

    struct Index: FeedReadable {
        let innings: String
        let overNumber: Int

        init(feed: FeedValue) throws(AdapterError) {
            innings = try feed.need("innings")
            overNumber = try feed.need("over_number")
        }
    }
}

/// A ball, or something that happened between two.
struct RoanuzBall: FeedReadable {
    let key: String
    let ballType: String
    let innings: String
    /// Over from 0 and ball from 1.
    let overs: [Int]
    let batsman: Batsman
    let bowler: Bowler
    let teamScore: Score
    let fielders: [Fielder]?
    let wicket: Wicket?
    let nonStrikerKey: String?
    let entryTime: FlexibleNumber?
    let updatedTime: FlexibleNumber?
    let ballPlayStatus: String?

    init(feed: FeedValue) throws(AdapterError) {
        key = try feed.need("key")
        ballType = try feed.need("ball_type")
        innings = try feed.need("innings")
        overs = try feed.need("overs")
        batsman = try feed.need("batsman")
        bowler = try feed.need("bowler")
        teamScore = try feed.need("team_score")
        fielders = try feed.given("fielders")
        wicket = try feed.given("wicket")
        nonStrikerKey = try feed.given("non_striker_key")
        entryTime = try feed.given("entry_time")
        updatedTime = try feed.given("updated_time")
        ballPlayStatus = try feed.given("ball_play_status")
    }

    struct Batsman: FeedReadable {
        let playerKey: String
        let runs: Int
        let ballCount: Int?
        let isFour: FlexibleBool?
        let isSix: FlexibleBool?

        init(feed: FeedValue) throws(AdapterError) {
            playerKey = try feed.need("player_key")
            runs = try feed.need("runs")
            ballCount = try feed.given("ball_count")
            isFour = try feed.given("is_four")
            isSix = try feed.given("is_six")
        }
    }

    struct Bowler: FeedReadable {
        let playerKey: String?
        let ballCount: Int
        let extras: Int

        init(feed: FeedValue) throws(AdapterError) {
            playerKey = try feed.given("player_key")
            ballCount = try feed.need("ball_count")
            extras = try feed.need("extras")
        }
    }

    struct Score: FeedReadable {
        let runs: Int
        let extras: Int
        let ballCount: Int
        /// Whether somebody is out: who retires may not be.
        let isWicket: FlexibleBool?

        init(feed: FeedValue) throws(AdapterError) {
            runs = try feed.need("runs")
            extras = try feed.need("extras")
            ballCount = try feed.need("ball_count")
            isWicket = try feed.given("is_wicket")
        }
    }

    struct Fielder: FeedReadable {
        let playerKey: String?

        init(feed: FeedValue) throws(AdapterError) {
            playerKey = try feed.given("player_key")
        }
    }

    struct Wicket: FeedReadable {
        let playerKey: String
        let wicketType: String

        init(feed: FeedValue) throws(AdapterError) {
            playerKey = try feed.need("player_key")
            wicketType = try feed.need("wicket_type")
        }
    }
}
