// The balls of an innings as this provider tells them: a list of events without ids.

/// The reply to `/matches/{id}/innings/{n}/commentary`.
struct EntitySportCommentary: Decodable {
    let inning: EntitySportInning
    let events: [Event]
    let players: [EntitySportPlayer]?

    private enum CodingKeys: String, CodingKey {
        case inning
        case events = "commentaries"
        case players
    }

    /// Most events of one innings; the longest ever had some 2,000 balls.
    static let eventsMax = 8_000

    /// `ball`, `wicket` or `overend`; the last has no ball.
    struct Event: Decodable {
        let event: String
        let batsmanID: EntitySportNumber?
        let bowlerID: EntitySportNumber?
        let over: EntitySportNumber?
        let ball: EntitySportNumber?
        let score: Score?
        let timestamp: EntitySportNumber?
        let run: EntitySportNumber?
        let batRun: EntitySportNumber?
        let wideRun: EntitySportNumber?
        let noBallRun: EntitySportNumber?
        let byeRun: EntitySportNumber?
        let legByeRun: EntitySportNumber?
        let isNoBall: EntitySportFlag?
        let isWide: EntitySportFlag?
        let isFour: EntitySportFlag?
        let isSix: EntitySportFlag?
        let batsmen: [Bat]?
        let wicketBatsmanID: EntitySportNumber?
        let howOut: String?

        private enum CodingKeys: String, CodingKey {
            case event
            case batsmanID = "batsman_id"
            case bowlerID = "bowler_id"
            case over, ball, score, timestamp, run
            case batRun = "bat_run"
            case wideRun = "wide_run"
            case noBallRun = "noball_run"
            case byeRun = "bye_run"
            case legByeRun = "legbye_run"
            case isNoBall = "noball"
            case isWide = "wideball"
            case isFour = "four"
            case isSix = "six"
            case batsmen
            case wicketBatsmanID = "wicket_batsman_id"
            case howOut = "how_out"
        }
    }

    /// Somebody at the crease.
    struct Bat: Decodable {
        let id: EntitySportNumber?

        private enum CodingKeys: String, CodingKey { case id = "batsman_id" }
    }

    /// `4`, `"4"`, `"1lb"`, `"w"`.
    enum Score: Decodable, Hashable {
        case runs(Int)
        case text(String)

        init(from decoder: any Decoder) throws {
            if case .text(let text) = decoder.plain {
                self = .text(text)
                return
            }
            let container = try decoder.singleValueContainer()
            if let number = try? container.decode(Int.self) {
                self = .runs(number)
            } else {
                self = .text(try container.decode(String.self))
            }
        }
    }
}

/// The reply to `/matches/{id}/squads`.
struct EntitySportSquads: Decodable {
    let teamA: Squad
    let teamB: Squad
    let players: [EntitySportPlayer]?

    private enum CodingKeys: String, CodingKey {
        case teamA = "teama"
        case teamB = "teamb"
        case players
    }

    /// Those of one side.
    struct Squad: Decodable {
        let teamID: FlexibleNumber
        let squads: [Member]?

        private enum CodingKeys: String, CodingKey {
            case teamID = "team_id"
            case squads
        }

        /// Those named to play.
        var playing: [Member] { (squads ?? []).filter { $0.isPlaying?.value == true } }
    }

    /// One of a squad.
    struct Member: Decodable {
        let id: FlexibleNumber
        let role: String?
        let isPlaying: EntitySportFlag?

        private enum CodingKeys: String, CodingKey {
            case id = "player_id"
            case role
            case isPlaying = "playing11"
        }
    }
}
