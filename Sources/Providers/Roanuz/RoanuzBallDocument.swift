// A page of balls is one over.

internal import MatchEngine
internal import ScoreTypes

/// One over of balls, and the keys of the overs around it; shared by reference, since each poll looks at all pages.
final class RoanuzPage: Decodable, Sendable {
    let over: Over?
    let previousOverKey: String?
    let nextOverKey: String?

    struct Over: Decodable {
        let index: Index
        let balls: [RoanuzBall]
    }

    struct Index: Decodable {
        let innings: String
        let overNumber: Int
    }
}

/// A ball, or an event between two balls; shared by reference, since each poll looks at all balls.
final class RoanuzBall: Decodable, Sendable {
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

    struct Batsman: Decodable {
        let playerKey: String
        let runs: Int
        let ballCount: Int?
        let isFour: FlexibleBool?
        let isSix: FlexibleBool?
    }

    struct Bowler: Decodable {
        let playerKey: String?
        let ballCount: Int
        let extras: Int
    }

    struct Score: Decodable {
        let runs: Int
        let extras: Int
        let ballCount: Int
        /// Whether it counts as a wicket; a retirement may not.
        let isWicket: FlexibleBool?
    }

    struct Fielder: Decodable {
        let playerKey: String?
    }

    struct Wicket: Decodable {
        let playerKey: String
        let wicketType: String
    }
}
