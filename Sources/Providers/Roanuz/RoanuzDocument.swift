// The replies of Roanuz: the sign-in, and a match.

internal import MatchEngine
internal import ScoreTypes

/// The envelope of every reply: `data` or an error, and the time of the reply.
struct RoanuzReply<Content: Decodable & Sendable>: Decodable {
    let data: Content?
    let error: Refusal?
    let cache: Cache?

    struct Refusal: Decodable {
        let code: String?
        let msg: String?
    }

    /// Until when the reply may be cached; with its lifetime the time of the reply follows.
    struct Cache: Decodable {
        let expires: FlexibleNumber?
        let maxAge: FlexibleNumber?
    }

    /// Checks that it is no refusal.
    ///
    /// - Throws: `AdapterError.refused`.
    func accepted() throws(AdapterError) {
        if let error { throw .refused(path: "error", reason: error.code ?? error.msg ?? "no reason") }
    }

    /// The content.
    func content() throws(AdapterError) -> Content {
        try accepted()
        guard let data else { throw .missing(path: "data") }
        return data
    }

    /// The time of the reply in milliseconds since 1970; nil when unknown.
    ///
    /// Live matches were recorded with `max_age` null and an expiry 23 hours ahead. That lifetime is assumed when the
    /// reply is then at most a day newer than the last edit of its newest ball, `newest` in seconds since 1970.
    func madeAt(showing newest: Double?) -> Int64? {
        guard let stamp, cache?.maxAge == nil else { return stamp }
        // Numbers of a hostile reply may be of any size.
        let made = Double(stamp) / 1_000 - Double(RoanuzLife.ofMatch)
        guard let newest, made >= newest, made - newest <= Double(RoanuzLife.believed) else { return nil }
        return Int64(exactly: (made * 1_000).rounded())
    }

    /// The time of the reply plus an offset that is the same for all replies of a kind, in milliseconds since 1970; it
    /// compares replies of one kind only.
    var stamp: Int64? {
        guard let expires = cache?.expires?.value else { return nil }
        return Int64(exactly: ((expires - (cache?.maxAge?.value ?? 0)) * 1_000).rounded())
    }
}

/// Lifetimes that are assumed for replies without one, in seconds.
private enum RoanuzLife {
    /// 23 hours.
    static let ofMatch: Int64 = 82_800
    /// A day.
    static let believed: Int64 = 86_400
}

/// The reply to the sign-in.
struct RoanuzToken: Decodable {
    let token: String
    let expires: FlexibleNumber?
}

/// A match, in a list or alone.
struct RoanuzMatch: Decodable {
    let key: String
    let name: String?
    let status: String?
    let playStatus: String?
    let startAt: FlexibleNumber?
    let tournament: Named?
    let association: Association?
    let metricGroup: String?
    let teams: Sides<Team>?
    let venue: Named?
    let gender: String?
    let format: String?
    let toss: Toss?
    let play: RoanuzPlay?
    let players: [String: Entry]?
    let squad: Sides<Squad>?
    let dataReview: Review?
    let dataReviewCheckpoint: String?

    /// Whether the match has pages of balls: the groups `MG100` and `MG100B` have them, others only totals.
    var hasPages: Bool { metricGroup.map { $0.hasPrefix("MG100") } ?? true }

    /// A value for each side.
    struct Sides<Thing: Decodable & Sendable>: Decodable {
        let a: Thing
        let b: Thing

        subscript(side: Side) -> Thing { side == .first ? a : b }
    }

    /// An object whose name alone is read.
    struct Named: Decodable {
        let name: String?
    }

    /// The governing body of the match.
    struct Association: Decodable {
        let code: String?
    }

    /// A side.
    struct Team: Decodable {
        let key: String
        let code: String?
        let name: String
        let countryCode: String?
    }

    /// The toss.
    struct Toss: Decodable {
        let winner: String?
        let elected: String?
    }

    /// A player, with the scores in each innings of the side by number.
    struct Entry: Decodable {
        let player: Person?
        let score: [String: Score]?

        struct Person: Decodable {
            let name: String?
        }

        struct Score: Decodable {
            let batting: Batting?
        }

        struct Batting: Decodable {
            let score: Made?
            let dismissal: Dismissal?
        }

        /// Runs made and balls faced.
        struct Made: Decodable {
            let runs: Int?
            let balls: Int?
        }

        struct Dismissal: Decodable {
            let teamRuns: Int?
            let msg: String?
            let ballKey: String?
        }
    }

    /// The players named for a side.
    struct Squad: Decodable {
        let playerKeys: [String]?
        let keeper: String?
        let playingXi: [String]?
        let replacements: [Replacement]?

        /// The eleven, followed by replacements; empty before it is named.
        var eleven: [String] {
            guard let named = playingXi, !named.isEmpty else { return [] }
            var seen = Set(named)
            let came = (replacements ?? []).compactMap(\.playerIn)
            return named + came.filter { !$0.isEmpty && seen.insert($0).inserted }
        }

        /// The eleven; before it is named, the squad.
        var players: [String] { eleven.isEmpty ? playerKeys ?? [] : eleven }
    }

    /// A replacement for the rest of the match; from which ball on is not reported.
    struct Replacement: Decodable {
        let playerIn: String?
    }

    /// How far the provider's staff have reviewed the scorecard.
    struct Review: Decodable {
        let score: FlexibleBool?
        let scoreReviewedBallIndex: [IndexPart]?

        /// `["b_1", [19, 6]]`: an innings, and the over and ball in it.
        enum IndexPart: Decodable {
            case innings(String)
            case label([Int])
            case other

            init(from decoder: any Decoder) throws {
                let json = try JSONElement(from: decoder)
                self = json.string.map(Self.innings) ?? (try? json.decode([Int].self)).map(Self.label) ?? .other
            }
        }
    }
}
