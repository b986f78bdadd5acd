// The shapes of a page of balls: one over as Roanuz tells it.

internal import MatchEngine

/// One over of balls, and the keys of the overs around it.
struct RoanuzPage: Decodable, Sendable {
    let over: Over?
    let previousOverKey: String?
    let nextOverKey: String?

    private enum CodingKeys: String, CodingKey {
        case over
        case previousOverKey = "previous_over_key"
        case nextOverKey = "next_over_key"
    }

    struct Over: Decodable, Sendable {
        let index: Index
        let balls: [RoanuzBall]
    }

    struct Index: Decodable, Sendable {
        let innings: String
        let overNumber: Int

        private enum CodingKeys: String, CodingKey {
            case innings
            case overNumber = "over_number"
        }
    }
}

/// A ball, or something that happened between two.
struct RoanuzBall: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case key, innings, overs, batsman, bowler, fielders, wicket
        case ballType = "ball_type"
        case teamScore = "team_score"
        case nonStrikerKey = "non_striker_key"
        case entryTime = "entry_time"
        case updatedTime = "updated_time"
        case ballPlayStatus = "ball_play_status"
    }

    struct Batsman: Decodable, Sendable {
        let playerKey: String
        let runs: Int
        let isFour: FlexibleBool?
        let isSix: FlexibleBool?

        private enum CodingKeys: String, CodingKey {
            case runs
            case playerKey = "player_key"
            case isFour = "is_four"
            case isSix = "is_six"
        }
    }

    struct Bowler: Decodable, Sendable {
        let playerKey: String?
        let ballCount: Int
        let extras: Int

        private enum CodingKeys: String, CodingKey {
            case extras
            case playerKey = "player_key"
            case ballCount = "ball_count"
        }
    }

    struct Score: Decodable, Sendable {
        let runs: Int
        let extras: Int
        let ballCount: Int

        private enum CodingKeys: String, CodingKey {
            case runs, extras
            case ballCount = "ball_count"
        }
    }

    struct Fielder: Decodable, Sendable {
        let playerKey: String?

        private enum CodingKeys: String, CodingKey {
            case playerKey = "player_key"
        }
    }

    struct Wicket: Decodable, Sendable {
        let playerKey: String
        let wicketType: String

        private enum CodingKeys: String, CodingKey {
            case playerKey = "player_key"
            case wicketType = "wicket_type"
        }
    }
}
