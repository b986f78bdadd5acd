// No row is stored for a push: operators see counts by answer, and a bounded number of examples of each.

import PushDispatcher
import ScoreTypes

/// One sampled try of a push.
struct PushRecord: Sendable {
    /// 1, 2, … in the order of the answers.
    let number: Int64
    let answeredAt: Instant
    let attempt: PushAttempt

    /// When the request was handed to its connection.
    var sentAt: Instant { answeredAt + (.zero - attempt.duration) }
    /// When the publication was committed, or the request was queued; nil for a repeated one of a fan-out.
    var plannedAt: Instant? {
        attempt.committedAt ?? attempt.queuedAt.map { sentAt + ($0 - attempt.sentAt) }
    }
}

/// The tries with one answer.
struct PushAnswer: Sendable, Hashable {
    let environment: PushEnvironment
    let operation: PayloadKind
    /// `accepted`, `rejected` or `failed`.
    let outcome: String
    let reason: APNsReason

    init(_ attempt: PushAttempt) {
        (environment, operation) = (attempt.environment, attempt.operation)
        (outcome, reason) = (attempt.outcome.label, attempt.reason)
    }
}

/// How often an answer came, and when.
struct PushTally: Sendable, Hashable {
    private(set) var count = 0
    private(set) var firstAt: Instant?
    private(set) var lastAt: Instant?

    mutating func add(at now: Instant) {
        count += 1
        firstAt = firstAt ?? now
        lastAt = now
    }
}

/// The answers of APNs since the start of the node, with the newest examples of each.
struct PushSamples: Sendable {
    /// The tries with one answer.
    struct Group: Sendable {
        /// All tries.
        fileprivate(set) var tries = PushTally()
        /// Pushes that were given up after this answer, since an operator last reset the count.
        fileprivate(set) var givenUp = PushTally()
        fileprivate var records: [PushRecord] = []
        fileprivate var next = 0

        /// The newest example.
        var newest: PushRecord? { records.max { $0.number < $1.number } }

        fileprivate mutating func keep(_ record: PushRecord, countMax: Int) {
            if records.count < countMax { records.append(record) } else { records[next] = record }
            next = (next + 1) % countMax
        }
    }

    /// By answer; at most one for each environment, class, outcome and reason.
    private(set) var groups: [PushAnswer: Group] = [:]
    private var lastNumber: Int64 = 0

    /// Adds a try; returns whether its push is given up.
    mutating func add(_ attempt: PushAttempt, at now: Instant) -> Bool {
        lastNumber += 1
        let record = PushRecord(number: lastNumber, answeredAt: now, attempt: attempt)
        let isAccepted = attempt.outcome == .accepted
        let isGivenUp = attempt.isFinal && !isAccepted
        let countMax = isAccepted ? ServerLimits.acceptedPushesKept : ServerLimits.refusedPushesKept
        var group = groups.removeValue(forKey: PushAnswer(attempt)) ?? Group()
        group.tries.add(at: now)
        if isGivenUp { group.givenUp.add(at: now) }
        group.keep(record, countMax: countMax)
        groups[PushAnswer(attempt)] = group
        return isGivenUp
    }

    /// The examples that fit, newest first.
    func records(where fits: (PushRecord) -> Bool) -> [PushRecord] {
        groups.values.flatMap { $0.records.filter(fits) }.sorted { $0.number > $1.number }
    }

    /// The answers after which pushes were given up, the newest first.
    var deadLetters: [(answer: PushAnswer, group: Group)] {
        groups.filter { $0.value.givenUp.count > 0 }.map { (answer: $0.key, group: $0.value) }
            .sorted { $0.group.newest?.number ?? 0 > $1.group.newest?.number ?? 0 }
    }

    /// Counts the given-up pushes of answers from 0 again; returns how many they were.
    mutating func discard(where fits: (PushAnswer) -> Bool) -> Int {
        var count = 0
        for (answer, group) in groups where fits(answer) {
            count += group.givenUp.count
            groups[answer]?.givenUp = PushTally()
        }
        return count
    }
}
