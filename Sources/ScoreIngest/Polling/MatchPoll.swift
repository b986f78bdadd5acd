// The state of a polled match between two requests, and the rules for giving it up or polling it less.

internal import MatchEngine
internal import MatchJournal
internal import Providers
internal import ScoreTypes

/// The polling of one match; `MatchPoll+Events` says what its task does next.
struct MatchPoll: Sendable {
    /// Why the polling of a match ends.
    enum End: Sendable, Hashable {
        /// It is over and past its tail, or it never began.
        case done
        /// The provider does not know it any more.
        case gone
        /// Its provider's id means another match by now.
        case renamed
        /// A more urgent match needs its place.
        case displaced
    }

    /// Why a round was not answered completely.
    enum RoundFailure: Sendable {
        /// The limits stopped it for this real time.
        case refused(wait: Duration)
        /// A request failed; `isInPlay` as in `MatchEvent.requested`.
        case failed(FetchFailure, isInPlay: Bool)
    }

    /// The match as the provider names it.
    let id: ProviderMatchID
    let feed: FeedConfiguration
    /// Its entry of the list, as last read.
    private(set) var entry: Fixture
    /// Whether the list has it, as last read.
    private(set) var isListed: Bool
    /// Why its task ends; nil while it is polled.
    var end: End?
    /// The phase at the last reply.
    private(set) var phase: PlayPhase
    /// Whether nothing has changed for long though it should be in play.
    private(set) var isStill = false
    /// Whether the feed was paused at the last turn.
    var isPaused = false

    // MARK: Requests

    /// Its replies, and their outcomes.
    var replies = MatchReplies()
    /// The pushes since the last round.
    var pushed = PushedUpdates()
    /// When something was pushed last, by the monotonic clock.
    var pushedAt: Duration?
    /// Notices that no complete round has followed yet.
    var notices: [ProviderNotice] = []
    /// When the limits stopped the round for the first time, by the monotonic clock; nil when they have not.
    private var stoppedAt: Duration?
    /// Why the last round failed, while what was pushed is handed over.
    var failure: RoundFailure?
    /// The subscription for the provider's pushes.
    var subscription = Subscription()

    /// An operator's orders to rebuild the match from its next reply, counted.
    private var resyncs = 0
    /// The last of them that was carried out, or is void.
    private var resyncsDone = 0

    // MARK: Times

    /// When it is polled next, by the monotonic clock.
    var dueAt: Duration
    /// When it is polled after the breaker has closed, if it is woken for that: hundreds of matches at once would open
    /// the breaker again.
    var resumesAt: Duration?
    /// Real time until the next poll, to be reported with the next tick.
    var nextPollIn: Duration?
    var backoff = Backoff()
    /// Real time of the last change, or of the first answer.
    private var changedAt: Duration?
    private var endedAt: Duration?
    private var wasOverAtFirst = false
    private var isFirst = true
    /// Whether the list has had it as resting since it was in play.
    private var wasListedResting: Bool
    /// When the list was read last.
    private var listedAt: Instant

    // MARK: Replies

    /// The status in its last snapshot; nil before the first.
    private var status: MatchStatus?
    /// Answers in a row that did not know it, and real time of the first of them.
    private var gone = 0
    private var goneSince: Duration?

    init(_ fixture: Fixture, of feed: FeedConfiguration, isListed: Bool, _ context: PollContext) {
        (id, self.feed, entry, self.isListed) = (fixture.id, feed, fixture, isListed)
        phase = fixture.playPhase ?? .before
        (dueAt, listedAt, wasListedResting) = (context.now, context.wall, fixture.isResting)
    }

    /// How urgent it is to poll the match.
    func urgency(at wall: Instant) -> Urgency {
        if isStill { return .still }
        return switch phase {
        case .live: .live
        case .pause, .overnight: .pause
        case .before: untilStart(at: wall) == nil ? .due : .ahead
        case .over: .over
        }
    }

