// The shapes of Roanuz' replies: signing in, and a match.

internal import MatchEngine

/// What every reply holds: `data`, or an error of the provider's own, and when it was made.
struct RoanuzReply<Content: FeedReadable>: FeedReadable {
    let data: Content?
    let error: Refusal?
    let cache: Cache?

    init(feed: FeedValue) throws(AdapterError) {
        data = try feed.given("data")
        error = try feed.given("error")
        cache = try feed.given("cache")
    }

    struct Refusal: FeedReadable {
        let code: String?
        let msg: String?

        init(feed: FeedValue) throws(AdapterError) {
            code = try feed.given("code")
            msg = try feed.given("msg")
        }
    }

    /// Until when the reply may be kept; only where its whole life is told, too, follows from it when it was made.
    struct Cache: FeedReadable {
        let expires: FlexibleNumber?
        let maxAge: FlexibleNumber?

        init(feed: FeedValue) throws(AdapterError) {
            expires = try feed.given("expires")
            maxAge = try feed.given("max_age")
        }
    }

    /// Throws when it is a refusal.
    func accepted() throws(AdapterError) {
        if let error { throw .refused(path: "error", reason: error.code ?? error.msg ?? "no reason") }
    }

    /// The content.
    func content() throws(AdapterError) -> Content {
        try accepted()
        guard let data else { throw .missing(path: "data") }
        return data
    }

    /// When the reply was made, in milliseconds since 1970; nil where nothing tells.
    ///
    /// A match in play was seen to come with `max_age` null and an end 23 hours ahead. That this is its life is
    /// believed when it was then made after the newest ball that it shows, and within a day.
    ///
    /// - Parameter newest: When the newest ball of the reply was last edited, in seconds since 1970.
    /// - Returns: The time, in milliseconds since 1970.
    func madeAt(showing newest: Double?) -> Int64? {
        guard let stamp, cache?.maxAge == nil else { return stamp }
        // Numbers of a hostile reply may be of any size.
        let made = Double(stamp) / 1_000 - Double(RoanuzLife.ofMatch)
        guard let newest, made >= newest, made - newest <= Double(RoanuzLife.believed) else { return nil }
        return Int64(exactly: (made * 1_000).rounded())
    }

    /// When the reply was made, or what lies later than that by a time which is the same for all replies of a kind: in
    /// milliseconds since 1970, only to be compared with those of its kind.
    var stamp: Int64? {
        guard let expires = cache?.expires?.value else { return nil }
        return Int64(exactly: ((expires - (cache?.maxAge?.value ?? 0)) * 1_000).rounded())
    }
}

/// What replies without an age are held against, in seconds.
private enum RoanuzLife {
    /// 23 hours.
    static let ofMatch: Int64 = 82_800
    /// A day.
    static let believed: Int64 = 86_400
}

/// What signing in brings.
struct RoanuzToken: FeedReadable {
    let token: String
    let expires: FlexibleNumber?

    init(feed: FeedValue) throws(AdapterError) {
        token = try feed.need("token")
        expires = try feed.given("expires")
    }
}

/// A match, as lists and the match itself have it.
struct RoanuzMatch: FeedReadable {
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

    init(feed: FeedValue) throws(AdapterError) {
        key = try feed.need("key")
        name = try feed.given("name")
        status = try feed.given("status")
        playStatus = try feed.given("play_status")
        startAt = try feed.given("start_at")
        tournament = try feed.given("tournament")
        association = try feed.given("association")
        metricGroup = try feed.given("metric_group")
        teams = try feed.given("teams")
        venue = try feed.given("venue")
        gender = try feed.given("gender")
        format = try feed.given("format")
        toss = try feed.given("toss")
        play = try feed.given("play")
        players = try feed.given("players")
        squad = try feed.given("squad")
        dataReview = try feed.given("data_review")
        dataReviewCheckpoint = try feed.given("data_review_checkpoint")
    }

    /// Whether pages of balls are made of it: the groups `MG100` and `MG100B` have them, others totals alone.
    var hasPages: Bool { metricGroup.map { $0.hasPrefix("MG100") } ?? true }

    /// One thing for each side.
    struct Sides<Thing: FeedReadable>: FeedReadable {
        let a: Thing
        let b: Thing

        init(feed: FeedValue) throws(AdapterError) {
            a = try feed.need("a")
            b = try feed.need("b")
        }

