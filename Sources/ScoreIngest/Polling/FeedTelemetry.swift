// The events of a feed are counted, logged and shown to operators in one place.

internal import CurlTransfer
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import Metrics
internal import Providers
internal import ScoreTypes

/// The metrics, the log and the status of one feed; each counter is made at the start, so that a rate is known before
/// the first failure.
struct FeedTelemetry: Sendable {
    /// The effect of a reply.
    private enum ChangeKind: String, CaseIterable {
        case applied, noop, duplicate, held, outOfOrder, rejected, standby
    }

    /// The status for operators; the poller adds the facts that it alone has.
    private(set) var status: FeedStatus
    private let logger: Logger
    private let requests: [FetchLabel: Counter]
    private let changes: [ChangeKind: Counter]
    private let held: [GateReason: Counter]
    private let refused: [FetchLabel: Counter]
    private let duration: Timer
    private let size: Recorder
    private let lastSuccess: Gauge
    private let breaker: Gauge
    private let interval: Gauge
    private let listInterval: Gauge
    private let lag: Recorder
    private let unknownWords: Gauge
    private let budgetWaits: Counter
    private let listsCut: Counter
    private var breakerGauge = 0

    init(_ feed: FeedID, _ logger: Logger) {
        status = FeedStatus(feed: feed)
        self.logger = logger
        let place = [("feed", feed.text)]
        requests = Counter.started("score_feed_requests_total", place, by: "outcome", FetchLabel.allCases)
        changes = Counter.started("score_feed_changes_total", place, by: "kind", ChangeKind.allCases)
        held = Counter.started("score_feed_quarantined_payloads_total", place, by: "cause", GateReason.allCases)
        refused = Counter.started("score_feed_quarantined_payloads_total", place, by: "cause", [.badJson, .badSchema])
        duration = Timer(label: "score_feed_request_duration_seconds", dimensions: place)
        size = Recorder(label: "score_feed_response_bytes", dimensions: place)
        lastSuccess = Gauge(label: "score_feed_last_success_timestamp_seconds", dimensions: place)
        breaker = Gauge(label: "score_feed_breaker_state", dimensions: place)
        interval = Gauge(label: "score_feed_poll_interval_seconds", dimensions: place)
        listInterval = Gauge(label: "score_feed_list_interval_seconds", dimensions: place)
        lag = Recorder(label: "score_feed_lag_seconds", dimensions: place)
        unknownWords = Gauge(label: "score_feed_unknown_words", dimensions: place)
        budgetWaits = Counter.started("score_feed_budget_waits_total", place)
        listsCut = Counter.started("score_feed_lists_cut_total", place)
        breaker.record(0)
    }

    // MARK: Requests

    /// A request was sent.
    mutating func sent() { status.requests += 1 }

    /// A request waits for the budget.
    mutating func waitedForBudget() {
        status.overBudget += 1
        budgetWaits.increment()
    }

    /// A reply came, usable or not.
    mutating func replied(_ reply: Reply, _ outcome: FetchOutcome) {
        status.bytes += reply.body.count
        guard outcome.isUsable else { return }
        duration.recordNanoseconds(Int64(reply.duration / .nanoseconds(1)))
        size.record(reply.body.count)
    }

    /// A usable answer came.
    mutating func answered(_ outcome: FetchOutcome) {
        if outcome == .notModified { status.consecutiveFailures = 0 }
        requests[outcome == .notModified ? .notModified : .ok]?.increment()
    }

    /// A request failed.
    mutating func failed(_ failure: FetchFailure, _ request: ProviderRequest, of match: MatchID?) {
        let reason = failure.label.rawValue + (failure.status.map { " \($0)" } ?? "")
        status.lastFailureReason = reason
        status.consecutiveFailures += 1
        requests[failure.label]?.increment()
        log(.warning, "request failed", match, ["reason": "\(reason)", "request": "\(request)"])
    }

    /// The breaker may have changed.
    mutating func breakerIs(_ gauge: Int) {
        guard gauge != breakerGauge else { return }
        breakerGauge = gauge
        breaker.record(gauge)
        log(.warning, "breaker changed", nil, ["state": "\(gauge)"])
    }

    // MARK: Replies

    /// A list or a snapshot could be read: an answer alone proves nothing, as a page for people may come with status
    /// 200.
    mutating func wasRead(at wall: Instant) {
        (status.lastSuccess, status.consecutiveFailures) = (wall, 0)
        lastSuccess.record(wall.seconds)
    }

