// What happens to a feed is counted, logged and shown to operators in one place.

internal import Logging
internal import MatchEngine
internal import ScoreTypes

/// The metrics, the log and the status of one feed.
struct FeedTelemetry: Sendable {
    /// What operators see; the poller adds what it alone knows.
    private(set) var status: FeedStatus
    private let metrics: FeedMetrics
    private let logger: Logger
    private var breakerGauge = 0

    init(_ feed: FeedID, _ logger: Logger) {
        status = FeedStatus(feed: feed)
        metrics = FeedMetrics(feed: feed)
        self.logger = logger
    }

    // MARK: Requests

    /// A request was sent.
    mutating func sent() { status.requests += 1 }

    /// A request waits for the budget.
    mutating func waitedForBudget() {
        status.overBudget += 1
        metrics.overBudget()
    }

    /// A reply came, usable or not.
    mutating func replied(_ reply: Reply, _ outcome: FetchOutcome) {
        status.bytes += reply.body.count
        if outcome.isUsable { metrics.answered(in: reply.duration, bytes: reply.body.count) }
    }

    /// A usable answer came.
    func answered(_ outcome: FetchOutcome) {
        if case .notModified = outcome { metrics.requested(.notModified) } else { metrics.requested(.ok) }
    }

    /// A request failed.
    mutating func failed(_ failure: FetchFailure, _ request: ProviderRequest, of match: MatchID?, at wall: Instant) {
        let reason = failure.label.rawValue + (failure.status.map { " \($0)" } ?? "")
        noteFailure(reason, at: wall)
        metrics.requested(failure.label)
        log(.warning, "request failed", match, ["reason": "\(reason)", "request": "\(request)"])
    }

    /// The breaker may have changed.
    mutating func breakerIs(_ breaker: CircuitBreaker) {
        guard breaker.gauge != breakerGauge else { return }
        breakerGauge = breaker.gauge
        metrics.breakerIs(breakerGauge)
        log(.warning, "breaker changed", nil, ["state": "\(breakerGauge)"])
    }

    // MARK: Replies

    /// A list or a snapshot could be read: an answer alone proves nothing, as a page for people may come with status 200.
    mutating func wasRead(at wall: Instant) {
        status.lastSuccess = wall
        metrics.wasRead(at: wall)
    }

    /// A reply could not be read; the error is without secrets.
    mutating func unreadable(_ error: AdapterError, of match: MatchID?, at wall: Instant) {
        let label: FetchLabel = error == .notJSON ? .badJson : .badSchema
        metrics.requested(label)
        metrics.quarantined(label.rawValue)
        status.unreadable += 1
        noteFailure("\(label.rawValue) \(error)", at: wall)
        log(.warning, "reply refused", match, ["reason": "\(error)"])
    }

    /// Further entries of a list or a table could not be read.
    func quarantined(entries count: Int) {
        for _ in 0..<max(0, count) { metrics.quarantined(FetchLabel.badSchema.rawValue) }
    }

    /// A list has more pages than are requested.
    func listWasCut(_ part: ReplyPart) {
        metrics.listWasCut()
        log(.warning, "list cut short", nil, ["list": "\(part)"])
    }

    /// A reply was the same as the one before.
    func unchanged() { metrics.changed(.duplicate) }

    /// A snapshot was handed over.
    mutating func accepted(_ acceptance: Acceptance, _ reply: SeenReply) {
        switch acceptance {
        case .applied:
            metrics.changed(.applied)
            metrics.unknownWordsAre(reply.snapshot.unknownWords)
            if let at = reply.snapshot.deliveries.last?.occurredAt {
                metrics.lagged(reply.seenAt.seconds.subtractingReportingOverflow(at).partialValue)
            }
        case .unchanged: metrics.changed(.noop)
        case .standby: metrics.changed(.standby)
        case .held(let reason): doubted(.held, reason)
        case .dropped(let reason): doubted(reason == .olderVersion ? .outOfOrder : .rejected, reason)
        }
    }

    private mutating func doubted(_ kind: FeedMetrics.ChangeKind, _ reason: GateReason) {
        metrics.changed(kind)
        metrics.quarantined(reason.rawValue)
        status.doubted += 1
        let metadata: Logger.Metadata = [
            "feed": "\(status.feed)", "reason": "\(reason)", "held": "\(kind == .held)",
        ]
        logger.notice("reply doubted", metadata: metadata)
    }

    // MARK: Polling

    /// A match is polled again after this real time.
    mutating func pollInterval(_ wait: Duration) {
        status.pollInterval = wait
        metrics.intervalIs(wait)
    }

    /// The provider has pushed something.
    mutating func wasPushed(at wall: Instant) { status.lastNotice = wall }

    /// Another node polls the feed, and shows what is true of it now.
    mutating func standBy() {
        status.pollInterval = nil
        breakerGauge = 0
        metrics.standsBy()
    }

    // MARK: Log

    /// Something about the feed or a match failed, and is tried again.
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
        if let match { metadata["match"] = "\(match)" }
        logger.log(level: level, message, metadata: metadata)
    }

    private mutating func noteFailure(_ reason: String, at wall: Instant) {
        status.lastFailure = wall
        status.lastFailureReason = reason
    }
}

extension MatchSnapshot {
    /// Balls with a dismissal of an unknown kind, and the status when its word is unknown.
    fileprivate var unknownWords: Int {
        deliveries.count { $0.dismissals.contains { $0.kind == .other } } + (status.isUnknown ? 1 : 0)
    }
}
