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
        /// The status that had stopped play for less than an hour, when this is the resumption of play.
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
    private var stoppage: StatusReport?
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
        } else if report.status == .live || report.status == .superOver {
            ended = resume(report)
        } else {
            stoppage = nil
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

    /// The status that had stopped play; nil when the stoppage is announced as a long one.
    private mutating func resume(_ report: StatusReport) -> MatchStatus? {
        defer { stoppage = nil }
        guard let stoppage else { return nil }
        guard let from = stoppage.since, let to = report.since, to > from,
            to.subtractingReportingOverflow(from).overflow || to - from >= EngineLimits.announcedStoppageSeconds
        else { return stoppage.status }
        resumptions.append(Resumption(cause: stoppage.status, stoppedAt: from))
        if resumptions.count > EngineLimits.resumptions { resumptions.removeFirst() }
        return nil
    }

    private mutating func appendTransition(to report: StatusReport, ended: MatchStatus?) {
        let ordinal = (counts[report.status] ?? 0) + 1
        counts[report.status] = ordinal
        transitions.append(Transition(status: report.status, ordinal: ordinal, note: report.note, ended: ended))
        if transitions.count > EngineLimits.statusTransitions { transitions.removeFirst() }
    }
}
