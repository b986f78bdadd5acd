// The shapes of Roanuz' replies: signing in, and a match with its play.

internal import MatchEngine

/// What every reply holds: `data`, or an error of the provider's own, and when it was made.
struct RoanuzReply<Content: FeedReadable>: FeedReadable {
    let data: Content?
    let error: Refusal?
    let cache: Cache?

    init(feed: FeedValue) throws(AdapterError) {
        data = try feed.given("data")
        error = try feed.given("error")
        cache = try feed.given("cache")
    }

    struct Refusal: FeedReadable {
        let code: String?
        let msg: String?

        init(feed: FeedValue) throws(AdapterError) {
            code = try feed.given("code")
            msg = try feed.given("msg")
        }
    }

    /// Until when the reply may be kept, from which follows when it was made.
    struct Cache: FeedReadable {
        let expires: FlexibleNumber?
        let maxAge: FlexibleNumber?

        init(feed: FeedValue) throws(AdapterError) {
            expires = try feed.given("expires")
            maxAge = try feed.given("max_age")
        }
    }

    /// The content.
    func content() throws(AdapterError) -> Content {
        if let error { throw .refused(path: "error", reason: error.code ?? error.msg ?? "no reason") }
        guard let data else { throw .missing(path: "data") }
        return data
    }

    /// When the reply was made, in milliseconds since 1970.
    var madeAt: Int64? {
        guard let expires = cache?.expires?.value else { return nil }
        return Int64(exactly: ((expires - (cache?.maxAge?.value ?? 0)) * 1_000).rounded())
    }
}

/// What signing in brings.
struct RoanuzToken: FeedReadable {
    let token: String
    let expires: FlexibleNumber?

    init(feed: FeedValue) throws(AdapterError) {
        token = try feed.need("token")
        expires = try feed.given("expires")
    }
}

/// A match, as lists and the match itself have it.
struct RoanuzMatch: FeedReadable {
    let key: String
    let name: String?
    let status: String?
    let playStatus: String?
    let startAt: FlexibleNumber?
    let tournament: Named?
    let association: Association?
    let metricGroup: String?
    let teams: Sides<Team>?
    let venue: Named?
    let gender: String?
    let format: String?
    let toss: Toss?
    let play: RoanuzPlay?
    let players: [String: Entry]?
    let squad: Sides<Squad>?
    let dataReview: Review?
    let dataReviewCheckpoint: String?

    init(feed: FeedValue) throws(AdapterError) {
        key = try feed.need("key")
        name = try feed.given("name")
        status = try feed.given("status")
        playStatus = try feed.given("play_status")
        startAt = try feed.given("start_at")
        tournament = try feed.given("tournament")
        association = try feed.given("association")
        metricGroup = try feed.given("metric_group")
        teams = try feed.given("teams")
        venue = try feed.given("venue")
        gender = try feed.given("gender")
        format = try feed.given("format")
        toss = try feed.given("toss")
        play = try feed.given("play")
        players = try feed.given("players")
        squad = try feed.given("squad")
        dataReview = try feed.given("data_review")
        dataReviewCheckpoint = try feed.given("data_review_checkpoint")
    }

    /// One thing for each side.
    struct Sides<Thing: FeedReadable>: FeedReadable {
        let a: Thing
        let b: Thing

        init(feed: FeedValue) throws(AdapterError) {
            a = try feed.need("a")
            b = try feed.need("b")
        }

        subscript(side: Side) -> Thing { side == .first ? a : b }
    }

    /// Anything of which only the name counts.
    struct Named: FeedReadable {
        let name: String?

        init(feed: FeedValue) throws(AdapterError) {
            name = try feed.given("name")
        }
    }

    /// The body that holds the match.
    struct Association: FeedReadable {
        let code: String?

        init(feed: FeedValue) throws(AdapterError) {
            code = try feed.given("code")
        }
    }

    /// A side.
    struct Team: FeedReadable {
        let key: String
        let code: String?
        let name: String
        let countryCode: String?

        init(feed: FeedValue) throws(AdapterError) {
            key = try feed.need("key")
            code = try feed.given("code")
            name = try feed.need("name")
            countryCode = try feed.given("country_code")
        }
    }

    /// The toss.
    struct Toss: FeedReadable {
        let winner: String?
        let elected: String?

        init(feed: FeedValue) throws(AdapterError) {
            winner = try feed.given("winner")
            elected = try feed.given("elected")
        }
    }

    /// A person and what he or she did in each innings of the side, by number.
    struct Entry: FeedReadable {
        let player: Person?
        let score: [String: Score]?

        init(feed: FeedValue) throws(AdapterError) {
            player = try feed.given("player")
            score = try feed.given("score")
        }

        struct Person: FeedReadable {
            let name: String?

            init(feed: FeedValue) throws(AdapterError) {
                name = try feed.given("name")
            }
        }

        struct Score: FeedReadable {
            let batting: Batting?

            init(feed: FeedValue) throws(AdapterError) {
                batting = try feed.given("batting")
            }
        }

        struct Batting: FeedReadable {
            let dismissal: Dismissal?

            init(feed: FeedValue) throws(AdapterError) {
                dismissal = try feed.given("dismissal")
            }
        }

        struct Dismissal: FeedReadable {
            let teamRuns: Int?
            let msg: String?
            let ballKey: String?

            init(feed: FeedValue) throws(AdapterError) {
                teamRuns = try feed.given("team_runs")
                msg = try feed.given("msg")
                ballKey = try feed.given("ball_key")
            }
        }
    }

    /// Those named for a side.
    struct Squad: FeedReadable {
        let playerKeys: [String]?
        let keeper: String?
        let playingXi: [String]?

        init(feed: FeedValue) throws(AdapterError) {
            playerKeys = try feed.given("player_keys")
            keeper = try feed.given("keeper")
            playingXi = try feed.given("playing_xi")
        }
    }

    /// How far people of the provider have checked the card.
    struct Review: FeedReadable {
        let score: FlexibleBool?
        let scoreReviewedBallIndex: [IndexPart]?

        init(feed: FeedValue) throws(AdapterError) {
            score = try feed.given("score")
            scoreReviewedBallIndex = try feed.given("score_reviewed_ball_index")
        }

        /// `["b_1", [19, 6]]`: an innings, and the over and ball in it.
        enum IndexPart: FeedReadable {
            case innings(String)
            case label([Int])
            case other

            init(feed: FeedValue) throws(AdapterError) {
                if case .text(let text) = feed.plain {
                    self = .innings(text)
                } else {
                    self = (try? [Int](feed: feed)).map(Self.label) ?? .other
                }
            }
        }
    }
}

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

        init(feed: FeedValue) throws(AdapterError) {
            innings = try feed.given("innings")
            strikerKey = try feed.given("striker_key")
            nonStrikerKey = try feed.given("non_striker_key")
            lastBallKey = try feed.given("last_ball_key")
        }
    }
}
