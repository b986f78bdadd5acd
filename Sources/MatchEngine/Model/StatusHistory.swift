// Derives facts that no single status states: days ended, stoppages, overs lost.

/// Facts derived from the sequence of statuses seen so far.
struct StatusHistory: Sendable, Hashable, Codable {
    /// Play that resumed after a long stoppage.
    struct Resumption: Sendable, Hashable, Codable {
        /// The status that had stopped play.
        let cause: MatchStatus
        /// Start of the stoppage in seconds since 1970.
        let stoppedAt: Int64
    }

    /// A change of the status.
    struct Transition: Sendable, Hashable, Codable {
        /// The new status.
        let status: MatchStatus
        /// How often the status was entered, this time included; distinguishes one tea from another.
        let ordinal: Int
        /// The feed's text with it.
        let note: String?
        /// The status that had stopped play for less than an hour, when play resumes directly after it.
        let ended: MatchStatus?
    }

    /// A reduction of the ball limit.
    struct Reduction: Sendable, Hashable, Codable {
        /// Legal balls of an innings after it.
        let after: Int
    }

    /// How often stumps were drawn while this record was kept.
    private(set) var daysEnded = 0
    /// Whether the record was kept from before the first ball, so that `daysEnded` is complete.
    private(set) var isComplete = false
    /// Long stoppages that have ended.
    private(set) var resumptions: [Resumption] = []
    /// Changes of the status, in order.
    private(set) var transitions: [Transition] = []
    /// Reductions of the ball limit, in order.
    private(set) var reductions: [Reduction] = []
    /// Grows with every report, so that a change is detected without comparing histories.
    private(set) var version = 0
    /// Whether weather, light or another incident has stopped play.
    var hasStoppage: Bool { counts.keys.contains { $0.category == .stoppage } }
    /// Whether the last status about play, apart from the end of the match, was stumps or a rest day.
    var isBetweenDays: Bool {
        transitions.last { !$0.status.isFinal }?.status.isBetweenDays ?? false
    }
    /// Days since the record is kept, the present one included; after stumps the day that has ended.
    var daysCounted: Int { daysEnded + (isBetweenDays ? 0 : 1) }
    /// Days before the record was kept, by the last day that the feed stated; nil when it has stated none.
    private(set) var daysBefore: Int?
    private var counts: [MatchStatus: Int] = [:]
    /// The first report of a delay that play has not ended; an interval does not end it.
    private var stoppage: StatusReport?
    /// Seconds of its delays that have ended.
    private var delayed: Int64?
    /// Start of its present delay in seconds since 1970; nil during an interval, and when the time is unknown.
    private var delayedSince: Int64?
    private var hasReport = false

    /// Adds a report; `hasBalls` says whether the record has balls or a reported total.
    mutating func note(_ report: StatusReport, after old: StatusReport, hasBalls: Bool) {
        version &+= 1
        // The first report may be of a match that began long ago and whose balls are not received yet.
        if !hasBalls && (report.status.isBeforeStart || hasReport) && !report.status.isFinal { isComplete = true }
        hasReport = true
        if report.status == .stumps && old.status != .stumps && old.status != .restDay {
            daysEnded += 1
        }
        var ended: MatchStatus?
        if report.status.isDelay {
            if stoppage == nil { stoppage = report }
            if delayedSince == nil { delayedSince = report.since }
        } else if report.status == .live || report.status == .superOver {
            ended = resume(report, after: old)
        } else if report.status.isBetweenDays || report.status.isFinal {
            forgetStoppage()
        } else {
            endDelay(at: report.since)
        }
        if report.status != old.status { appendTransition(to: report, ended: ended) }
        if let day = StatedDay(report, after: old) { daysBefore = day.number - daysCounted }
    }

    /// Adds a limit of legal balls of an innings; nil without one.
    mutating func note(limit: Int?, after old: Int?) {
        guard let limit, let old, limit > 0, limit < old else { return }
        version &+= 1
        reductions.append(Reduction(after: limit))
        if reductions.count > EngineLimits.ballLimitReductions { reductions.removeFirst() }
    }

    /// The status that had stopped play until now; nil for none, when an interval came after it, and when the stoppage
    /// is announced as a long one.
    ///
    /// The sum of its delays makes a stoppage long: a meal between rain and play is no delay.
    private mutating func resume(_ report: StatusReport, after old: StatusReport) -> MatchStatus? {
        endDelay(at: report.since)
        defer { forgetStoppage() }
        guard let stoppage else { return nil }
        guard let from = stoppage.since, let delayed, delayed >= EngineLimits.announcedStoppageSeconds else {
            return old.status.isDelay ? stoppage.status : nil
        }
        resumptions.append(Resumption(cause: stoppage.status, stoppedAt: from))
        if resumptions.count > EngineLimits.resumptions { resumptions.removeFirst() }
        return nil
    }

    /// Adds the present delay to those of the stoppage; its end is in seconds since 1970, nil for an unknown time.
    private mutating func endDelay(at end: Int64?) {
        guard let start = delayedSince.take(), let end, end > start else { return }
        let (span, isTooLong) = end.subtractingReportingOverflow(start)
        let (sum, isOverflow) = (delayed ?? 0).addingReportingOverflow(isTooLong ? .max : span)
        delayed = isOverflow ? .max : sum
    }

    private mutating func forgetStoppage() { (stoppage, delayed, delayedSince) = (nil, nil, nil) }

    private mutating func appendTransition(to report: StatusReport, ended: MatchStatus?) {
        let ordinal = (counts[report.status] ?? 0) + 1
        counts[report.status] = ordinal
        transitions.append(Transition(status: report.status, ordinal: ordinal, note: report.note, ended: ended))
        if transitions.count > EngineLimits.statusTransitions { transitions.removeFirst() }
    }
}
