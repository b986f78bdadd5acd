// The task that polls a match performs what this file decides, one action after the other, and reports each outcome.

internal import MatchEngine
internal import MatchJournal
internal import Providers
internal import ScoreTypes

/// The next action of a match's task; the last action of a list is one whose outcome is reported, or `end`.
enum MatchAction: Sendable {
    /// Close the sink, if it is open.
    case close
    /// Open the sink, if it is closed, and read the match: what cannot be written is not requested.
    case open
    /// Find the session of the feed: `session` or `postponed`.
    case findSession
    /// Send the requests of a round: `requested`.
    case request(RequestRound)
    /// Read replies and give the snapshot to the sink: `accepted` or `unreadable`; only an answer has to be readable.
    /// `resync` is the order by which the snapshot rebuilds the match.
    case handOver(PartStore, ProviderSession, isAnswer: Bool, resync: Int? = nil)
    /// Report to the sink that the provider has answered without news: `unchanged`.
    case reportUnchanged
    /// Subscribe the match for the provider's pushes: `subscribed`.
    case subscribe
    /// Do what time has made due, and report when the feed is polled again after an answer: `ticked`.
    case tick(nextPollIn: Duration?)
    /// Sleep for real time, or until woken: `turn`.
    case sleep(Duration)
    /// Close the sink and end the task.
    case end
}

/// An event of a match that is polled.
enum MatchEvent: Sendable {
    /// Its task has begun, or its sleep is over.
    case turn(isEarly: Bool, isDutyHeld: Bool, isPaused: Bool)
    /// There is a session.
    case session(ProviderSession)
    /// There is no session before this real time has passed.
    case postponed(Duration)
    /// A round has ended; `isInPlay` says whether the journal has a match as in play that the provider does not know.
    case requested(RequestRound, isInPlay: Bool)
    /// The sink has taken a snapshot of this status; `resync` is that of `handOver`, and `look` is real time until an
    /// answer confirms a pending alert.
    case accepted(MatchStatus, Acceptance, resync: Int? = nil, look: Duration?)
    /// The replies could not be read; `reopens` says whether the feed is opened anew for it.
    case unreadable(AdapterError, reopens: Bool)
    /// The sink has noted an answer without news.
    case unchanged(look: Duration?)
    /// A subscription has ended; nil when nothing was sent.
    case subscribed(FetchOutcome?)
    /// The sink has done what was due; real time until the next time, nil when there is none.
    case ticked(Duration?)
    /// The sink has thrown.
    case writerFailed
}

extension MatchPoll {
    /// Decides what the task does next.
    ///
    /// ```
    /// turn ─▶ open ─▶ findSession ─▶ request ─▶ handOver or reportUnchanged ─▶ subscribe ─▶ tick ─▶ sleep ─▶ turn …
    ///   │       └── not due ─────────────────────────────────────────────────────▲            ▲        ▲
    ///   ├── the feed is paused ────────────────────────────────────────────────────────────────┘        │
    ///   └── the duty is lost ─▶ close ──────────────────────────────────────────────────────────────────┘
    /// ```
    mutating func handle(_ event: MatchEvent, _ context: PollContext) -> [MatchAction] {
        switch event {
        case .turn(let isEarly, let isDutyHeld, let isPaused):
            // A push is taken at once, and leaves the time of the next poll as it is.
            if isEarly, pushed.isEmpty { dueAt = resumesAt.take().map { min($0, dueAt) } ?? context.now }
            self.isPaused = isPaused
            return turn(isDutyHeld: isDutyHeld, context)
        case .session(let session): return [.request(round(session, context))]
        case .postponed(let wait): return polled(after: wait, context)
        case .requested(let round, let isInPlay): return requested(round, isInPlay: isInPlay, context)
        case .accepted(let status, let acceptance, let resync, let look):
            if let resync { wasResynced(by: resync) }
            handedOver(status, acceptance, isAnswer: failure == nil, now: context.now)
            if failure != nil { return interrupted(context) }
            return replies.isEmptied ? polled(after: failed(nil, context), context) : answered(look, context)
        case .unreadable(let error, let reopens):
            if failure != nil { return interrupted(context) }
            replies.couldNotRead(error)
            return polled(after: reopens ? .zero : failed(nil, context), context)
        case .unchanged(let look):
            answered()
            return answered(look, context)
        case .subscribed(let outcome):
            if let outcome { subscription.ended(outcome, context) }
            return [.tick(nextPollIn: nextPollIn.take())]
        case .ticked(let wait):
            if end != nil { return [.end] }
            let poll = isPaused ? IngestLimits.standbyInterval : dueAt - context.now
            return [.sleep(max(min(poll, wait ?? poll), IngestLimits.sleepMin))]
        case .writerFailed:
            forget()
            let wait = failed(nil, context)
            dueAt = context.now + wait
            return [.close, .sleep(wait)]
        }
    }