    /// The use of a request about the match: play that has begun, or should have.
    func use(at wall: Instant) -> RequestUse {
        if isStill { return .background }
        return switch phase {
        case .live, .pause: .play
        case .before: entry.startsAt != nil && untilStart(at: wall) == nil ? .play : .background
        case .overnight, .over: .background
        }
    }

    /// Real time until its start; nil when that has come, should have, or is unknown.
    func untilStart(at wall: Instant) -> Duration? {
        guard phase == .before, let startsAt = entry.startsAt, startsAt > wall.seconds else { return nil }
        return wall.duration(toSeconds: startsAt)
    }

    // MARK: The list

    /// Takes its entry of a list that was read, which may be a reason to poll it at once; nil when it is not listed.
    ///
    /// Between days a match is polled seldom, and the list is read every minute: what it calls live again is live, or
    /// is about to be. The match is polled with each list until its own page says so; where a list says live day and
    /// night, that is no reason.
    ///
    /// - Returns: Whether its start has come, or the list calls it live again, while it rests by its own page; or the
    ///   list has another status for it while it stands still.
    mutating func listed(_ fixture: Fixture?, at wall: Instant) -> Bool {
        isListed = fixture != nil
        guard let fixture else { return false }
        let before = listedAt.seconds
        let isOther = fixture.status != entry.status
        (listedAt, entry) = (wall, fixture)
        if isStill && isOther { return true }
        guard phase == .overnight || phase == .before else {
            wasListedResting = false
            return false
        }
        if fixture.isResting { wasListedResting = true }
        let hasStarted = fixture.startsAt.map { before < $0 && $0 <= wall.seconds } ?? false
        return hasStarted || wasListedResting && fixture.playPhase == .live
    }

    // MARK: Rounds

    /// The provider has pushed something; without a push the match is only polled at once.
    mutating func wasPushed(_ push: ProviderPush?, now: Duration) {
        pushedAt = now
        resumesAt = nil
        if let push { pushed.take(push) }
    }

    /// Forgets the stored replies, so that the next round requests everything, and rebuilds the match from it.
    mutating func resync() {
        resyncs += 1
        replies.store = PartStore()
        (failure, resumesAt) = (nil, nil)
    }

    /// Whether an order to rebuild the match is still to be carried out.
    var isResyncing: Bool { resyncs > resyncsDone }

    /// A reply was handed over to rebuild the match, by this order or an earlier one.
    mutating func wasResynced(by order: Int) { resyncsDone = max(resyncsDone, order) }

    /// No reply of this node may rebuild the match for the orders so far.
    mutating func voidResyncs() { resyncsDone = resyncs }

    /// The next round of requests, after what was pushed.
    mutating func round(_ session: ProviderSession, _ context: PollContext) -> RequestRound {
        let updates = takePushed(context)
        var round = RequestRound(.match(id, after: updates), feed.adapter, session, replies.store)
        round.use = use(at: context.wall)
        round.resyncs = resyncs
        return round
    }

    /// Whether an order to rebuild the match came after a round had begun: its replies are of no use for that.
    func isOutdated(_ round: RequestRound) -> Bool { round.resyncs != resyncs }

    /// Takes the pushes, from which the next round starts: replies as they are, notices until a complete round has
    /// followed them.
    mutating func takePushed(_ context: PollContext) -> PushedUpdates {
        let updates = pushed.after(notices)
        pushed = PushedUpdates()
        for part in updates.parts.parts {
            if let body = updates.parts[part] { replies.store.take(body, etag: nil, of: part) }
        }
        // The subject of a notice has changed since a stopped round requested it.
        if updates.notices != notices { replies.store.roundEnded() }
        notices = updates.notices
        if replies.store.answered.isEmpty { stoppedAt = nil }
        // Parts of very different age make no snapshot.
        if let stoppedAt, context.now - stoppedAt > IngestLimits.stoppedRoundLife {
            replies.store.roundEnded()
            self.stoppedAt = nil
        }
        return updates
    }

    /// The limits have stopped a round.
    mutating func wasStopped(now: Duration) { stoppedAt = stoppedAt ?? now }

    // MARK: Replies

