// A megabyte that grows by one ball a reply, as a provider without pages serves the last day of a Test.

import MatchEngine
import ScoreIngest
import ScoreTypes
import Simulators

/// A match in the shape of a provider, followed ball by ball as a poller does: what was not asked for again is kept.
struct IngestBenchFeed: Sendable {
    /// Balls of an over and overs of an innings of the match.
    private static let ballsPerOver = 6
    /// No innings was ever so long; the shape with the shortest rows needs them for its megabyte.
    private static let oversPerInnings = 450
    /// Runs off the bat, over and over again.
    private static let runs = [0, 1, 0, 4, 0, 2, 1, 0, 3, 0, 0, 6, 1]
    /// Innings of a Test.
    private static let inningsMax = 4
    private static let startsAt: Int64 = 1_790_000_000

    /// Requests for one picture: a page for each over of a match of many innings.
    private static let requestsMax = 2_000

    private let adapter: any Adapter
    private let shape: any FeedShape
    private let session: ProviderSession
    /// What a poller would hold, with what was decoded of it already.
    private var held = ProviderReplies()
    let match = ProviderMatchID(unchecked: "1")

    /// All balls that there are.
    static var ballsMax: Int { inningsMax * oversPerInnings * ballsPerOver }

    init(_ provider: Provider) throws {
        adapter = FeedProof.adapter(of: provider)
        shape = FeedShapes.shape(of: provider)
        let secret = Secret("bench")
        let credentials = ProviderCredentials(project: FeedShapes.project, key: secret, secret: secret)
        let before = try Self.shown(0, match)
        var opening = ProviderReplies()
        for request in adapter.opening(credentials) {
            opening[request.part] = shape.answer(ShapeRequest(request), of: before)?.body
        }
        session = try adapter.session(opening, credentials, at: Instant(milliseconds: Self.startsAt * 1_000))
    }

    /// The replies while so many balls are bowled, and the bytes that have come for them since the last time.
    mutating func replies(balls: Int) throws -> (replies: ProviderReplies, news: Int) {
        let shown = try Self.shown(balls, match)
        // Asked with a copy that remembers nothing, so that what is new is decoded under the watch and not here.
        var replies = ProviderReplies()
        replies.merge(held)
        var news = 0
        var asked: Set<ReplyPart> = []
        var wanted = requests(replies)
        while !wanted.isEmpty && asked.count < Self.requestsMax {
            for request in wanted {
                guard let answer = shape.answer(ShapeRequest(request), of: shown), answer.status == 200 else {
                    throw BenchFailure("the feed does not answer \(request)")
                }
                asked.insert(request.part)
                guard replies[request.part] != answer.body else { continue }
                replies[request.part] = answer.body
                news += answer.body.count
            }
            wanted = requests(replies).filter { replies[$0.part] == nil && !asked.contains($0.part) }
        }
        held.merge(replies)
        return (held, news)
    }

    /// What the adapter makes of replies: the picture, and what it would ask for next.
    func snapshot(_ replies: ProviderReplies) throws(AdapterError) -> MatchSnapshot {
        let snapshot = try adapter.snapshot(replies, session)
        _ = requests(replies)
        return snapshot
    }

    private func requests(_ replies: ProviderReplies) -> [ProviderRequest] {
        adapter.matchRequests(match, session, replies: replies, record: MatchRecord())
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
