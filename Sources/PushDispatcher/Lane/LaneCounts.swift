// Counting must be nearly free for a push, so a lane counts in plain memory and reports at intervals.

internal import ScoreTypes

/// Counts and samples since the last report.
struct LaneCounts: Sendable {
    /// Attempts by kind, outcome and reason (`transport` for those without an answer).
    private(set) var attempts = [Int](repeating: 0, count: PayloadKind.allCases.count * APNsReason.allCases.count * 3)
    /// Abandoned requests by kind and reason.
    private(set) var finals = [Int](repeating: 0, count: PayloadKind.allCases.count * APNsReason.allCases.count)
    var retries = 0
    var superseded = 0
    var directedDropped = 0
    /// Requests that expired, by kind: before any try, and after some.
    private(set) var expired = [(waiting: Int, retrying: Int)](
        repeating: (0, 0),
        count: PayloadKind.allCases.count
    )
    var connectionFailures = 0
    var goAways = 0
    /// Time from request to answer.
    private(set) var durations: [Duration] = []
    /// Milliseconds from the journal's commit to APNs' acceptance.
    private(set) var endToEnd: [(kind: PayloadKind, milliseconds: Int64)] = []
    /// The first request of a publication, in milliseconds from the journal's commit.
    struct FirstSend: Sendable, Hashable {
        let match: MatchID
        let revision: Int64
        let milliseconds: Int64
    }
    private(set) var firstSends: [FirstSend] = []
    private var answers = 0

    var isEmpty: Bool {
        answers == 0 && retries == 0 && superseded == 0 && directedDropped == 0 && connectionFailures == 0
            && goAways == 0 && firstSends.isEmpty && expiredCount == 0
    }

    /// Counts an answer; returns whether it is a sample for the timers.
    mutating func count(_ kind: PayloadKind, _ outcome: PushOutcome, _ reason: APNsReason) -> Bool {
        attempts[Self.place(kind, outcome, reason.index)] += 1
        answers += 1
        return answers % PushLimits.sampleEvery == 1
    }

    /// The fast path for status 200.
    mutating func countAccepted(_ kind: PayloadKind) -> Bool {
        attempts[Self.acceptedPlace(kind)] += 1
        answers += 1
        return answers % PushLimits.sampleEvery == 1
    }

    mutating func sample(_ kind: PayloadKind, duration: Duration, endToEndMilliseconds: Int64?) {
        guard durations.count < PushLimits.samplesPerReport else { return }
        durations.append(duration)
        if let endToEndMilliseconds { endToEnd.append((kind, endToEndMilliseconds)) }
    }

    mutating func firstSend(of match: MatchID, _ revision: Int64, afterMilliseconds milliseconds: Int64) {
        guard firstSends.count < PushLimits.samplesPerReport else { return }
        firstSends.append(FirstSend(match: match, revision: revision, milliseconds: milliseconds))
    }

    /// Counts a request that is not repeated.
    mutating func countFinal(_ kind: PayloadKind, _ reason: APNsReason) {
        finals[kind.index * Self.reasonCount + reason.index] += 1
    }

    /// Counts requests that are too old to be sent.
    mutating func countExpired(_ kind: PayloadKind, wasTried: Bool, _ count: Int = 1) {
        if wasTried { expired[kind.index].retrying += count } else { expired[kind.index].waiting += count }
    }

    /// All expired requests.
    var expiredCount: Int { expired.reduce(0) { $0 + $1.waiting + $1.retrying } }

    mutating func add(_ other: LaneCounts) {
        for place in attempts.indices { attempts[place] += other.attempts[place] }
        for place in finals.indices { finals[place] += other.finals[place] }
        retries += other.retries
        superseded += other.superseded
        directedDropped += other.directedDropped
        for place in expired.indices {
            expired[place].waiting += other.expired[place].waiting
            expired[place].retrying += other.expired[place].retrying
        }
        connectionFailures += other.connectionFailures
        goAways += other.goAways
        durations.append(other.durations, upTo: PushLimits.samplesPerReport)
        endToEnd.append(other.endToEnd, upTo: PushLimits.samplesPerReport)
        firstSends.append(other.firstSends, upTo: PushLimits.samplesPerReport)
        answers += other.answers
    }

    /// Visits every count of attempts that is not zero.
    func forEachAttempt(_ body: (PayloadKind, _ outcome: String, APNsReason, Int) -> Void) {
        for (kindIndex, kind) in PayloadKind.allCases.enumerated() {
            for (outcomeIndex, outcome) in Self.names.enumerated() {
                for (reasonIndex, reason) in APNsReason.allCases.enumerated() {
                    let count = attempts[(kindIndex * 3 + outcomeIndex) * Self.reasonCount + reasonIndex]
                    if count > 0 { body(kind, outcome, reason, count) }
                }
            }
        }
    }

    /// Visits every count of abandoned requests that is not zero.
    func forEachFinal(_ body: (PayloadKind, APNsReason, Int) -> Void) {
        for (kindIndex, kind) in PayloadKind.allCases.enumerated() {
            for (reasonIndex, reason) in APNsReason.allCases.enumerated() {
                let count = finals[kindIndex * Self.reasonCount + reasonIndex]
                if count > 0 { body(kind, reason, count) }
            }
        }
    }

    /// The attempts by outcome.
    var outcomes: (accepted: Int, rejected: Int, failed: Int) {
        var sums = [0, 0, 0]
        for (place, count) in attempts.enumerated() { sums[place / Self.reasonCount % 3] += count }
        return (sums[0], sums[1], sums[2])
    }

    /// Answers to pushes for activities that say whether the token is good.
    var tokenAnswers: Int {
        [PayloadKind.update, .end].reduce(0) { sum, kind in
            let first = Self.acceptedPlace(kind)
            return sum + attempts[first..<first + 2 * Self.reasonCount].reduce(0, +)
        }
    }

    private static let names = ["accepted", "rejected", "failed"]
    private static let reasonCount = APNsReason.allCases.count

    private static func place(_ kind: PayloadKind, _ outcome: PushOutcome, _ reason: Int) -> Int {
        let index =
            switch outcome {
            case .accepted: 0
            case .rejected: 1
            case .failed: 2
            }
        return (kind.index * 3 + index) * reasonCount + reason
    }

    private static func acceptedPlace(_ kind: PayloadKind) -> Int { kind.index * 3 * reasonCount }
}

extension PayloadKind {
    /// Index in `allCases`, for counting.
    var index: Int {
        switch self {
        case .update: 0
        case .start: 1
        case .end: 2
        case .alert: 3
        case .background: 4
        case .widgets: 5
        }
    }
}
