// The shapes of Sportmonks' replies: a fixture with its includes, each a bare list or one inside `data`.

internal import MatchEngine

/// What a reply holds: `data`, or an error of the provider's own with status 200.
struct SportmonksReply<Content: Decodable>: Decodable {
    let data: Content?
    let message: String?
    let error: Refusal?

    struct Refusal: Decodable {
        let message: String?
    }

    /// The content.
    func content() throws(AdapterError) -> Content {
        if let data { return data }
        if let reason = error?.message ?? message { throw .refused(path: "error", reason: reason) }
        throw .missing(path: "data")
    }
}

/// An include that is a list, bare or inside `data`.
struct SportmonksList<Row: Decodable & Sendable>: Decodable, Sendable {
    let rows: [Row]

    private enum CodingKeys: String, CodingKey { case data }

    init(from decoder: any Decoder) throws {
        if let bare = try? decoder.unkeyedContainer() {
            var list = bare
            var rows: [Row] = []
            rows.reserveCapacity(list.count ?? 0)
            while !list.isAtEnd { rows.append(try list.decode(Row.self)) }
            self.rows = rows
        } else {
            rows = try decoder.container(keyedBy: CodingKeys.self).decode([Row].self, forKey: .data)
        }
    }
}

/// An include that is one thing, bare or inside `data`.
struct SportmonksOne<Thing: Decodable & Sendable>: Decodable, Sendable {
    let thing: Thing

    private enum CodingKeys: String, CodingKey { case data }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        thing =
            container.contains(.data)
            ? try container.decode(Thing.self, forKey: .data) : try Thing(from: decoder)
    }
}

/// A fixture.
struct SportmonksFixture: Decodable, Sendable {
    let id: Int
    let localteamId: Int
    let visitorteamId: Int
    let startingAt: String?
    let type: String
    let status: String
    let note: String?
    let tossWonTeamId: Int?
    let elected: String?
    let winnerTeamId: Int?
    let drawNoresult: Word?
    let manOfMatchId: Int?
    let superOver: FlexibleBool?
    let localteamDlData: RevisedScore?
    let visitorteamDlData: RevisedScore?
    let rpcOvers: FlexibleNumber?
    let rpcTarget: FlexibleNumber?
    let localteam: SportmonksOne<Team>?
    let visitorteam: SportmonksOne<Team>?
    let venue: SportmonksOne<Named>?
    let league: SportmonksOne<Named>?
    let season: SportmonksOne<Named>?
    let lineup: SportmonksList<SportmonksPlayer>?
    let balls: SportmonksList<SportmonksBall>?
    let runs: SportmonksList<SportmonksRuns>?
    let scoreboards: SportmonksList<SportmonksScoreboard>?
    let batting: SportmonksList<SportmonksBatting>?
    let bowling: SportmonksList<SportmonksBowling>?

    private enum CodingKeys: String, CodingKey {
        case id, type, status, note, elected, localteam, visitorteam, venue, league, season, lineup, balls, runs
        case scoreboards, batting, bowling
        case localteamId = "localteam_id"
        case visitorteamId = "visitorteam_id"
        case startingAt = "starting_at"
        case tossWonTeamId = "toss_won_team_id"
        case winnerTeamId = "winner_team_id"
        case drawNoresult = "draw_noresult"
        case manOfMatchId = "man_of_match_id"
        case superOver = "super_over"
        case localteamDlData = "localteam_dl_data"
        case visitorteamDlData = "visitorteam_dl_data"
        case rpcOvers = "rpc_overs"
        case rpcTarget = "rpc_target"
    }

    /// A side.
    struct Team: Decodable, Sendable {
        let id: Int
        let name: String
        let code: String?
    }

    /// Anything of which only the name counts.
    struct Named: Decodable, Sendable {
        let name: String?
    }

    /// A target after a revision.
    struct RevisedScore: Decodable, Sendable {
        let score: FlexibleNumber?
        let overs: FlexibleNumber?
    }

    /// A word, where some replies write a yes or no.
    struct Word: Decodable, Sendable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if let flag = try? container.decode(Bool.self) {
                text = flag ? "true" : nil
            } else {
                text = try container.decode(String.self)
            }
        }
    }
}

/// A person.
struct SportmonksPlayer: Decodable, Sendable {
    let id: Int
    let fullname: String?
    let firstname: String?
    let lastname: String?
    let lineup: Place?

    /// His or her part in the match.
    struct Place: Decodable, Sendable {
        let teamId: Int?
        let wicketkeeper: FlexibleBool?
        let substitution: FlexibleBool?

        private enum CodingKeys: String, CodingKey {
            case wicketkeeper, substitution
            case teamId = "team_id"
        }
    }

    /// The name as it is written in full.
    var name: String? {
        if let fullname, !fullname.isEmpty { return fullname }
        let parts = [firstname, lastname].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
