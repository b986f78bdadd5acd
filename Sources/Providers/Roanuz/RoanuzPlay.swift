// The part of a match that changes with every ball: targets, totals, batters at the crease.

internal import MatchEngine
internal import ScoreTypes

/// The play of a match.
struct RoanuzPlay: Decodable {
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

    /// The target of a side.
    struct Target: Decodable {
        let balls: Int?
        let runs: Int?
        let dlApplied: FlexibleBool?
    }

    /// How the match ended.
    struct Result: Decodable {
        let pom: [String]?
        let winner: String?
        let resultType: String?
        let msg: String?
    }

    /// The totals of an innings.
    struct Innings: Decodable {
        let overs: [Int]?
        let isCompleted: FlexibleBool?
        let score: Score?
        let wickets: Int?
        let extraRuns: Extras?

        struct Score: Decodable {
            let runs: Int?
            let balls: Int?
        }

        struct Extras: Decodable {
            let bye: Int?
            let legBye: Int?
            let penalty: Int?
        }
    }

    /// The batters at the crease.
    struct Live: Decodable {
        let innings: String?
        let strikerKey: String?
        let nonStrikerKey: String?
        /// The session of the day; its form was never seen, so anything but a number is ignored.
        let session: Lenient<FlexibleNumber>?
    }
}

extension RoanuzMatch {
    /// The last edit of the newest ball that the match repeats, in seconds since 1970.
    var newestEdit: Double? { play?.relatedBalls?.values.compactMap(\.updatedTime?.value).max() }
}
