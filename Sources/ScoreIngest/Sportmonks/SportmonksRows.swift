// The rows of a fixture: its balls, and the totals and cards that stand beside them.

/// A ball, or something that happened between two.
struct SportmonksBall: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case id, ball, scoreboard, score
        case teamId = "team_id"
        case batsmanOneOnCreezeId = "batsman_one_on_creeze_id"
        case batsmanTwoOnCreezeId = "batsman_two_on_creeze_id"
        case batsmanId = "batsman_id"
        case bowlerId = "bowler_id"
        case batsmanoutId = "batsmanout_id"
        case catchstumpId = "catchstump_id"
        case runoutById = "runout_by_id"
        case scoreId = "score_id"
        case updatedAt = "updated_at"
    }
}

/// An entry of the table that says what a score id means.
struct SportmonksScore: Decodable, Sendable, Hashable {
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

    private enum CodingKeys: String, CodingKey {
        case id, name, runs, four, six, bye, noball, ball, out
        case legBye = "leg_bye"
        case noballRuns = "noball_runs"
        case isWicket = "is_wicket"
    }
}

/// The total of one innings.
struct SportmonksRuns: Decodable, Sendable {
    let teamId: Int
    let inning: Int
    let score: Int?
    let wickets: Int?
    let overs: FlexibleNumber?
    let pp1: String?
    let pp2: String?
    let pp3: String?
    let updatedAt: String?

    private enum CodingKeys: String, CodingKey {
        case inning, score, wickets, overs, pp1, pp2, pp3
        case teamId = "team_id"
        case updatedAt = "updated_at"
    }
}

/// Extras or the total of one innings.
struct SportmonksScoreboard: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case type, scoreboard, wide, bye, penalty, total
        case teamId = "team_id"
        case noballRuns = "noball_runs"
        case legBye = "leg_bye"
        case updatedAt = "updated_at"
    }
}

/// A batter's row of the card.
struct SportmonksBatting: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case scoreboard, ball, score, batsman, catchstump, runoutby
        case teamId = "team_id"
        case playerId = "player_id"
        case wicketId = "wicket_id"
        case fourX = "four_x"
        case sixX = "six_x"
        case fowScore = "fow_score"
        case fowBalls = "fow_balls"
        case updatedAt = "updated_at"
    }
}

/// A bowler's row of the card.
struct SportmonksBowling: Decodable, Sendable {
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

    private enum CodingKeys: String, CodingKey {
        case scoreboard, overs, medians, runs, wickets, wide, noball, bowler
        case teamId = "team_id"
        case playerId = "player_id"
        case updatedAt = "updated_at"
    }
}
