// The rows of a fixture: balls, totals and scorecards.

internal import ScoreTypes

/// A ball, or an event between two balls; shared by reference, since most rows are those of the reply before.
final class SportmonksBall: JSONRow {
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
}

/// An entry of the table of score ids.
struct SportmonksScore: Decodable, Hashable {
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
}

/// The total of one innings.
struct SportmonksRuns: Decodable {
    let teamId: Int
    let inning: Int
    let score: Int?
    let wickets: Int?
    /// Overs as a decimal that counts balls: 12.3 is twelve overs and three balls.
    let overs: FlexibleNumber?
    let pp1: String?
    let pp2: String?
    let pp3: String?
    let updatedAt: String?
}

/// Extras or the total of one innings.
struct SportmonksScoreboard: Decodable {
    let teamId: Int
    /// `extra` or `total`.
    let type: String
    let scoreboard: String
    let penalty: Int?
    let updatedAt: String?
}

/// A batter's row of the card.
struct SportmonksBatting: Decodable {
    let scoreboard: String
    let playerId: Int
    /// The dismissal, by the table of scores; absent while in.
    let wicketId: Int?
    let fowScore: Int?
    let batsman: SportmonksOne<SportmonksPlayer>?
    let catchstump: SportmonksOne<SportmonksPlayer>?
    let runoutby: SportmonksOne<SportmonksPlayer>?
    let updatedAt: String?
}

/// A bowler's row of the card.
struct SportmonksBowling: Decodable {
    let bowler: SportmonksOne<SportmonksPlayer>?
    let updatedAt: String?
}
