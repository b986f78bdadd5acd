// No adapter makes a match of garbage, nor takes long to see that it is garbage.

import MatchEngine
import ScoreTypes
import Testing

@testable import ScoreIngest

@Suite struct AdapterFaultTests {
    /// Ten milliseconds on a machine that does nothing else; tests run side by side, in debug, under others' load.
    private static let longest: Duration = .seconds(5)

    private static let adapters: [any Adapter] = [
        SportmonksAdapter(), RoanuzAdapter(), EntitySportAdapter(), CricketDataAdapter(), CricsheetAdapter(),
    ]

    @Test("F5: every adapter refuses garbage", arguments: Garbage.bodies)
    func garbage(body: Garbage.Body) {
        let id = ProviderMatchID(unchecked: "1")
        for adapter in Self.adapters {
            let session = ProviderSession(project: "demo", token: Secret("token"))
            let requests = adapter.matchRequests(id, session, replies: ProviderReplies(), record: MatchRecord())
            #expect(!requests.isEmpty)
            var replies = ProviderReplies()
            for request in requests { replies[request.part] = body.bytes }
            let start = ContinuousClock.now
            #expect(throws: AdapterError.self, "\(adapter.provider)") { try adapter.snapshot(replies, session) }
            #expect(ContinuousClock.now - start < Self.longest, "\(adapter.provider)")
        }
    }
}
