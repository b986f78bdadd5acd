// What this provider says of a match beside its balls: `info` before play, `scorecard` from then on, with equal names.

/// The reply to `/matches/{id}/info` or `/matches/{id}/scorecard`, and one item of `/matches`.
struct EntitySportMatch: Decodable {
    let matchID: FlexibleNumber
    let format: EntitySportNumber?
    let formatText: String?
    let status: FlexibleNumber
    let statusNote: String?
    let gameState: EntitySportNumber?
    let gameStateText: String?
    let competition: Competition?
    let teamA: Team
    let teamB: Team
    let dateStart: String?
    let dateEnd: String?
    let timestampStart: EntitySportNumber?
    let venue: Venue?
    let result: String?
    let winningTeamID: EntitySportNumber?
    let manOfTheMatch: Person?
    let latestInning: EntitySportNumber?
    let toss: Toss?
    let innings: [EntitySportInning]?
    let players: [EntitySportPlayer]?

    private enum CodingKeys: String, CodingKey {
        case matchID = "match_id"
        case format
        case formatText = "format_str"
        case status
        case statusNote = "status_note"
        case gameState = "game_state"
        case gameStateText = "game_state_str"
        case competition
        case teamA = "teama"
        case teamB = "teamb"
        case dateStart = "date_start"
        case dateEnd = "date_end"
        case timestampStart = "timestamp_start"
        case venue, result
        case winningTeamID = "winning_team_id"
        case manOfTheMatch = "man_of_the_match"
        case latestInning = "latest_inning_number"
        case toss, innings, players
    }

    struct Competition: Decodable {
        let title: String?
        let season: FlexibleText?
        let category: String?
    }

    struct Team: Decodable {
        let id: FlexibleNumber
        let name: String
        let shortName: String?

        private enum CodingKeys: String, CodingKey {
            case id = "team_id"
            case name
            case shortName = "short_name"
        }
    }

    struct Venue: Decodable {
        let name: String?
    }

    struct Toss: Decodable {
        let winner: EntitySportNumber?
        let decision: EntitySportNumber?
    }

    /// Somebody who is honoured; an empty text when nobody is.
    struct Person: Decodable {
        let name: String?

        private enum CodingKeys: String, CodingKey { case name }

        init(from decoder: any Decoder) throws {
            guard let container = try? decoder.container(keyedBy: CodingKeys.self) else {
                name = nil
                return
            }
            name = try container.decodeIfPresent(String.self, forKey: .name)
        }
    }

    /// Whether play is on, paused or over: then there is a scorecard.
    var hasCard: Bool {
        status.whole == 3 || status.whole == 2 || status.whole == 4 && (latestInning?.whole ?? 0) > 0
    }
}

/// One player as every reply lists them.
struct EntitySportPlayer: Decodable {
    let id: FlexibleNumber
    let title: String?
    let shortName: String?

    private enum CodingKeys: String, CodingKey {
        case id = "pid"
        case title
        case shortName = "short_name"
    }
}

/// The frame and the rows of one innings; stands in the scorecard and beside the balls.
struct EntitySportInning: Decodable, Hashable {
    let number: FlexibleNumber
    let status: EntitySportNumber?
    let result: EntitySportNumber?
    let isSuperOver: EntitySportFlag?
    let battingTeamID: FlexibleNumber
    let scoresFull: String?
    let target: EntitySportNumber?
    let maxOver: EntitySportNumber?
    let batsmen: [Batsman]?
    let extras: Extras?

    private enum CodingKeys: String, CodingKey {
        case number, status, result
        case isSuperOver = "issuperover"
        case battingTeamID = "batting_team_id"
        case scoresFull = "scores_full"
        case target
        case maxOver = "max_over"
        case batsmen
        case extras = "extra_runs"
    }

    /// A row of the batting card, in the order of coming in.
    struct Batsman: Decodable, Hashable {
        let id: FlexibleNumber
        let runs: EntitySportNumber?
        let balls: EntitySportNumber?
        let howOut: String?
        let dismissal: String?
        let firstFielder: EntitySportNumber?
        let secondFielder: EntitySportNumber?
        let thirdFielder: EntitySportNumber?

        private enum CodingKeys: String, CodingKey {
            case id = "batsman_id"
            case runs
            case balls = "balls_faced"
            case howOut = "how_out"
            case dismissal
            case firstFielder = "first_fielder_id"
            case secondFielder = "second_fielder_id"
            case thirdFielder = "third_fielder_id"
        }

        /// Ids of those who had a part in it, in order.
        var fielders: [Int] {
            [firstFielder, secondFielder, thirdFielder].compactMap { $0?.whole }.filter { $0 > 0 }
        }
    }

    /// Runs that no batter made.
    struct Extras: Decodable, Hashable {
        let penalty: EntitySportNumber?
    }

    /// Whether the provider calls it complete.
    var isComplete: Bool { status?.whole == 2 }

    /// Whether a card shows the same score as the balls that are held, so that they need not be asked for again.
    func tellsTheSame(as other: EntitySportInning) -> Bool {
        status == other.status && result == other.result && scoresFull == other.scoresFull
            && batsmen?.map(\.line) == other.batsmen?.map(\.line)
    }
}

extension EntitySportInning.Batsman {
    /// What a correction of a ball would change.
    fileprivate var line: [String] {
        [id.value.description, runs?.value?.description ?? "", balls?.value?.description ?? "", howOut ?? ""]
    }
}
