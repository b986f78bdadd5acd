// The end of an innings in the match document may precede the page of its last over: it waits for its balls.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import ScoreLab

private typealias Sample = RoanuzSample

@Suite struct RoanuzEndTests {
    private static let completed = #","is_completed":true"#
    /// Before and after the time of the sample match.
    private static let (older, newer) = (1_698_396_790.0, 1_698_396_796.0)

    /// The first innings in its break after three balls, with a page of a given time.
    private func pause(balls: Int, pageMadeAt: Double?) throws -> InningsInfo {
        let match = Sample.match(
            status: "innings_break",
            innings: ["a_1": Sample.innings((0, 3), runs: 3, extras: Self.completed)]
        )
        let page = Sample.page("a_1", 0, (1...balls).map { Sample.plain(0, $0, bat: 1) }, madeAt: pageMadeAt)
        let replies = ProviderReplies([.match: match, .balls: page])
        return try RoanuzAdapter().snapshot(replies, ProviderSession()).innings[0]
    }

    @Test func anInningsIsOpenUntilItsLastBallsArrive() throws {
        #expect(try pause(balls: 2, pageMadeAt: Self.older).isClosed == false)
        #expect(try pause(balls: 3, pageMadeAt: Self.older).isClosed)
    }

    /// Missing balls must not keep an innings open: a newer page without them shows that the feed lacks them.
    @Test func aCurrentPageDelaysNothing() throws {
        #expect(try pause(balls: 2, pageMadeAt: Self.newer).isClosed)
        #expect(try pause(balls: 2, pageMadeAt: nil).isClosed)
    }

    /// A chase of seven after six balls: four and four; the page has only the first until it is read again.
    private func chase(isWon: Bool, balls: Int, pageMadeAt: Double) throws -> MatchSnapshot {
        let chase =
            isWon
            ? Sample.innings((0, 2), runs: 8, extras: Self.completed) : Sample.innings((0, 1), runs: 4)
        let match = Sample.match(
            order: ["a_1", "b_1"],
            innings: ["a_1": Sample.innings((1, 0), runs: 6, extras: Self.completed), "b_1": chase],
            play: #","target":{"runs":7,"balls":120,"dl_applied":false}"#
        )
        let over = (1...6).map { Sample.plain(0, $0, bat: 1) }
        let fours = (1...balls).map { Sample.plain(0, $0, bat: 4, innings: 2) }
        let replies = ProviderReplies([
            .match: match, .balls("a_1_0"): Sample.page("a_1", 0, over),
            .balls: Sample.page("b_1", 0, fours, before: "a_1_0", madeAt: pageMadeAt),
        ])
        return try RoanuzAdapter().snapshot(replies, ProviderSession())
    }

    @Test func aWonChaseIsNotAnnouncedAsAnInningsEnd() throws {
        let clock = ServiceClock(monotonic: { .zero }, wall: { Instant(milliseconds: 1_698_396_800_000) })
        var rehearsal = MatchRehearsal(match: MatchID(unchecked: "m1"), provider: .roanuz, clock: clock)
        _ = rehearsal.accept(try chase(isWon: false, balls: 1, pageMadeAt: Self.newer))
        for _ in 0..<3 { _ = rehearsal.accept(try chase(isWon: true, balls: 1, pageMadeAt: Self.older)) }
        #expect(rehearsal.alerts.filter { $0.kind == .inningsEnd && $0.innings == 2 }.isEmpty)
        _ = rehearsal.accept(try chase(isWon: true, balls: 2, pageMadeAt: Self.newer))
        #expect(rehearsal.match.result?.kind == .wickets(10))
        #expect(rehearsal.audit.revoked.isEmpty)
    }
}
