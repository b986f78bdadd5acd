// An adapter reuses what it made of earlier replies; each reading has to be that of an adapter without a memory.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import Providers
@testable import Simulators

@Suite(.timeLimit(.minutes(10)), .needsRecordedMatches) struct AdapterMemoryTests {
    private static let ids: Set<String> = ["1485939", "1150538", "804517"]
    private static let looks = 90
    private static let credentials = ProviderCredentials(
        project: FeedShapes.project,
        key: Secret("k"),
        secret: Secret("s")
    )

    /// The snapshot and the requests that an adapter makes of replies.
    private struct Reading: Equatable {
        let snapshot: MatchSnapshot?
        let error: AdapterError?
        let requests: [ProviderRequest]

        init(_ talk: Conversation, _ id: ProviderMatchID, _ replies: ProviderReplies) {
            do throws(AdapterError) {
                (snapshot, error) = (try talk.adapter.snapshot(replies, talk.session), nil)
            } catch {
                (snapshot, self.error) = (nil, error)
            }
            requests = talk.adapter.matchRequests(id, talk.session, replies: replies)
        }
    }

    @Test(arguments: Provider.allCases) func readingsDoNotDependOnEarlierReplies(provider: Provider) throws {
        let plan = FaultPlan(seed: .random(in: .min ... .max), faults: Set(FeedFault.allCases))
        for (id, document) in try SpecialMatches.read(ids: Self.ids) {
            let match = try PlaybackMatch(id: ProviderMatchID(unchecked: "77"), document: document, plan: plan)
            let shape = FeedShapes.shape(of: provider)
            var replies = ProviderReplies()
            var talk: Conversation?
            var balls = 0
            for look in 0..<Self.looks {
                // Every fifth look is at an old content, as a stuck copy is; every seventh at other teams.
                let time = match.duration * (look % 5 == 4 ? look / 2 : look) / Self.looks
                var shown = match.shown(at: time) { 1_700_000_000 + $0.milliseconds / 1_000 }
                if look % 7 == 6 { shown = shown.ofOthers() }
                let open =
                    try talk ?? Conversation(AdapterRegistry.adapter(for: provider), shape, Self.credentials, of: shown)
                talk = open
                _ = try? open.poll(shown, &replies)
                let reading = Reading(open, match.id, replies)
                #expect(
                    reading == Reading(open, match.id, ProviderReplies(replies.bodies)),
                    "\(id) with seed \(plan.seed)"
                )
                balls = max(balls, reading.snapshot?.deliveries.count ?? 0)
            }
            #expect(balls > 100 || provider == .cricketData)
        }
    }
}
