// A proof folds thousands of matches: the decisions have to be those of the writer, without its database.

import MatchEngine
import MatchJournal
import ScoreTypes

/// A writer that writes nothing: what it makes of each reply is what `MatchWriter` makes of it.
struct MatchRehearsal: Sendable {
    /// An append, and when a writer would have made it.
    struct TimedAppend: Sendable {
        let append: JournalAppend
        let at: Instant
    }

    /// Announced moments, in their order.
    private(set) var news: [Moment] = []
    /// Moments that were too old for an announcement when they were first seen.
    private(set) var history: [Moment] = []

    /// The appends to the journal, in their order.
    private(set) var appends: [TimedAppend] = []

    /// The over of each wicket of `news` at its announcement, by its index there.
    private var overs: [Int: BowledOver] = [:]
    private var state: WriterState
    private let source: JournalSource
    private let clock: ServiceClock
    /// Observations about the feed of the match.
    private(set) var observations: [MomentObservation] = []

    /// Begins with an unknown match; by default its feed is unknown, too.
    init(match: MatchID, provider: Provider, clock: ServiceClock, waits: [MomentClass: Int] = [:]) {
        let feed = FeedID(unchecked: provider.rawValue)
        self.clock = clock
        source = JournalSource(provider, feed)
        state = WriterState(
            match: match,
            revision: Revision(epoch: MatchWriter.randomEpoch(), number: 0),
            gate: Gate(clock),
            replica: MatchReplica(options: EngineOptions()),
            waits: ConfirmationWaits(clock, seconds: waits),
            clock: clock,
            now: clock.monotonic
        )
    }

    /// The folded match.
    var match: MatchState { state.folded }

    /// The match as a journal would have it.
    var record: MatchRecord { state.record }

    /// Takes a reading of the match.
    mutating func accept(_ snapshot: MatchSnapshot) -> Acceptance {
        let reply = SeenReply(snapshot, seenAt: clock.wall, source: source)
        let decision = state.decide(.reply(reply), at: clock.wall, now: clock.monotonic)
        return Acceptance(decision.verdict, revision: adopt(decision))
    }

    /// Notes that the feed replied and that nothing had changed.
    mutating func unchanged() { decide(.unchanged(source)) }

    /// Confirms what has waited long enough, notes a silence; `wait` as it is afterwards.
    @discardableResult
    mutating func tick() -> Duration? {
        let now = clock.monotonic
        decide(.time)
        _ = state.markSilence(now: now, wall: clock.wall)
        return wait
    }

    /// Real time until an answer confirms a pending moment; nil when none does.
    var look: Duration? { state.look(now: clock.monotonic) }

    /// Whether the match is published as silent.
    var isSilent: Bool { state.silentSince != nil }

    /// Real time until `tick` has an effect; nil when only a reply has one.
    var wait: Duration? { state.wait(now: clock.monotonic, wall: clock.wall) }

    private mutating func decide(_ event: WriterState.Event) {
        _ = adopt(state.decide(event, at: clock.wall, now: clock.monotonic))
    }

    private mutating func adopt(_ decision: WriterState.Decision) -> Revision? {
        observations += decision.observations
        guard let revision = state.adopt(decision), let append = decision.append else { return nil }
        appends.append(TimedAppend(append: append, at: clock.wall))
        let spent = append.changes.compactMap { if case .confirmed(let keys) = $0 { keys } else { nil } }
        for (index, keys) in spent.enumerated() {
            let keys = Set(keys)
            let moments = state.folded.moments.filter { keys.contains($0.key) }
            // Announced moments are last; history comes before them, or alone.
            if append.cause == .confirmation && index == spent.count - 1 {
                for moment in moments {
                    overs[news.count] = over(of: moment)
                    news.append(moment)
                }
            } else {
                history += moments
            }
        }
        return revision
    }

    // MARK: What to judge

    /// Where the ball of a wicket stands; nil for all else, which has no ball or may be reached with another one.
    private func over(of moment: Moment) -> BowledOver? {
        guard moment.kind == .wicket else { return nil }
        return moment.delivery.flatMap(state.record.delivery).map(BowledOver.init)
    }

    /// The sent alerts, compared with the match as it is now.
    var audit: AlertAudit {
        AlertAudit(
            announced: news.indices.filter { news[$0].isAlert }.map { .init(moment: news[$0], over: overs[$0]) },
            passedOver: history.filter(\.isAlert),
            current: state.folded.moments.filter(\.isAlert).map { .init(moment: $0, over: over(of: $0)) }
        )
    }

    /// Moments that were announced with an alert.
    var alerts: [Moment] { news.filter(\.isAlert) }
}
