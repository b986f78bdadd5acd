// A megabyte that grows by one ball a reply, as a provider without pages serves the last day of a Test.

import MatchEngine
import ScoreIngest
import ScoreTypes
import Simulators

/// A match in the shape of Sportmonks, shown up to any of its balls.
struct IngestBenchFeed: Sendable {
    /// Balls of an over and overs of an innings of the match.
    private static let ballsPerOver = 6
    private static let oversPerInnings = 110
    /// Runs off the bat, over and over again.
    private static let runs = [0, 1, 0, 4, 0, 2, 1, 0, 3, 0, 0, 6, 1]
    /// Innings of a Test.
    private static let inningsMax = 4
    private static let startsAt: Int64 = 1_790_000_000

    private let adapter = SportmonksAdapter()
    private let shape = FeedShapes.shape(of: .sportmonks)
    private let session: ProviderSession
    let match = ProviderMatchID(unchecked: "1")

    /// All balls that there are.
    static var ballsMax: Int { inningsMax * oversPerInnings * ballsPerOver }

    init() throws {
        let credentials = ProviderCredentials(key: Secret("bench"))
        let before = try Self.shown(0, match)
        var opening = ProviderReplies()
        for request in adapter.opening(credentials) {
            opening[request.part] = shape.answer(ShapeRequest(request), of: before)?.body
        }
        session = try adapter.session(opening, credentials, at: Instant(milliseconds: Self.startsAt * 1_000))
    }

    /// The replies while so many balls are bowled.
    func replies(balls: Int) throws -> ProviderReplies {
        let shown = try Self.shown(balls, match)
        var replies = ProviderReplies()
        for request in adapter.matchRequests(match, session, replies: replies, record: MatchRecord()) {
            guard let answer = shape.answer(ShapeRequest(request), of: shown), answer.status == 200 else {
                throw BenchFailure("the feed does not answer \(request)")
            }
            replies[request.part] = answer.body
        }
        return replies
    }

    /// What the adapter makes of replies.
    func snapshot(_ replies: ProviderReplies) throws(AdapterError) -> MatchSnapshot {
        try adapter.snapshot(replies, session)
    }

    private static func shown(_ balls: Int, _ match: ProviderMatchID) throws -> ShownMatch {
        let document = try CricsheetDocument(json: document(balls))
        return ShownMatch(document: document, id: match, status: .live, startsAt: startsAt)
    }

    private static func document(_ balls: Int) -> [UInt8] {
        let perInnings = oversPerInnings * ballsPerOver
        let begun = max(1, (balls + perInnings - 1) / perInnings)
        let innings = (0..<begun).map { Self.innings($0, balls: min(perInnings, balls - $0 * perInnings)) }
        let text = """
            {"meta":{"data_version":"1.1.0","created":"2026-01-01","revision":1},
            "info":{"balls_per_over":6,"dates":["2026-09-21"],"gender":"male","match_type":"Test",
            "players":{"Northern Rovers":["Arthur Appleby","Barnaby Barrington"],
            "Southern Wanderers":["Cuthbert Carmichael","Desmond Davenport"]},
            "season":"2026","team_type":"international","teams":["Northern Rovers","Southern Wanderers"],
            "venue":"Mill Lane"},"innings":[\(innings.joined(separator: ","))]}
            """
        return Array(text.utf8)
    }

    private static func innings(_ number: Int, balls: Int) -> String {
        let isFirst = number % 2 == 0
        let team = isFirst ? "Northern Rovers" : "Southern Wanderers"
        let batters = isFirst ? ("Arthur Appleby", "Barnaby Barrington") : ("Cuthbert Carmichael", "Desmond Davenport")
        let bowler = isFirst ? "Cuthbert Carmichael" : "Arthur Appleby"
        let overs = stride(from: 0, to: balls, by: ballsPerOver).map { first in
            let deliveries = (first..<min(balls, first + ballsPerOver)).map { ball in
                let bat = runs[ball % runs.count]
                return """
                    {"batter":"\(batters.0)","non_striker":"\(batters.1)","bowler":"\(bowler)",\
                    "runs":{"batter":\(bat),"extras":0,"total":\(bat)}}
                    """
            }
            return "{\"over\":\(first / ballsPerOver),\"deliveries\":[\(deliveries.joined(separator: ","))]}"
        }
        return "{\"team\":\"\(team)\",\"overs\":[\(overs.joined(separator: ","))]}"
    }
}
