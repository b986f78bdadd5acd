// The state of a poller, driven by a test: no server, no task, and a clock that the test moves.

import MatchEngine
import ScoreTypes
import TestSupport

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

/// The state of one feed, and what a poller would report to it.
struct PolledFeed {
    static let configuration = FeedConfiguration(
        id: FeedID(unchecked: "feed"),
        baseURL: "http://localhost",
        adapter: ListAdapter(),
        security: .local()
    )

    let hand = ManualClock()
    var state: FeedState

    init() { state = FeedState(Self.configuration, ManualClock().context()) }

    /// An entry of the list; `offset` is its start in seconds from the begin of the test.
    static func fixture(_ id: String, _ status: MatchStatus?, _ offset: Int64? = nil) -> Fixture {
        let start = offset.map { ManualClock.wallAtZero.seconds + $0 }
        return Fixture(id: ProviderMatchID(unchecked: id), startsAt: start, status: status)
    }

    /// Handles an event of the feed.
    @discardableResult
    mutating func handle(_ event: FeedState.Event, jitter: Double = 0.5) -> [FeedState.Action] {
        state.handle(event, hand.context(jitter: jitter))
    }

    /// The task of a match was woken.
    static let early = MatchEvent.turn(isEarly: true, isDutyHeld: true, isPaused: false)

    /// Handles an event of a match.
    @discardableResult
    mutating func handle(_ event: MatchEvent, of id: String, jitter: Double = 0.5) -> [MatchAction] {
        state.handle(event, of: MatchID(unchecked: id), hand.context(jitter: jitter))
    }

    /// Reads a list; returns the matches whose polling begins, in this order.
    mutating func read(_ list: [Fixture]) -> [String] { Self.started(handle(.listEnded(.read(list)))) }

    static func started(_ actions: [FeedState.Action]) -> [String] {
        actions.compactMap { if case .start(let match) = $0 { match.text } else { nil } }
    }

    static func woken(_ actions: [FeedState.Action]) -> [String] {
        actions.compactMap { if case .wake(let match) = $0 { match.text } else { nil } }
    }

    /// The record of a polled match; nil when it is not polled.
    func poll(_ id: String) -> MatchPoll? { state.matches[MatchID(unchecked: id)]?.poll }

    /// The task of a match ends.
    mutating func end(_ id: String) { handle(.ended(MatchID(unchecked: id))) }

    /// The provider answers that it does not know a match, up to the limit, and its task ends.
    mutating func lose(_ id: String) {
        for _ in 0..<IngestLimits.goneMax {
            handle(.requested(Self.round(id, .failed(PolledFeed.unknown)), isInPlay: false), of: id)
        }
        end(id)
    }

    /// The answer of a provider that does not know a match.
    static let unknown = FetchFailure(label: .http4xx, status: 404, retryAfter: nil)

    /// A round of requests for a match with this outcome.
    static func round(
        _ id: String,
        _ outcome: FetchOutcome,
        after updates: PushedUpdates = PushedUpdates()
    ) -> RequestRound {
        let id = ProviderMatchID(unchecked: id)
        var round = RequestRound(.match(id, after: updates), ListAdapter(), ProviderSession(), PartStore())
        while let request = round.next() { round.take(outcome, of: request) }
        return round
    }
}

extension MatchPoll {
    /// A match of a feed that a test polls.
    init(_ fixture: Fixture, isListed: Bool = true, _ hand: ManualClock = ManualClock()) {
        self.init(fixture, of: PolledFeed.configuration, isListed: isListed, hand.context())
    }
}
