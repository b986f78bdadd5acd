// The faults of one provider's replies, in the formats of all providers.

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

    /// A feed in one provider's format, read by its adapter without a connection.
    private struct ShapedFeed {
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
            // Half a minute later the ball has been sent.
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
        "F5: a byte order mark, UTF-16 and repeated keys are read, the first value of a key is used",
        arguments: Provider.allCases
    )
    func unusualEncodingsAreRead(provider: Provider) throws {
        let feed = try ShapedFeed(provider)
        let right = try feed.snapshot(after: 60)
        #expect(!right.innings.isEmpty)
        for fault in [FeedFault.bom, .utf16, .duplicateKeys] {
            let odd = feed.replies(after: 60, spoilt: ReplyFault(fault: fault))
            #expect(odd != feed.replies(after: 60))
            #expect(try feed.adapter.snapshot(odd, feed.session) == right, "\(fault)")
        }
    }

    @Test(
        "F10: a changed form is refused in every provider's format, and the last state stays",
        arguments: Provider.allCases
    )
    func aChangedFormIsRefused(provider: Provider) async throws {
        let feed = try ShapedFeed(provider)
        let bench = try await JournalBench()
        let writer = bench.writer()
        _ = try await writer.accept(feed.snapshot(after: 30), seenAt: Self.seen)
        let before = try await bench.count("journal")
        // Renamed, left out, and turned into a text.
        for part in 0..<3 {
            let drifted = feed.replies(after: 36, spoilt: ReplyFault(fault: .drift, part: part))
            let error = #expect(throws: AdapterError.self) { try feed.adapter.snapshot(drifted, feed.session) }
            #expect("\(try #require(error))".contains("expected") || error?.part != nil, "\(String(describing: error))")
        }
        #expect(try await bench.count("journal") == before)
        guard case .applied = try await writer.accept(feed.snapshot(after: 36), seenAt: Self.seen) else {
            Issue.record("the next good reply was not applied")
            return
        }
    }

    @Test("F13: alternating old and new copies withdraw nothing in any provider's format", arguments: Provider.allCases)
    func alternatingCopiesWithdrawNothing(provider: Provider) async throws {
        let feed = try ShapedFeed(provider)
        let bench = try await JournalBench()
        let writer = bench.writer()
        let order = [34, 31, 37, 34, 37, 31, 40]
        var applied: [Int] = []
        for balls in order {
            if case .applied = try await writer.accept(feed.snapshot(after: balls), seenAt: Self.seen) {
                applied.append(balls)
            }
        }
        #expect(applied == [34, 37, 40])
        let changes = try await bench.changes()
        #expect(!changes.contains { if case .withdrawn = $0 { true } else { false } })
        #expect(try await bench.publications().count == 3)
        #expect(try await writer.stored().record.deliveries == feed.snapshot(after: 40).deliveries)
    }
}
