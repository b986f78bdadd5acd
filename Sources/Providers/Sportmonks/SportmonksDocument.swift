// A fixture has includes, each a bare list or a list inside `data`.

internal import MatchEngine
internal import ScoreTypes

/// The envelope of every reply: `data`, or an error with HTTP status 200.
struct SportmonksReply<Content: Decodable & Sendable>: Decodable {
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

/// The number of pages of a list, which has two names.
struct SportmonksPaging: Decodable {
    /// The number of pages; nil when unknown.
    let count: Int?

    init(from decoder: any Decoder) throws {
        let meta = try JSONElement(from: decoder)["meta"]
        let counts = [meta?["last_page"], meta?["pagination"]?["total_pages"]]
        count = counts.compactMap { $0?.integer }.first.map { Int($0) }
    }
}

/// An include that is a list, bare or inside `data`.
struct SportmonksList<Row: Decodable & Sendable>: Decodable {
    let rows: [Row]

    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        rows = try json.isArray ? json.decode([Row].self) : json.decode(Wrapped.self).data
    }

    private struct Wrapped: Decodable {
        let data: [Row]
    }
}

/// An include that is one object, bare or inside `data`.
struct SportmonksOne<Thing: Decodable & Sendable>: Decodable {
    let thing: Thing

    init(from decoder: any Decoder) throws {
        let json = try JSONElement(from: decoder)
        thing = try (json["data"] ?? json).decode(Thing.self)
    }
}

/// A fixture.
struct SportmonksFixture: Decodable {
    let id: Int
    let localteamId: Int
    let visitorteamId: Int
    let seasonId: Int?
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

    /// A side.
    struct Team: Decodable {
        let id: Int
        let name: String
        let code: String?
    }

    /// An object whose name alone is read.
    struct Named: Decodable {
        let name: String?
    }

    /// A target after a revision.
    struct RevisedScore: Decodable {
        let score: FlexibleNumber?
        let overs: FlexibleNumber?
    }

    /// A string, where some replies have a boolean.
    struct Word: Decodable {
        let text: String?

        init(from decoder: any Decoder) throws {
            let json = try JSONElement(from: decoder)
            text = json.bool == nil ? try json.decode(String.self) : json.bool == true ? "true" : nil
        }
    }
}

/// A person.
struct SportmonksPlayer: Decodable {
    let id: Int
    let fullname: String?
    let firstname: String?
    let lastname: String?
    let lineup: Place?

    /// The player's part in the match.
    struct Place: Decodable {
        let teamId: Int?
        let wicketkeeper: FlexibleBool?
        let substitution: FlexibleBool?
    }

    /// The full name.
    var name: String? {
        if let fullname, !fullname.isEmpty { return fullname }
        let parts = [firstname, lastname].compactMap { $0 }.filter { !$0.isEmpty }
        return parts.isEmpty ? nil : parts.joined(separator: " ")
    }
}
