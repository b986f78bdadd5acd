// Pages show the last counts of followers, and never wait long for the first ones.

import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService
@testable import LiveActivities
@testable import ScoreServer

@Suite struct AudienceReaderTests {
    private static let match = MatchID(unchecked: "final")

    private static func audience(_ follows: Int64) -> MatchAudience {
        let receipts = ReceiptNumbers(AcceptedCounts(), ReceiptSummary())
        return MatchAudience(counts: AudienceCounts(follows: follows), receipts: receipts)
    }

    @Test func aPageWaitsForTheFirstCountAndThenShowsTheLastOne() async throws {
        let clock = ManualClock()
        let asked = Mutex<Int64>(0)
        let reader = AudienceReader(clock: clock.clock()) { _ in
            Self.audience(
                asked.withLock { count in
                    count += 1
                    return count
                }
            )
        }
        let first = await reader.audience(of: Self.match, within: .seconds(60))
        #expect(first?.counts.follows == 1)
        let again = await reader.audience(of: Self.match, within: .zero)
        #expect(again?.counts.follows == 1, "a count is not due yet")
        clock.advance(by: ServerLimits.audienceInterval)
        _ = await reader.audience(of: Self.match, within: .zero)
        try await eventually("a due count is read") { asked.withLock { $0 } == 2 }
    }

    @Test func aPageIsShownWithoutACountThatTakesLong() async throws {
        let (holds, release) = AsyncStream.makeStream(of: Void.self)
        let reader = AudienceReader(clock: ServiceClock()) { _ in
            for await _ in holds {}
            return Self.audience(7)
        }
        let early = await reader.audience(of: Self.match, within: .zero)
        #expect(early == nil)
        release.finish()
        try await eventually("the count is kept") {
            await reader.audience(of: Self.match, within: .seconds(60))?.counts.follows == 7
        }
    }
}
