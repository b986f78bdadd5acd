// Requests of an adapter and answers of a shape, exchanged without a connection.

import MatchEngine
import Providers
import ScoreIngest
import ScoreTypes

@testable import Simulators

/// The snapshots that an adapter reads from a shape.
struct Conversation {
    /// Most rounds of requests for one snapshot; a Test has some hundred overs an innings, a page each.
    static let roundsMax = 1_000

    let adapter: any Adapter
    let shape: any FeedShape
    let session: ProviderSession

    /// Opens the feed.
    init(_ adapter: any Adapter, _ shape: any FeedShape, _ credentials: ProviderCredentials, of match: ShownMatch)
        throws
    {
        self.adapter = adapter
        self.shape = shape
        var replies = ProviderReplies()
        for request in adapter.opening(credentials) {
            // A poller opens nothing with a refused key.
            if shape.answer(ShapeRequest(request), of: match)?.status == 401 {
                throw AdapterError.refused(path: "\(request.part)", reason: "status 401")
            }
            replies[request.part] = Self.answer(shape, request, match)
        }
        session = try adapter.session(replies, credentials, at: Instant(milliseconds: match.startsAt * 1_000))
    }

    /// The list of matches.
    func fixtures(_ match: ShownMatch) throws -> [Fixture] {
        var replies = ProviderReplies()
        let now = Instant(milliseconds: match.startsAt * 1_000)
        for request in adapter.listRequests(session, at: now, replies: replies) {
            replies[request.part] = Self.answer(shape, request, match)
        }
        return try adapter.fixtures(replies, session).fixtures
    }

    /// One poll: refreshes the parts that the adapter wants refreshed, then requests the missing ones.
    func poll(_ match: ShownMatch, _ replies: inout ProviderReplies) throws -> MatchSnapshot {
        var wanted = requests(match, replies)
        for _ in 0..<Self.roundsMax where !wanted.isEmpty {
            for request in wanted { replies[request.part] = Self.answer(shape, request, match) }
            let held = replies
            wanted = requests(match, replies).filter { held[$0.part] == nil }
        }
        return try adapter.snapshot(replies, session)
    }

    private func requests(_ match: ShownMatch, _ replies: ProviderReplies) -> [ProviderRequest] {
        adapter.matchRequests(match.id, session, replies: replies)
    }

    private static func answer(_ shape: any FeedShape, _ request: ProviderRequest, _ match: ShownMatch) -> [UInt8]? {
        guard let answer = shape.answer(ShapeRequest(request), of: match), answer.status == 200 else { return nil }
        return answer.body
    }
}
