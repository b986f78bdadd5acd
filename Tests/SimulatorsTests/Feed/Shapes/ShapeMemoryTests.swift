// A shape reuses what it made of earlier contents; each answer has to be that of a shape that has made nothing yet.

import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Providers
@testable import Simulators

@Suite(.timeLimit(.minutes(10)), .needsRecordedMatches) struct ShapeMemoryTests {
    private static let ids: Set<String> = ["1485939", "1150538", "804517"]
    private static let looks = 60
    private static let credentials = ProviderCredentials(
        project: FeedShapes.project,
        key: Secret("k"),
        secret: Secret("s")
    )

    /// Answers with one shape, and notes whether a new one answers the same.
    private final class ComparedShape: FeedShape {
        let provider: Provider
        let shape: any FeedShape
        let isSame = Mutex<[Bool]>([])

        init(_ provider: Provider) {
            self.provider = provider
            shape = FeedShapes.shape(of: provider)
        }

        func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer? {
            let answer = shape.answer(request, of: matches)
            let anew = FeedShapes.shape(of: provider).answer(request, of: matches)
            isSame.withLock { $0.append(answer?.status == anew?.status && answer?.body == anew?.body) }
            return answer
        }
    }

    @Test(arguments: Provider.allCases) func answersDoNotDependOnEarlierContents(provider: Provider) throws {
        let plan = FaultPlan(seed: .random(in: .min ... .max), faults: Set(FeedFault.allCases))
        for (id, document) in try SpecialMatches.read(ids: Self.ids) {
            let match = try PlaybackMatch(id: ProviderMatchID(unchecked: "77"), document: document, plan: plan)
            let shape = ComparedShape(provider)
            var replies = ProviderReplies()
            var talk: Conversation?
            for look in 0..<Self.looks {
                // Every fifth look is at an old content, as a stuck copy is; every seventh at other teams.
                let time = match.duration * (look % 5 == 4 ? look / 2 : look) / Self.looks
                var shown = match.shown(at: time) { 1_700_000_000 + $0.milliseconds / 1_000 }
                if look % 7 == 6 { shown = shown.ofOthers() }
                let adapter = AdapterRegistry.adapter(for: provider)
                let open = try talk ?? Conversation(adapter, shape, Self.credentials, of: shown)
                talk = open
                _ = try? open.poll(shown, &replies)
            }
            let isSame = shape.isSame.withLock { $0 }
            #expect(isSame.count > Self.looks / 2)
            #expect(!isSame.contains(false), "\(id) with seed \(plan.seed)")
        }
    }
}
