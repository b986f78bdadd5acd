// No adapter reads a match from garbage, nor takes long to refuse it.

import Glibc
import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct AdapterFaultTests {
    /// The limit of line F5 of the fault catalogue, in processor time of this thread; ten times that without
    /// the optimiser.
    #if DEBUG
        private static let longest: Duration = .milliseconds(100)
    #else
        private static let longest: Duration = .milliseconds(10)
    #endif

    private static var spent: Duration {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return .seconds(time.tv_sec) + .nanoseconds(time.tv_nsec)
    }

    private static let adapters: [any Adapter] = [
        SportmonksAdapter(), RoanuzAdapter(), EntitySportAdapter(), CricketDataAdapter(), CricsheetAdapter(),
    ]

    @Test("F5: every adapter refuses garbage", arguments: Garbage.bodies)
    func garbage(body: Garbage.Body) {
        let id = ProviderMatchID(unchecked: "1")
        for adapter in Self.adapters {
            let session = ProviderSession(project: "demo", token: Secret("token"))
            let requests = adapter.matchRequests(id, session, replies: ProviderReplies())
            #expect(!requests.isEmpty)
            var replies = ProviderReplies()
            for request in requests { replies[request.part] = body.bytes }
            let before = Self.spent
            #expect(throws: AdapterError.self, "\(adapter.provider)") { try adapter.snapshot(replies, session) }
            let cost = Self.spent - before
            #expect(cost <= Self.longest, "\(adapter.provider) \(cost)")
        }
    }
}