    /// Records a snapshot that was handed over; `isAnswer` says whether the provider has answered the whole round.
    mutating func handedOver(_ status: MatchStatus, _ acceptance: Acceptance, isAnswer: Bool = true, now: Duration) {
        replies.handedOver(acceptance)
        switch acceptance {
        case .applied, .standby, .held: (changedAt, isStill) = (now, false)
        case .unchanged, .dropped: break
        }
        switch acceptance {
        case .applied, .unchanged, .standby:
            self.status = status
            note(PlayPhase(of: status), now)
        case .held, .dropped: break
        }
        if isAnswer && !replies.isEmptied { answered() }
    }

    /// Records an answer without news.
    mutating func answered() {
        backoff.succeeded()
        (gone, goneSince) = (0, nil)
    }

    /// Records a failure, nil for an answer of no use; returns the real time to wait.
    ///
    /// A match in play, which has begun and is not over, is gone only after `IngestLimits.goneGrace`, and not while the
    /// list has it.
    mutating func failed(_ failure: FetchFailure?, isInPlay: Bool = false, _ context: PollContext) -> Duration {
        if failure?.isGone == true {
            let since = goneSince ?? context.now
            (gone, goneSince) = (gone + 1, since)
            let isWithinGrace = context.now - since < context.clock.real(IngestLimits.goneGrace)
            if gone >= IngestLimits.goneMax, !(isInPlay && (isListed || isWithinGrace)) { end = end ?? .gone }
        } else {
            (gone, goneSince) = (0, nil)
        }
        return backoff.failed(retryAfter: failure?.retryAfter, context)
    }

    // MARK: Waits

    /// After an answer: whether the match has stood still for long, and whether it is given up because it should have
    /// begun long ago.
    ///
    /// Without an answer, as on a plan that is used up, nothing is known of either. A start that is known to be delayed
    /// may be put off to another day.
    mutating func weigh(_ context: PollContext) {
        let since = changedAt ?? context.now
        changedAt = since
        let isDue =
            switch phase {
            case .live, .pause: true
            case .before: untilStart(at: context.wall) == nil
            case .overnight, .over: false
            }
        isStill = isDue && context.now - since >= context.clock.real(IngestLimits.stillAfter)
        guard phase == .before, let startsAt = entry.startsAt, entry.playPhase ?? .before == .before else { return }
        let isDelayed = status != .scheduled && status != .lineups
        let late = context.clock.real(IngestLimits.lateMax, .lateStart)
        let limit = isDelayed ? IngestLimits.historyAfter : late
        if context.wall.duration(toSeconds: startsAt) < .zero - limit { end = end ?? .done }
    }

    /// Real time until the next poll after an answer; sets `end` when none is needed any more.
    ///
    /// `look` is real time until another answer confirms a pending alert; nil when none is pending.
    mutating func wait(_ cadence: Cadence, look: Duration?, _ context: PollContext) -> Duration {
        let endedFor = endedAt.map { context.now - $0 }
        let wait = cadence.wait(in: phase, endedFor: endedFor, wasOverAtFirst: wasOverAtFirst, context)
        if let soon = Cadence.waitForSecondLook(held: replies.held, context) { return min(soon, wait ?? soon) }
        if let look { return Cadence.wait(wait, look: look, context.clock) }
        guard let wait else {
            end = end ?? .done
            return .zero
        }
        return seldom(wait, context)
    }

    /// A wait, or that of the night for a match that stands still.
    func seldom(_ wait: Duration, _ context: PollContext) -> Duration {
        isStill ? max(wait, context.wait(feed.cadence.overnight, .rest)) : wait
    }

    private mutating func note(_ phase: PlayPhase, _ now: Duration) {
        if isFirst { wasOverAtFirst = phase == .over }
        isFirst = false
        self.phase = phase
        if phase != .over {
            endedAt = nil
            wasOverAtFirst = false
        } else if endedAt == nil {
            endedAt = now
        }
    }
}

extension Fixture {
    /// Whether the list says that its play is of another day, or has not begun.
    fileprivate var isResting: Bool { playPhase == .overnight || playPhase == .before }
}
