// What one provider's replies may do to the journal, any other's may do in its own terms.

import JournalSamples
import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import Simulators

@Suite(.timeLimit(.minutes(2))) struct ShapeFaultTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    /// A feed in one provider's terms, asked by its adapter without a wire.
    private struct Teller {
        static let key = "key"
        let adapter: any Adapter
        let feed: SimulatedFeed
        let match: PlaybackMatch
        let session: ProviderSession

        init(_ provider: Provider) throws {
            adapter = AdapterRegistry.adapter(for: provider)
            let document = try CricsheetDocument(json: DemoMatch.document)
            match = try PlaybackMatch(id: ProviderMatchID(unchecked: "4242"), document: document)
            let shape = FeedShapes.shape(of: provider, key: Self.key)
            feed = SimulatedFeed(matches: [match], shape: shape, clock: ManualClock().clock())
            feed.open()
            let secret = Secret(Self.key)
            let credentials = ProviderCredentials(project: FeedShapes.project, key: secret, secret: secret)
            var opening = ProviderReplies()
            for request in adapter.opening(credentials) {
                opening[request.part] = feed.plain(ShapeRequest(request), at: .zero).body
            }
            session = try adapter.session(opening, credentials, at: ManualClock.wallAtZero)
        }

        /// All replies about the match after so many balls.
        func replies(after balls: Int, spoilt: ReplyFault? = nil) -> ProviderReplies {
            // Half a minute later the ball has been told.
            let time = match.ballTimes[balls - 1] + .seconds(30)
            var replies = ProviderReplies()
            var isNew = true
            while isNew {
                isNew = false
                for request in adapter.matchRequests(match.id, session, replies: replies)
                where replies[request.part] == nil {
                    let answer = feed.plain(ShapeRequest(request), at: time)
                    replies[request.part] = spoilt?.spoil(answer).body ?? answer.body
                    isNew = true
                }
            }
            return replies
        }

        func snapshot(after balls: Int) throws -> MatchSnapshot {
            try adapter.snapshot(replies(after: balls), session)
        }
    }

    @Test(
        "F5: a mark in front, UTF-16 and keys that stand twice are read as what they say first",
        arguments: Provider.allCases
    )
    func odd(provider: Provider) throws {
        let teller = try Teller(provider)
        let right = try teller.snapshot(after: 60)
        #expect(!right.innings.isEmpty)
        for fault in [FeedFault.bom, .utf16, .duplicateKeys] {
            let odd = teller.replies(after: 60, spoilt: ReplyFault(fault: fault))
            #expect(odd != teller.replies(after: 60))
            #expect(try teller.adapter.snapshot(odd, teller.session) == right, "\(fault)")
        }
    }

    @Test(
        "F10: what has changed its form is refused in every provider's terms, and the last state stands",
        arguments: Provider.allCases
    )
    func drift(provider: Provider) async throws {
        let teller = try Teller(provider)
        let bench = try await JournalBench()
        let writer = bench.writer()
        _ = try await writer.accept(teller.snapshot(after: 30), seenAt: Self.seen)
        let before = try await bench.count("journal")
        // Renamed, left out, and turned into a text.
        for part in 0..<3 {
            let drifted = teller.replies(after: 36, spoilt: ReplyFault(fault: .drift, part: part))
            let error = #expect(throws: AdapterError.self) { try teller.adapter.snapshot(drifted, teller.session) }
            #expect("\(try #require(error))".contains("expected") || error?.part != nil, "\(String(describing: error))")
        }
        #expect(try await bench.count("journal") == before)
        guard case .applied = try await writer.accept(teller.snapshot(after: 36), seenAt: Self.seen) else {
            Issue.record("the next good reply did not count")
            return
        }
    }

    @Test("F13: old and new copies by turns take nothing back in any provider's terms", arguments: Provider.allCases)
    func flipFlop(provider: Provider) async throws {
        let teller = try Teller(provider)
        let bench = try await JournalBench()
        let writer = bench.writer()
        let order = [34, 31, 37, 34, 37, 31, 40]
        var applied: [Int] = []
        for balls in order {
            if case .applied = try await writer.accept(teller.snapshot(after: balls), seenAt: Self.seen) {
                applied.append(balls)
            }
        }
        #expect(applied == [34, 37, 40])
        let changes = try await bench.changes()
        #expect(!changes.contains { if case .withdrawn = $0 { true } else { false } })
        #expect(try await bench.publications().count == 3)
        #expect(try await writer.stored().record.deliveries == teller.snapshot(after: 40).deliveries)
    }
}
