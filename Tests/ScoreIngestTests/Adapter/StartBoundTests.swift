// A feed's number of seconds is unbounded, and clocks calculate with it.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct StartBoundTests {
    @Test(
        "a start outside the calendar is ignored",
        arguments: [
            (Int64.min, Int64?.none), (-1, nil), (0, 0), (253_402_300_799, 253_402_300_799), (253_402_300_800, nil),
            (.max, nil),
        ]
    )
    func aStartIsBounded(given: Int64, start: Int64?) throws {
        #expect(MatchInfo(format: .odi, teams: [], startsAt: given).startsAt == start)
        #expect(Fixture(id: ProviderMatchID(unchecked: "1"), startsAt: given).startsAt == start)
        let more = #","timestamp_start":"\#(given)""#
        // A text that is not a whole number is no start either.
        let read = try EntitySportSample.snapshot(more: more).info.startsAt
        #expect(read == start)
    }
}
