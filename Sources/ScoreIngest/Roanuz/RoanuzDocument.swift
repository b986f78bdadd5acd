// The shapes of Roanuz' replies: signing in, and a match with its play.

internal import MatchEngine

/// What every reply holds: `data`, or an error of the provider's own, and when it was made.
struct RoanuzReply<Content: Decodable & Sendable>: Decodable, Sendable {
    let data: Content?
    let error: Refusal?
    let cache: Cache?

    struct Refusal: Decodable {
        let code: String?
        let msg: String?
    }

    /// Until when the reply may be kept, from which follows when it was made.
    struct Cache: Decodable {
        let expires: FlexibleNumber?
        let maxAge: FlexibleNumber?

        private enum CodingKeys: String, CodingKey {
            case expires
            case maxAge = "max_age"
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
struct RoanuzToken: Decodable {
    let token: String
    let expires: FlexibleNumber?
}

/// A match, as lists and the match itself have it.
struct RoanuzMatch: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case key, name, status, tournament, association, teams, venue, gender, format, toss, play, players, squad
        case playStatus = "play_status"
        case startAt = "start_at"
        case metricGroup = "metric_group"
        case dataReview = "data_review"
        case dataReviewCheckpoint = "data_review_checkpoint"
    }

    /// One thing for each side.
    struct Sides<Thing: Decodable & Sendable>: Decodable, Sendable {
        let a: Thing
        let b: Thing

        subscript(side: Side) -> Thing { side == .first ? a : b }
    }

    /// Anything of which only the name counts.
    struct Named: Decodable, Sendable {
        let name: String?
    }

    /// The body that holds the match.
    struct Association: Decodable, Sendable {
        let code: String?
    }

    /// A side.
    struct Team: Decodable, Sendable {
        let key: String
        let code: String?
        let name: String
        let countryCode: String?

        private enum CodingKeys: String, CodingKey {
            case key, code, name
            case countryCode = "country_code"
        }
    }

    /// The toss.
    struct Toss: Decodable, Sendable {
        let winner: String?
        let elected: String?
    }

    /// A person and what he or she did in each innings of the side, by number.
    struct Entry: Decodable, Sendable {
        let player: Person?
        let score: [String: Score]?

        struct Person: Decodable, Sendable {
            let name: String?
        }

        struct Score: Decodable, Sendable {
            let batting: Batting?
        }

        struct Batting: Decodable, Sendable {
            let dismissal: Dismissal?
        }

        struct Dismissal: Decodable, Sendable {
            let teamRuns: Int?
            let msg: String?
            let ballKey: String?

            private enum CodingKeys: String, CodingKey {
                case msg
                case teamRuns = "team_runs"
                case ballKey = "ball_key"
            }
        }
    }

    /// Those named for a side.
    struct Squad: Decodable, Sendable {
        let playerKeys: [String]?
        let keeper: String?
        let playingXi: [String]?

        private enum CodingKeys: String, CodingKey {
            case keeper
            case playerKeys = "player_keys"
            case playingXi = "playing_xi"
        }
    }

    /// How far people of the provider have checked the card.
    struct Review: Decodable, Sendable {
        let score: FlexibleBool?
        let scoreReviewedBallIndex: [IndexPart]?

        private enum CodingKeys: String, CodingKey {
            case score
            case scoreReviewedBallIndex = "score_reviewed_ball_index"
        }

        /// `["b_1", [19, 6]]`: an innings, and the over and ball in it.
        enum IndexPart: Decodable, Sendable {
            case innings(String)
            case label([Int])
            case other

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                if let text = try? container.decode(String.self) {
                    self = .innings(text)
                } else if let numbers = try? container.decode([Int].self) {
                    self = .label(numbers)
                } else {
                    self = .other
                }
            }
        }
    }
}

/// The play of a match.
struct RoanuzPlay: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case session, target, result, innings, live
        case dayNumber = "day_number"
        case oversPerInnings = "overs_per_innings"
        case reducedOvers = "reduced_overs"
        case inningsOrder = "innings_order"
        case relatedBalls = "related_balls"
    }

    /// What a side has to reach.
    struct Target: Decodable, Sendable {
        let balls: Int?
        let runs: Int?
        let dlApplied: FlexibleBool?

        private enum CodingKeys: String, CodingKey {
            case balls, runs
            case dlApplied = "dl_applied"
        }
    }

    /// How the match ended.
    struct Result: Decodable, Sendable {
        let pom: [String]?
        let winner: String?
        let resultType: String?
        let msg: String?

        private enum CodingKeys: String, CodingKey {
            case pom, winner, msg
            case resultType = "result_type"
        }
    }

    /// The totals of an innings.
    struct Innings: Decodable, Sendable {
        let overs: [Int]?
        let isCompleted: FlexibleBool?
        let score: Score?
        let wickets: Int?
        let extraRuns: Extras?

        private enum CodingKeys: String, CodingKey {
            case overs, score, wickets
            case isCompleted = "is_completed"
            case extraRuns = "extra_runs"
        }

        struct Score: Decodable, Sendable {
            let runs: Int?
            let balls: Int?
        }

        struct Extras: Decodable, Sendable {
            let bye: Int?
            let legBye: Int?
            let wide: Int?
            let noBall: Int?
            let penalty: Int?

            private enum CodingKeys: String, CodingKey {
                case bye, wide, penalty
                case legBye = "leg_bye"
                case noBall = "no_ball"
            }
        }
    }

    /// Who is in now.
    struct Live: Decodable, Sendable {
        let innings: String?
        let strikerKey: String?
        let nonStrikerKey: String?
        let lastBallKey: String?

        private enum CodingKeys: String, CodingKey {
            case innings
            case strikerKey = "striker_key"
            case nonStrikerKey = "non_striker_key"
            case lastBallKey = "last_ball_key"
        }
    }
}