        subscript(side: Side) -> Thing { side == .first ? a : b }
    }

    /// Anything of which only the name counts.
    struct Named: FeedReadable {
        let name: String?

        init(feed: FeedValue) throws(AdapterError) {
            name = try feed.given("name")
        }
    }

    /// The body that holds the match.
    struct Association: FeedReadable {
        let code: String?

        init(feed: FeedValue) throws(AdapterError) {
            code = try feed.given("code")
        }
    }

    /// A side.
    struct Team: FeedReadable {
        let key: String
        let code: String?
        let name: String
        let countryCode: String?

        init(feed: FeedValue) throws(AdapterError) {
            key = try feed.need("key")
            code = try feed.given("code")
            name = try feed.need("name")
            countryCode = try feed.given("country_code")
        }
    }

    /// The toss.
    struct Toss: FeedReadable {
        let winner: String?
        let elected: String?

        init(feed: FeedValue) throws(AdapterError) {
            winner = try feed.given("winner")
            elected = try feed.given("elected")
        }
    }

    /// A person and what he or she did in each innings of the side, by number.
    struct Entry: FeedReadable {
        let player: Person?
        let score: [String: Score]?

        init(feed: FeedValue) throws(AdapterError) {
            player = try feed.given("player")
            score = try feed.given("score")
        }

        struct Person: FeedReadable {
            let name: String?

            init(feed: FeedValue) throws(AdapterError) {
                name = try feed.given("name")
            }
        }

        struct Score: FeedReadable {
            let batting: Batting?

            init(feed: FeedValue) throws(AdapterError) {
                batting = try feed.given("batting")
            }
        }

        struct Batting: FeedReadable {
            let score: Made?
            let dismissal: Dismissal?

            init(feed: FeedValue) throws(AdapterError) {
                score = try feed.given("score")
                dismissal = try feed.given("dismissal")
            }
        }

        /// Runs made and balls faced.
        struct Made: FeedReadable {
            let runs: Int?
            let balls: Int?

            init(feed: FeedValue) throws(AdapterError) {
                runs = try feed.given("runs")
                balls = try feed.given("balls")
            }
        }

        struct Dismissal: FeedReadable {
            let teamRuns: Int?
            let msg: String?
            let ballKey: String?

            init(feed: FeedValue) throws(AdapterError) {
                teamRuns = try feed.given("team_runs")
                msg = try feed.given("msg")
                ballKey = try feed.given("ball_key")
            }
        }
    }

    /// Those named for a side.
    struct Squad: FeedReadable {
        let playerKeys: [String]?
        let keeper: String?
        let playingXi: [String]?
        let replacements: [Replacement]?

        init(feed: FeedValue) throws(AdapterError) {
            playerKeys = try feed.given("player_keys")
            keeper = try feed.given("keeper")
            playingXi = try feed.given("playing_xi")
            replacements = try feed.given("replacements")
        }

        /// The eleven, and behind it those who came in for one of them; empty before it is named.
        var eleven: [String] {
            guard let named = playingXi, !named.isEmpty else { return [] }
            var seen = Set(named)
            let came = (replacements ?? []).compactMap(\.playerIn)
            return named + came.filter { !$0.isEmpty && seen.insert($0).inserted }
        }

        /// The eleven, before it is named all who were called.
        var players: [String] { eleven.isEmpty ? playerKeys ?? [] : eleven }
    }

    /// One player for another for the rest of the match; nothing tells from which ball on.
    struct Replacement: FeedReadable {
        let playerIn: String?

        init(feed: FeedValue) throws(AdapterError) {
            playerIn = try feed.given("player_in")
        }
    }

    /// How far people of the provider have checked the card.
    struct Review: FeedReadable {
        let score: FlexibleBool?
        let scoreReviewedBallIndex: [IndexPart]?

        init(feed: FeedValue) throws(AdapterError) {
            score = try feed.given("score")
            scoreReviewedBallIndex = try feed.given("score_reviewed_ball_index")
        }

        /// `["b_1", [19, 6]]`: an innings, and the over and ball in it.
        enum IndexPart: FeedReadable {
            case innings(String)
            case label([Int])
            case other

            init(feed: FeedValue) throws(AdapterError) {
                if case .text(let text) = feed.plain {
                    self = .innings(text)
                } else {
                    self = (try? [Int](feed: feed)).map(Self.label) ?? .other
                }
            }
        }
    }
}
