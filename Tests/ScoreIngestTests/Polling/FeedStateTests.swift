// Selection of the polled matches of a list, and displacement by others.

import MatchEngine
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct FeedStateTests {
    private func fixture(_ id: String, _ status: MatchStatus?, _ offset: Int64? = nil) -> Fixture {
        PolledFeed.fixture(id, status, offset)
    }

    @Test func matchesInPlayArePolledFirstAndDistantOnesAreNot() {
        let fixtures = [
            fixture("over", .result, -40_000), fixture("soon", .scheduled, 3_000), fixture("far", .scheduled, 9_000),
            fixture("live", .live), fixture("rain", .rain), fixture("old", .result, -8 * 86_400),
            fixture("unknown", nil, 60), fixture("live", .live),
            fixture("odd", .scheduled, .max / 2 - ManualClock.wallAtZero.seconds),
        ]
        var feed = PolledFeed()
        // A start outside the calendar is ignored.
        #expect(feed.read(fixtures) == ["live", "rain", "odd", "soon", "unknown", "over"])
        var other = PolledFeed()
        #expect(other.read([fixture("live", .live)]) == ["live"])
        #expect(other.read(fixtures).first == "rain")
    }

    @Test func aFinishedMatchIsPolledAgainWhenTheListHasItInPlay() {
        var feed = PolledFeed()
        #expect(feed.read([fixture("m", .result)]) == ["m"])
        feed.end("m")
        #expect(feed.read([fixture("m", .result)]).isEmpty)
        #expect(feed.read([fixture("m", .live)]) == ["m"])
        feed.end("m")
        #expect(feed.read([fixture("m", .result)]).isEmpty)
    }

    @Test(arguments: [MatchStatus.scheduled, .postponed]) func aPostponedMatchIsPolledBeforeItsNewStart(
        status: MatchStatus
    ) {
        var feed = PolledFeed()
        #expect(feed.read([fixture("m", .scheduled, -600)]) == ["m"])
        feed.end("m")
        #expect(feed.read([fixture("m", .postponed, -600)]).isEmpty)
        #expect(feed.read([fixture("m", .scheduled, -600)]).isEmpty)
        // Its new start is weeks away at first.
        #expect(feed.read([fixture("m", .scheduled, 20 * 86_400)]).isEmpty)
        #expect(feed.read([fixture("m", status, 1_800)]) == ["m"])
    }

    @Test func aCancelledMatchIsPolledWhenItIsListedAgain() {
        var feed = PolledFeed()
        #expect(feed.read([fixture("m", .cancelled, 1_800)]) == ["m"])
        feed.end("m")
        #expect(feed.read([fixture("m", .cancelled, 1_800)]).isEmpty)
        #expect(feed.read([fixture("m", .scheduled, 1_800)]) == ["m"])
    }

    @Test(arguments: [MatchStatus.scheduled, .live, .result]) func theNextListDecidesAboutAMissingMatch(
        status: MatchStatus
    ) {
        var feed = PolledFeed()
        let match = fixture("m", status, 1_800)
        #expect(feed.read([match]) == ["m"])
        feed.lose("m")
        #expect(feed.handle(.listEnded(.failed(retryAfter: nil))).isEmpty, "an older list has no effect")
        #expect(feed.read([match]) == ["m"] && feed.state.vanished.isEmpty)
        feed.lose("m")
        _ = feed.read([fixture("n", .live)])
        #expect(feed.state.vanished.map(\.text) == ["m"])
        #expect(feed.read([match]) == ["m"] && feed.state.vanished.isEmpty)
    }

    @Test("F16: a missing match that is listed is polled again; one that is listed as over is not polled for ever")
    func aMissingMatchThatIsListedIsPolledAgain() {
        var feed = PolledFeed()
        let list = [fixture("live", .live, -3_600), fixture("over", .noResult, -3_600)]
        #expect(feed.read(list + [fixture("unlisted", .live)]) == ["live", "unlisted", "over"])
        feed.lose("unlisted")
        for round in 0...IngestLimits.goneRetriesMax {
            feed.lose("live")
            feed.lose("over")
            #expect(feed.read(list) == (round < IngestLimits.goneRetriesMax ? ["live", "over"] : ["live"]))
            #expect(feed.state.vanished.map(\.text) == ["unlisted"])
        }
    }

    @Test func thePolledMatchesAreLimited() {
        var feed = PolledFeed()
        let fixtures = (0..<IngestLimits.polledMatchesMax + 9).map { fixture("m\($0)", .live) }
        #expect(feed.read(fixtures).count == IngestLimits.polledMatchesMax)
        #expect(feed.read(fixtures).isEmpty)
    }

    @Test func aMatchInPlayOrDueDisplacesADistantOne() {
        var feed = PolledFeed()
        let held =
            (1..<IngestLimits.polledMatchesMax).map { fixture("m\($0)", .live) } + [fixture("x", .result, -40_000)]
        #expect(feed.read(held).count == IngestLimits.polledMatchesMax)
        let waiting = [fixture("soon", .scheduled, 60), fixture("due", .scheduled, -60), fixture("rain", .rain)]
        let actions = feed.handle(.listEnded(.read(held + waiting)))
        #expect(PolledFeed.started(actions) == ["rain"] && PolledFeed.woken(actions) == ["x"])
        // The match that ends is displaced once, and its task still runs.
        #expect(feed.handle(.listEnded(.read(held + waiting))).isEmpty)
        #expect(feed.handle(PolledFeed.early, of: "x").count == 1)
    }

    @Test func aDecidedMatchOccupiesNoPlace() {
        var feed = PolledFeed()
        let held = (0..<IngestLimits.polledMatchesMax).map { fixture("m\($0)", .live) }
        #expect(feed.read(held).count == IngestLimits.polledMatchesMax)
        let book = AliasTable([Alias(.match, .sportmonks, "m0", means: "other")])
        #expect(PolledFeed.woken(feed.handle(.renamed(book))) == ["m0"])
        #expect(PolledFeed.started(feed.handle(.listEnded(.unchanged))) == ["other"])
        feed.end("m0")
        #expect(feed.state.matches[MatchID(unchecked: "m0")] == nil)
    }

    /// A full feed of paused matches, one of them displaced by a match in play.
    private func displaced() throws -> (feed: PolledFeed, list: [Fixture], match: String) {
        var feed = PolledFeed()
        let held = (0..<IngestLimits.polledMatchesMax).map { fixture("m\($0)", .live) }
        _ = feed.read(held)
        for found in held { feed.handle(.unchanged(look: nil), of: found.id.text) }
        feed.hand.advance(by: IngestLimits.stillAfter)
        for found in held { feed.handle(.unchanged(look: nil), of: found.id.text) }
        let list = held + [fixture("play", .live)]
        let actions = feed.handle(.listEnded(.read(list)))
        #expect(PolledFeed.started(actions) == ["play"])
        let match = try #require(PolledFeed.woken(actions).first)
        feed.end(match)
        return (feed, list, match)
    }

    @Test func aDisplacedMatchReturnsWhenItsEntryChanges() throws {
        var (feed, list, match) = try displaced()
        #expect(feed.read(list).isEmpty)
        let changed = list.map { $0.id.text == match ? fixture(match, .drinks) : $0 }
        #expect(feed.read(changed) == [match])
    }

    @Test func aDisplacedMatchReturnsWhenAPlaceIsFree() throws {
        var (feed, list, match) = try displaced()
        for other in list.prefix(3) where other.id.text != match { feed.end(other.id.text) }
        let gone = Set(list.prefix(3).map(\.id.text)).subtracting([match])
        let rest = list.filter { !gone.contains($0.id.text) } + [fixture("over", .result, -60)]
        #expect(feed.read(rest) == ["over", match])
    }

    @Test func anAnnouncedMatchMissingFromTheListIsExpected() {
        var feed = PolledFeed()
        let announced = ["a", "b", "c"].map { fixture($0, $0 == "c" ? .cancelled : .scheduled, 7_200) }
        func expected() -> [String] {
            feed.state.matches.values.compactMap { $0.expected?.id.text }.sorted()
        }
        _ = feed.read(announced)
        for fixture in announced { feed.state.wasAnnounced(fixture) }
        _ = feed.read(announced)
        #expect(expected().isEmpty)
        _ = feed.read([announced[1]])
        #expect(expected() == ["a"], "a cancelled match ends by itself")
        _ = feed.read([announced[1]])
        #expect(expected() == ["a"])
        _ = feed.read([announced[0]])
        #expect(expected() == ["b"])
        feed.hand.advance(by: .seconds(3_600))
        #expect(PolledFeed.started(feed.handle(.listEnded(.failed(retryAfter: nil)))) == ["a", "b"])
    }

    @Test func onlyTheNodeThatPollsRebuildsAMatch() {
        var feed = PolledFeed()
        _ = feed.read([fixture("m", .live)])
        let order = FeedState.Event.resynced(MatchID(unchecked: "m"))
        feed.handle(.duty(false))
        #expect(feed.handle(order).isEmpty, "another node polls it")
        feed.handle(.duty(true))
        feed.handle(.paused(true))
        #expect(feed.handle(order).isEmpty, "the order would be carried out after the pause")
        #expect(feed.poll("m")?.isResyncing == false)
        feed.handle(.paused(false))
        #expect(PolledFeed.woken(feed.handle(order)) == ["m"])
        #expect(feed.poll("m")?.isResyncing == true)
    }

    @Test func idleRecordsAreForgottenBeyondTheLimit() {
        var feed = PolledFeed()
        let fixtures = (0...IngestLimits.matchRecordsMax).map { fixture("m\($0)", .scheduled, 86_400) }
        _ = feed.read(fixtures)
        #expect(feed.state.matches.count == fixtures.count)
        _ = feed.read([fixture("n", .live)])
        #expect(feed.state.matches.keys.map(\.text) == ["n"])
    }
}