    /// A reply could not be read; the error is without secrets.
    mutating func unreadable(_ error: AdapterError, of match: MatchID?) {
        let label: FetchLabel = error == .notJSON ? .badJson : .badSchema
        requests[label]?.increment()
        refused[label]?.increment()
        status.unreadable += 1
        status.consecutiveFailures += 1
        status.lastFailureReason = "\(label.rawValue) \(error)"
        log(.warning, "reply refused", match, ["reason": "\(error)"])
    }

    /// Further entries of a list or a table could not be read.
    func entriesUnreadable(_ count: Int) {
        if count > 0 { refused[.badSchema]?.increment(by: count) }
    }

    /// A list has more pages than are requested.
    func listWasCut(_ part: ReplyPart) {
        listsCut.increment()
        log(.warning, "list truncated", nil, ["list": "\(part)"])
    }

    /// A reply was the same as the one before.
    func unchanged() { changes[.duplicate]?.increment() }

    /// A snapshot was handed over.
    mutating func accepted(_ acceptance: Acceptance, _ reply: SeenReply, of match: MatchID) {
        switch acceptance {
        case .applied(let revision):
            changes[.applied]?.increment()
            let trace = RevisionTrace(match, revision: revision.number)
            log(.debug, "feed.reply.applied", match, ["rev": "\(revision.number)", "trace": "\(trace)"])
            unknownWords.record(reply.snapshot.unknownWords)
            // A provider's clock may run ahead of ours: a negative lag counts as 0.
            let at = reply.snapshot.deliveries.last?.occurredAt
            if let at { lag.record(max(0, reply.seenAt.seconds.subtractingReportingOverflow(at).partialValue)) }
        case .unchanged: changes[.noop]?.increment()
        case .standby: changes[.standby]?.increment()
        case .held(let reason): notAccepted(.held, reason)
        case .dropped(let reason): notAccepted(reason == .olderVersion ? .outOfOrder : .rejected, reason)
        }
    }

    private mutating func notAccepted(_ kind: ChangeKind, _ reason: GateReason) {
        changes[kind]?.increment()
        held[reason]?.increment()
        status.notAccepted += 1
        log(.notice, "reply held or dropped", nil, ["reason": "\(reason)", "held": "\(kind == .held)"])
    }

    // MARK: Polling

    /// A match is polled again after this real time.
    mutating func pollInterval(_ wait: Duration) {
        status.pollInterval = wait
        interval.record(wait / .seconds(1))
    }

    /// No match is polled any more.
    mutating func pollsNoMatch() {
        status.pollInterval = nil
        interval.record(0)
    }

    /// The list is read again after this real time; after a failure it is read sooner, which is no measure of silence.
    func listEnded(_ outcome: FixtureList.Outcome, next wait: Duration) {
        if case .failed = outcome { return }
        listInterval.record(wait / .seconds(1))
    }

    /// The provider has pushed something.
    mutating func wasPushed(at wall: Instant) { status.lastNotice = wall }

    /// Another node polls the feed, and shows what is true of it now.
    mutating func standBy() {
        (status.pollInterval, breakerGauge) = (nil, 0)
        for gauge in [breaker, interval, listInterval, unknownWords] { gauge.record(0) }
    }

    /// Something failed, and is tried again.
    func warn(_ message: String, of match: MatchID? = nil, _ error: any Error) {
        log(.warning, "\(message)", match, ["reason": "\(error)"])
    }

    /// The writer of a match failed.
    func writerFailed(_ error: any Error, of match: MatchID) {
        log(.error, "writer failed", match, ["reason": "\(error)"])
    }

    /// Signing in failed, or the tables could not be read; it is tried again after a real time.
    func notOpened(_ wait: Duration) { log(.warning, "feed not opened", nil, ["wait": "\(wait)"]) }

    private func log(_ level: Logger.Level, _ message: Logger.Message, _ match: MatchID?, _ more: Logger.Metadata) {
        var metadata = more
        metadata["feed"] = "\(status.feed)"
        if let match { metadata["match.id"] = "\(match)" }
        logger.log(level: level, message, metadata: metadata)
    }
}

extension MatchSnapshot {
    /// Balls with a dismissal of an unknown kind, and the status when its word is unknown.
    fileprivate var unknownWords: Int {
        deliveries.count { $0.dismissals.contains { $0.kind == .other } } + (status.isUnknown ? 1 : 0)
    }
}
