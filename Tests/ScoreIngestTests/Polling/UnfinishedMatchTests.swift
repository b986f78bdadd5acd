// The next node of a feed polls its unfinished matches, except those that should have begun long ago.

import JournalSamples
import MatchEngine
import MatchJournal
import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreIngest

@Suite struct UnfinishedMatchTests {
    @Test(arguments: [(days: 6, count: 1), (days: 8, count: 0)])
    func aMatchThatNeverBeganIsPolledForAWeek(days: Int, count: Int) async throws {
        let bench = try await JournalBench()
        let announced = Fixture(
            id: ProviderMatchID(unchecked: "77"),
            match: Scorebook.match,
            startsAt: ServiceClock().wall.seconds - Int64(days) * 86_400,
            status: .scheduled,
            teams: Scorebook().info.teams,
            format: .t20
        )
        try await bench.writer().announce(announced, source: JournalSource(.sportmonks, Scorebook.feed))
        #expect(try await bench.journal.unfinished(of: Scorebook.feed).count == count)
    }
}