@Suite struct BreakerResumeTests {
    private func resumed(jitter: [Double]) -> (feed: PolledFeed, ids: [String]) {
        var feed = PolledFeed()
        let ids = jitter.indices.map { "m\($0)" }
        _ = feed.read(ids.map { PolledFeed.fixture($0, .live) })
        // Each is due in ten seconds.
        for id in ids { feed.handle(.postponed(.seconds(10)), of: id) }
        var draws = jitter[...]
        let context = PollContext(feed.hand.clock()) { draws.popFirst() ?? 0 }
        _ = feed.state.handle(.breakerClosed, context)
        return (feed, ids)
    }

    @Test func matchesWaitingForTheBreakerAreSpreadOverAnInterval() throws {
        var (feed, ids) = resumed(jitter: [0, 0.2, 0.4, 0.6, 0.8])
        let now = feed.hand.clock().monotonic
        for id in ids { feed.handle(PolledFeed.early, of: id) }
        let due = ids.compactMap { feed.poll($0)?.dueAt }
        #expect(due.allSatisfy { $0 >= now && $0 <= now + .seconds(5) })
        #expect(zip(due, due.dropFirst()).allSatisfy { $1 - $0 > .milliseconds(900) })
        // A match that is woken again is polled at once.
        feed.handle(PolledFeed.early, of: ids[4])
        #expect(feed.poll(ids[4])?.dueAt == now)
    }

    @Test func dueAndRequestedMatchesDoNotWaitForTheSpread() {
        var (feed, ids) = resumed(jitter: [1, 1, 1])
        let now = feed.hand.clock().monotonic
        feed.hand.advance(by: .seconds(8))
        feed.handle(PolledFeed.early, of: ids[0])
        #expect(feed.poll(ids[0])?.dueAt == now + .seconds(5))
        feed.handle(.pushed(MatchID(unchecked: ids[1]), nil))
        feed.handle(PolledFeed.early, of: ids[1])
        #expect(feed.poll(ids[1])?.dueAt == now + .seconds(8))
        feed.handle(.pollNow)
        feed.handle(PolledFeed.early, of: ids[2])
        #expect(feed.poll(ids[2])?.dueAt == now + .seconds(8))
    }
}
