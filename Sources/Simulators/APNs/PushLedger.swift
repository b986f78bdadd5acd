// What came, counted: by outcome, by event, and by the revision that it carried.

import ScoreTypes

/// When the pushes of one revision were accepted, on the real monotonic clock.
public struct RevisionTimes: Sendable, Hashable {
    /// The first of them.
    public var first: Duration
    /// The last of them so far.
    public var last: Duration
}

/// Counts of all requests so far.
public struct PushStatistics: Sendable {
    /// Answered 200, broadcasts too.
    public var accepted = 0
    /// Accepted at priority 10.
    public var acceptedAtHighPriority = 0
    /// Accepted with an alert.
    public var acceptedWithAlert = 0
    /// Accepted broadcasts.
    public var broadcasts = 0
    /// Accepted by event: `start`, `update`, `end`, `alert`.
    public var events: [String: Int] = [:]
    /// Refused, by Apple's reason.
    public var refused: [String: Int] = [:]
    /// Answered 200, but no phone would have shown them; by why.
    public var traps: [String: Int] = [:]
    /// Times by revision of the content state, starts left out since they wait for nobody.
    public var revisions: [Int64: RevisionTimes] = [:]
}

/// One request as the journal keeps it.
public struct JournaledPush: Sendable, Hashable {
    /// Path without the token, which never prints.
    public let target: String
    /// The HTTP status that was answered.
    public let status: Int
    /// Apple's reason, empty for 200.
    public let reason: String
    /// `apns-priority`.
    public let priority: Int
    /// The payload's event.
    public let event: String?
    /// The content state's revision.
    public let revision: Int64?
}

/// Statistics and the newest requests.
struct PushLedger: Sendable {
    /// Requests kept for a look: enough for an evening's questions, at some 100 bytes each.
    static let journalMax = 4_096

    private(set) var statistics = PushStatistics()
    private var journal: [JournaledPush] = []
    private var next = 0

    mutating func accept(_ payload: InspectedPayload, target: String, priority: Int, at now: Duration) {
        let isBroadcast = target == "broadcast"
        statistics.accepted += 1
        if priority == 10 { statistics.acceptedAtHighPriority += 1 }
        if payload.hasAlert { statistics.acceptedWithAlert += 1 }
        if isBroadcast { statistics.broadcasts += 1 }
        statistics.events[payload.event ?? "alert", default: 0] += 1
        if let trap = payload.trap { statistics.traps[trap, default: 0] += 1 }
        if let revision = payload.revision, payload.event != "start" {
            if statistics.revisions[revision] == nil {
                statistics.revisions[revision] = RevisionTimes(first: now, last: now)
            } else {
                statistics.revisions[revision]?.last = now
            }
        }
        note(target: target, status: 200, reason: "", priority: priority, payload: payload)
    }

    mutating func refuse(_ refusal: PushRefusal, target: String) {
        statistics.refused[refusal.reason, default: 0] += 1
        note(target: target, status: refusal.status, reason: refusal.reason, priority: 0, payload: nil)
    }

    /// The newest requests, oldest first.
    func newest(_ count: Int) -> [JournaledPush] {
        let ordered = journal[next...] + journal[..<next]
        return Array(ordered.suffix(count))
    }

    private mutating func note(target: String, status: Int, reason: String, priority: Int, payload: InspectedPayload?) {
        let entry = JournaledPush(
            target: target,
            status: status,
            reason: reason,
            priority: priority,
            event: payload?.event,
            revision: payload?.revision
        )
        if journal.count < Self.journalMax {
            journal.append(entry)
        } else {
            journal[next] = entry
            next = (next + 1) % Self.journalMax
        }
    }
}
