// Some facts stand in no single status but in their sequence: how many days have ended, how long play was stopped.

/// What the status words seen so far tell together.
public struct StatusTrail: Sendable, Hashable {
    /// Play that went on after a stop.
    public struct Resumption: Sendable, Hashable {
        /// What had stopped play.
        public let cause: MatchStatus
        /// Start of the stop in seconds since 1970.
        public let stoppedAt: Int64
        /// Start of play in seconds since 1970.
        public let resumedAt: Int64
    }

    /// Resumptions kept, newest last: more than the long stops of any match of five days.
    public static let resumptionsMax = 16
    /// Shortest stop in seconds whose end is worth telling: one hour (PUBLICATION section 2).
    public static let stopSecondsMin: Int64 = 3600

    /// How often stumps were drawn while this record was kept.
    public private(set) var daysEnded = 0
    /// Whether the record was kept from before the first ball, so that `daysEnded` is complete.
    public private(set) var isComplete = false
    /// Long stops that have ended.
    public private(set) var resumptions: [Resumption] = []
    private var stop: StatusReport?
    private var isHeard = false

    /// Takes in a new report beside the one that it replaces.
    mutating func note(_ report: StatusReport, after old: StatusReport, hasBalls: Bool) {
        // The first word heard may be of a match long begun, whose balls are still to come in.
        if !hasBalls && (report.status.isBeforeStart || isHeard) && !report.status.isFinal { isComplete = true }
        isHeard = true
        if report.status == .stumps && old.status != .stumps && old.status != .restDay { daysEnded += 1 }
        if report.status.isDelay {
            if stop == nil { stop = report }
        } else if report.status == .live || report.status == .superOver {
            resume(report)
        } else {
            stop = nil
        }
    }

    private mutating func resume(_ report: StatusReport) {
        defer { stop = nil }
        guard let stop, let from = stop.since, let to = report.since, to > from,
            to.subtractingReportingOverflow(from).overflow || to - from >= Self.stopSecondsMin
        else { return }
        resumptions.append(Resumption(cause: stop.status, stoppedAt: from, resumedAt: to))
        if resumptions.count > Self.resumptionsMax { resumptions.removeFirst() }
    }
}
