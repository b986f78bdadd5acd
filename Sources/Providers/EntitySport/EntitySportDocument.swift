// Before play a match is the reply `info`, from then on `scorecard`; both have the same members.

internal import MatchEngine
internal import ScoreTypes

/// The reply to `/matches/{id}/info` or `/matches/{id}/scorecard`, and one item of `/matches`.
struct EntitySportMatch: Decodable {
    let matchId: FlexibleNumber
    let format: EntitySportNumber?
    let formatStr: String?
    let status: FlexibleNumber
    let statusNote: String?
    let gameState: EntitySportNumber?
    let gameStateStr: String?
    let competition: Competition?
    let teama: Team
    let teamb: Team
    let dateStart: String?
    let dateEnd: String?
    let timestampStart: EntitySportNumber?
    let venue: Venue?
    let result: String?
    let winningTeamId: EntitySportNumber?
    let manOfTheMatch: Person?
    let latestInningNumber: EntitySportNumber?
    let toss: Toss?
    let innings: [EntitySportInning]?
    let players: [EntitySportPlayer]?

    struct Competition: Decodable {
        let title: String?
        let season: FlexibleText?
        let category: String?
    }

    struct Team: Decodable {
        let teamId: FlexibleNumber
        let name: String
        let shortName: String?
    }

    struct Venue: Decodable {
        let name: String?
    }

    struct Toss: Decodable {
        let winner: EntitySportNumber?
        let decision: EntitySportNumber?
    }

    /// The player of the match; an empty string when there is none.
    struct Person: Decodable {
        let name: String?

        init(from decoder: any Decoder) throws {
            let json = try JSONElement(from: decoder)
            name = try json.isObject ? json.decode(EntitySportMatch.Venue.self).name : nil
        }
    }

    /// Whether there is a scorecard: play is on, paused or over.
    var hasCard: Bool {
        status.whole == 3 || status.whole == 2 || status.whole == 4 && (latestInningNumber?.whole ?? 0) > 0
    }
}

/// A player, in the form that all replies have.
struct EntitySportPlayer: JSONRow {
    let pid: FlexibleNumber
    let title: String?
    let shortName: String?
}

/// The totals and the batting card of one innings, in the scorecard and in the commentary.
struct EntitySportInning: JSONRow, Hashable {
    let number: FlexibleNumber
    let status: EntitySportNumber?
    let result: EntitySportNumber?
    let issuperover: EntitySportFlag?
    let battingTeamId: FlexibleNumber
    let scoresFull: String?
    let target: EntitySportNumber?
    let maxOver: EntitySportNumber?
    let batsmen: [Batsman]?
    let extraRuns: Extras?
    let equations: Equations?

    /// A row of the batting card, in batting order.
    struct Batsman: JSONRow, Hashable {
        let batsmanId: FlexibleNumber
        /// `striker` or `non-striker` for batters at the crease.
        let position: String?
        let runs: EntitySportNumber?
        let ballsFaced: EntitySportNumber?
        let howOut: String?
        let dismissal: String?
        let firstFielderId: EntitySportNumber?
        let secondFielderId: EntitySportNumber?
        let thirdFielderId: EntitySportNumber?

        /// The ids of the fielders, in order.
        var fielders: [Int] {
            [firstFielderId, secondFielderId, thirdFielderId].compactMap { $0?.whole }.filter { $0 > 0 }
        }
    }

    /// Extras of the innings.
    struct Extras: Decodable, Hashable {
        let penalty: EntitySportNumber?
    }

    /// The total of the innings.
    struct Equations: Decodable, Hashable {
        let runs: EntitySportNumber?
        let wickets: EntitySportNumber?
        /// Overs as a decimal that counts balls.
        let overs: EntitySportNumber?
    }

    /// Whether the provider marks the innings as complete.
    var isComplete: Bool { status?.whole == 2 }

    /// Whether both have the same score and batting card, so that the balls need not be requested again.
    func agrees(with other: EntitySportInning) -> Bool {
        status == other.status && result == other.result && scoresFull == other.scoresFull
            && batsmen?.map(\.line) == other.batsmen?.map(\.line)
    }
}

extension EntitySportInning.Batsman {
    /// The values that a correction of a ball changes.
    fileprivate var line: [String] {
        [
            batsmanId.value.description, runs?.value?.description ?? "", ballsFaced?.value?.description ?? "",
            howOut ?? "",
        ]
    }
}
