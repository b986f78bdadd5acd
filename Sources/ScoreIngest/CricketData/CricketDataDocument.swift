// What this provider tells of a match: names, flags, a sentence, and a total for each innings.

internal import Foundation

/// What stands around every reply.
struct CricketDataEnvelope<Content: Decodable>: Decodable {
    let status: String
    let reason: String?
    let data: Content?
    let info: Counters?

    /// The counters of the plan.
    struct Counters: Decodable {
        let hitsToday: FlexibleNumber?
        let hitsLimit: FlexibleNumber?
    }

    /// Reads a reply; the provider's own error comes out as `refused`.
    static func read(_ body: [UInt8], _ part: ReplyPart) throws(AdapterError) -> Content {
        let reply: CricketDataEnvelope
        do throws(AdapterError) {
            reply = try AdapterError.decode(CricketDataEnvelope.self, from: body)
        } catch {
            throw error.at(part)
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
    let hasStarted: Bool?
    let hasEnded: Bool?

    private enum CodingKeys: String, CodingKey {
        case id, matchType, status, venue, date, dateTimeGMT, teams, teamInfo, score, tossWinner, tossChoice
        case matchWinner
        case hasStarted = "matchStarted"
        case hasEnded = "matchEnded"
    }

    /// A team's names.
    struct Team: Decodable {
        let name: String?
        let shortName: String?

        private enum CodingKeys: String, CodingKey {
            case name
            case shortName = "shortname"
        }
    }

    /// The total of one innings.
    struct Total: Decodable {
        let runs: FlexibleNumber
        let wickets: FlexibleNumber
        /// `47.4`: what stands behind the point counts balls.
        let overs: FlexibleNumber
        /// `England Women Inning 1`.
        let inning: String

        private enum CodingKeys: String, CodingKey {
            case runs = "r"
            case wickets = "w"
            case overs = "o"
            case inning
        }
    }
}

/// What a number of a reply may be at most; beyond it the reply is a mistake or an attack.
enum CricketDataLimits {
    /// Innings with super overs.
    static let inningsMax = 40
    /// Runs of an innings.
    static let runsMax = 99_999
    /// Overs of an innings; the longest ever had 335.
    static let oversMax = 9_999
    /// Matches in one list; a page has 25.
    static let matchesMax = 10_000
}
