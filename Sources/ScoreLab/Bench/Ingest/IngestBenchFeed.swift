// A megabyte that grows by one ball a reply, as a provider without pages serves the last day of a Test.

import MatchEngine
import Providers
import ScoreTypes
import Simulators

/// A match in the format of a provider, followed ball by ball as a poller does: replies without a new request are kept.
struct IngestBenchFeed: Sendable {
    private static let startsAt: Int64 = 1_790_000_000

    private let adapter: any Adapter
    private let shape: any FeedShape
    private let session: ProviderSession
    /// The replies that a poller would hold, with their decoded parts.
    private var held = ProviderReplies()
    let match = ProviderMatchID(unchecked: "1")

    init(_ provider: Provider) throws {
        adapter = AdapterRegistry.adapter(for: provider)
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
        // Requested with a copy without caches, so that new replies are decoded in the timed part.
        var replies = ProviderReplies()
        replies.merge(held)
        var news = 0
        var asked: Set<ReplyPart> = []
        var wanted = requests(replies)
        while !wanted.isEmpty && asked.count < LabLimits.snapshotRequests {
            for request in wanted {
                guard let answer = shape.answer(ShapeRequest(request), of: shown), answer.status == 200 else {
                    throw MeasurementFailure("the feed does not answer \(request)")
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

    /// The adapter's result: the snapshot, and the next requests.
    func snapshot(_ replies: ProviderReplies) throws(AdapterError) -> MatchSnapshot {
        let snapshot = try adapter.snapshot(replies, session)
        _ = requests(replies)
        return snapshot
    }

    private func requests(_ replies: ProviderReplies) -> [ProviderRequest] {
        adapter.matchRequests(match, session, replies: replies)
    }

    private static func shown(_ balls: Int, _ match: ProviderMatchID) throws -> ShownMatch {
        let document = try CricsheetDocument(json: IngestBenchMatch.document(balls: balls))
        return ShownMatch(document: document, id: match, status: .live, startsAt: startsAt)
    }
}