    private mutating func turn(isDutyHeld: Bool, _ context: PollContext) -> [MatchAction] {
        if end != nil { return [.end] }
        guard isDutyHeld else {
            // The next holder writes: the state here is old when the duty returns, and so is an order.
            forget()
            voidResyncs()
            return [.close, .sleep(IngestLimits.standbyInterval)]
        }
        // Confirmations and keep-alives go on while a feed is paused.
        if isPaused { return [.tick(nextPollIn: nil)] }
        return context.now >= dueAt || !pushed.isEmpty ? [.open, .findSession] : [.open] + rest(context)
    }

    /// Forgets the replies, which may be old, or half written.
    private mutating func forget() {
        replies.store = PartStore()
        (failure, nextPollIn) = (nil, nil)
    }

    private mutating func requested(_ round: RequestRound, isInPlay: Bool, _ context: PollContext) -> [MatchAction] {
        // The order has emptied the store, and is carried out by a round that requests everything.
        if isOutdated(round) { return polled(after: .zero, context) }
        replies.store = round.store
        switch round.outcome {
        case .answered?, nil:
            notices = []
            guard round.store.isFresh else { return [.reportUnchanged] }
            let order = isResyncing ? round.resyncs : nil
            return [.handOver(round.store, round.session, isAnswer: true, resync: order)]
        case .refused(let wait)?:
            wasStopped(now: context.now)
            failure = .refused(wait: wait)
        case .failed(let found)?: failure = .failed(found, isInPlay: isInPlay)
        }
        // Pushed parts are published, as far as they make a snapshot with the held parts.
        if round.hasPushedParts && round.store.isFresh {
            return [.handOver(round.store, round.session, isAnswer: false)]
        }
        return interrupted(context)
    }

    /// A round was not answered completely, and pushed parts are handed over.
    private mutating func interrupted(_ context: PollContext) -> [MatchAction] {
        switch failure.take() {
        case .refused(let wait)?:
            // From its start on a match has a larger share of the budget.
            return polled(after: min(wait, untilStart(at: context.wall) ?? wait), context)
        case .failed(let found, let isInPlay)?:
            return polled(after: seldom(failed(found, isInPlay: isInPlay, context), context), context)
        case nil: return rest(context)
        }
    }

    private mutating func answered(_ look: Duration?, _ context: PollContext) -> [MatchAction] {
        weigh(context)
        let silence = pushedAt.map { (context.now - $0) * context.clock.speed }
        let wait = wait(feed.cadence(of: entry, pushedWithin: silence), look: look, context)
        nextPollIn = wait
        dueAt = context.now + wait
        return rest(context)
    }

    /// Polls again after a real time; a round that was not answered puts off no poll that was due before.
    private mutating func polled(after wait: Duration, _ context: PollContext) -> [MatchAction] {
        let next = context.now + max(wait, IngestLimits.sleepMin)
        dueAt = dueAt <= context.now ? next : min(dueAt, next)
        return rest(context)
    }

    /// The actions after a round, or after a turn without one.
    private mutating func rest(_ context: PollContext) -> [MatchAction] {
        let isInPlay = phase == .live || phase == .pause
        if feed.isPushed, isInPlay, subscription.isDue(now: context.now) { return [.subscribe] }
        return [.tick(nextPollIn: nextPollIn.take())]
    }
}
