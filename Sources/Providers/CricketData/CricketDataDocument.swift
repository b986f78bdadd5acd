// A match has names, flags, a sentence and a total for each innings.

internal import ScoreTypes

/// The envelope of every reply.
struct CricketDataEnvelope<Content: Decodable & Sendable>: Decodable {
    let status: String
    let reason: String?
    let data: Content?
    let info: Counters?

    /// The counters of the plan.
    struct Counters: Decodable {
        let hitsToday: FlexibleNumber?
        let hitsLimit: FlexibleNumber?
        /// The rows on all pages of a list.
        let totalRows: FlexibleNumber?
    }

    /// Reads a reply; an error of the provider is thrown as `AdapterError.refused`.
    static func read(_ body: [UInt8], _ part: ReplyPart) throws(AdapterError) -> Content {
        let reply = try AdapterError.within(part) { () throws(AdapterError) in
            try ReplyJSON.read(CricketDataEnvelope.self, from: body)
        }
        guard reply.status == "success" else {
            throw .refused(path: "\(part):status", reason: reply.reason ?? reply.status)
        }
        guard let data = reply.data else { throw .missing(path: "\(part):data") }
        return data
    }
}

/// One match, in a list or alone.
struct CricketDataMatch: Decodable {
    let id: String
    let matchType: String?
    let status: String?
    let venue: String?
    let date: String?
    let dateTimeGMT: String?
    let teams: [String]
    let teamInfo: [Team]?
    let score: [Total]?
    let tossWinner: String?
    let tossChoice: String?
    let matchWinner: String?
    let matchStarted: FlexibleBool?
    let matchEnded: FlexibleBool?

    /// A team's names.
    struct Team: Decodable {
        let name: String?
        let shortname: String?
    }

    /// The total of one innings.
    struct Total: Decodable {
        let runs: FlexibleNumber
        let wickets: FlexibleNumber
        /// Overs such as `47.4`, whose decimal counts balls.
        let overs: FlexibleNumber
        /// `England Women Inning 1`.
        let inning: String

        private enum CodingKeys: String, CodingKey {
            case runs = "r", wickets = "w", overs = "o", inning
        }
    }
}
