// The balls of an innings are a list of events without ids.

internal import ScoreTypes

/// The reply to `/matches/{id}/innings/{n}/commentary`.
struct EntitySportCommentary: Decodable {
    let inning: EntitySportInning
    let commentaries: [Event]
    let players: [EntitySportPlayer]?

    /// `ball`, `wicket` or `overend`; the last has no ball.
    struct Event: JSONRow {
        let event: String
        let batsmanId: EntitySportNumber?
        let bowlerId: EntitySportNumber?
        let over: EntitySportNumber?
        let ball: EntitySportNumber?
        /// `4`, `"4"`, `"1lb"`, `"w"`.
        let score: FlexibleText?
        let timestamp: EntitySportNumber?
        let run: EntitySportNumber?
        let batRun: EntitySportNumber?
        let wideRun: EntitySportNumber?
        let noballRun: EntitySportNumber?
        let byeRun: EntitySportNumber?
        let legbyeRun: EntitySportNumber?
        let noball: EntitySportFlag?
        let wideball: EntitySportFlag?
        let four: EntitySportFlag?
        let six: EntitySportFlag?
        let batsmen: [Bat]?
        let wicketBatsmanId: EntitySportNumber?
        let howOut: String?
    }

    /// A batter at the crease.
    struct Bat: Decodable {
        let batsmanId: EntitySportNumber?
    }
}

/// The reply to `/matches/{id}/squads`.
struct EntitySportSquads: Decodable {
    let teama: Squad
    let teamb: Squad
    let players: [EntitySportPlayer]?

    /// The squad of one team.
    struct Squad: Decodable {
        let teamId: FlexibleNumber
        let squads: [Member]?

        /// The players named to play.
        var playing: [Member] { (squads ?? []).filter { $0.playing11?.value == true } }
    }

    /// A player of a squad.
    struct Member: Decodable {
        let playerId: FlexibleNumber
        let role: String?
        let playing11: EntitySportFlag?
    }
}
