// Some facts stand in no single status but in their sequence: days ended, stops of play, overs that were lost.

/// What the status words seen so far tell together.
public struct StatusTrail: Sendable, Hashable, Codable {
    /// Play that went on after a stop.
    public struct Resumption: Sendable, Hashable, Codable {
        /// What had stopped play.
        public let cause: MatchStatus
        /// Start of the stop in seconds since 1970.
        public let stoppedAt: Int64
        /// Start of play in seconds since 1970.
        public let resumedAt: Int64
    }

    /// A word that the feed changed to.
    public struct Turn: Sendable, Hashable, Codable {
        /// The new word.
        public let status: MatchStatus
        /// How often it came, this time included: tells one tea from another.
        public let ordinal: Int
        /// The feed's own words with it.
        public let note: String?
        /// What had stopped play for less than an hour, when this is play going on again.
        public let ended: MatchStatus?
    }

    /// A limit of balls that was lowered.
    public struct Cut: Sendable, Hashable, Codable {
        /// Balls an innings might last before.
        public let before: Int
        /// Balls it may last now.
        public let after: Int
    }

    /// Resumptions kept, newest last: more than the long stops of any match of five days.
    public static let resumptionsMax = 16
    /// Shortest stop in seconds whose end is worth telling: one hour (PUBLICATION section 2).
    public static let stopSecondsMin: Int64 = 3600
    /// Turns kept, newest last: five days with a dozen pauses each, and a feed that flickers.
    public static let turnsMax = 128
    /// Cuts kept, newest last.
    public static let cutsMax = 16

    /// How often stumps were drawn while this record was kept.
    public private(set) var daysEnded = 0
    /// Whether the record was kept from before the first ball, so that `daysEnded` is complete.
    public private(set) var isComplete = false
    /// Long stops that have ended.
    public private(set) var resumptions: [Resumption] = []
    /// Changes of the word, in order.
    public private(set) var turns: [Turn] = []
    /// Limits lowered, in order.
    public private(set) var cuts: [Cut] = []
    /// Breaks between sessions since stumps were last drawn.
    public private(set) var sessionsEnded = 0
    /// Grows with every word taken in, so that nobody has to compare trails.
    private(set) var version = 0
    /// Whether the last word about play, the end of the match left out, was that the day is over.
    var isBetweenDays: Bool {
        turns.last { !$0.status.isFinal }?.status.isBetweenDays ?? false
    }
    private var counts: [MatchStatus: Int] = [:]
    private var stop: StatusReport?
    private var isHeard = false

    /// Takes in a new report beside the one that it replaces.
    mutating func note(_ report: StatusReport, after old: StatusReport, hasBalls: Bool) {
        version &+= 1
        // The first word heard may be of a match long begun, whose balls are still to come in.
        if !hasBalls && (report.status.isBeforeStart || isHeard) && !report.status.isFinal { isComplete = true }
        isHeard = true
        if report.status == .stumps && old.status != .stumps && old.status != .restDay {
            daysEnded += 1
            sessionsEnded = 0
        }
        if report.status.endsSession && report.status != old.status { sessionsEnded += 1 }
        var ended: MatchStatus?
        if report.status.isDelay {
            if stop == nil { stop = report }
        } else if report.status == .live || report.status == .superOver {
            ended = resume(report)
        } else {
            stop = nil
        }
        if report.status != old.status { turn(to: report, ended: ended) }
    }

    /// Takes in a new limit of balls beside the one that it replaces.
    mutating func note(limit: Int?, after old: Int?) {
        guard let limit, let old, limit > 0, limit < old else { return }
        version &+= 1
        cuts.append(Cut(before: old, after: limit))
        if cuts.count > Self.cutsMax { cuts.removeFirst() }
    }

    /// Returns what had stopped play, when that is not told as a long stop.
    private mutating func resume(_ report: StatusReport) -> MatchStatus? {
        defer { stop = nil }
        guard let stop else { return nil }
        guard let from = stop.since, let to = report.since, to > from,
            to.subtractingReportingOverflow(from).overflow || to - from >= Self.stopSecondsMin
        else { return stop.status }
        resumptions.append(Resumption(cause: stop.status, stoppedAt: from, resumedAt: to))
        if resumptions.count > Self.resumptionsMax { resumptions.removeFirst() }
        return nil
    }

    private mutating func turn(to report: StatusReport, ended: MatchStatus?) {
        let ordinal = (counts[report.status] ?? 0) + 1
        counts[report.status] = ordinal
        turns.append(Turn(status: report.status, ordinal: ordinal, note: report.note, ended: ended))
        if turns.count > Self.turnsMax { turns.removeFirst() }
    }
}
