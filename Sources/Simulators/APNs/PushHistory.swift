// Counts pushes by outcome, by event and by the revision of the content state.

import COpenSSL
public import ScoreTypes

/// Counts of accepted pushes.
public struct PushCounts: Sendable, Hashable {
    /// Answered 200, broadcasts too.
    public internal(set) var accepted = 0
    /// Accepted at priority 10.
    public internal(set) var acceptedAtHighPriority = 0
    /// Accepted with an alert.
    public internal(set) var acceptedWithAlert = 0
    /// Accepted broadcasts.
    public internal(set) var broadcasts = 0
    /// Accepted by event: `start`, `update`, `end`, `alert`, `background`.
    public internal(set) var events: [String: Int] = [:]
    /// Refused, by Apple's reason.
    public internal(set) var refused: [String: Int] = [:]

    mutating func accept(_ event: PushEvent?, priority: Int, hasAlert: Bool, isBroadcast: Bool) {
        accepted += 1
        if priority == 10 { acceptedAtHighPriority += 1 }
        if hasAlert { acceptedWithAlert += 1 }
        if isBroadcast { broadcasts += 1 }
        events[event?.rawValue ?? "none", default: 0] += 1
    }
}

/// The pushes of one revision: when they were accepted, on the real monotonic clock, and their counts.
public struct RevisionTimes: Sendable, Hashable {
    /// The first of them.
    public internal(set) var first: Duration
    /// The last of them so far.
    public internal(set) var last: Duration
    /// Their counts.
    public internal(set) var counts = PushCounts()
}

/// Counts of all requests so far.
@dynamicMemberLookup
public struct PushStatistics: Sendable {
    /// Counts over all revisions.
    public internal(set) var counts = PushCounts()
    /// Answered 200, but no phone would have shown them; by why.
    public internal(set) var traps: [String: Int] = [:]
    /// By revision of the content state, without starts; the newest 4,096.
    public internal(set) var revisions: [Int64: RevisionTimes] = [:]

    /// Most streams that were open on one connection, when a request came, before its provider token had been accepted.
    public internal(set) var streamsBeforeTrust = 0
    /// The same afterwards.
    public internal(set) var streamsMost = 0

    /// The counts over all revisions, without naming them.
    public subscript<Value>(dynamicMember member: KeyPath<PushCounts, Value>) -> Value { counts[keyPath: member] }
}

/// One request as the journal keeps it.
public struct JournaledPush: Sendable, Hashable {
    /// When it was answered, on the wall clock.
    public let at: Instant
    /// `device` or `broadcast`.
    public let target: String
    /// `apns-id` or `apns-request-id` of the request; empty when there was none.
    public let id: String
    /// Which token or channel; never the token itself.
    public let recipient: Fingerprint?
    /// The HTTP status that was answered.
    public let status: Int
    /// Apple's reason, empty for 200.
    public let reason: String
    /// `apns-priority`; 0 for refused requests.
    public let priority: Int
    /// The payload's event.
    public let event: String?
    /// The content state's revision.
    public let revision: Int64?
}

/// Statistics and the newest requests.
struct PushHistory: Sendable {
    /// A line as it is stored; the token is hashed when the line is read.
    struct Line: Sendable {
        var at: Instant
        var isBroadcast: Bool
        var id = ""
        var recipient: [UInt8] = []
        var status = 200
        var reason = ""
        var priority = 0
        var event: PushEvent?
        var revision: Int64?
    }

    private(set) var statistics = PushStatistics()
    private var journal: [Line] = []
    private var next = 0

    mutating func accept(_ line: Line, hasAlert: Bool, trap: String?, at now: Duration) {
        statistics.counts.accept(line.event, priority: line.priority, hasAlert: hasAlert, isBroadcast: line.isBroadcast)
        if let trap { statistics.traps[trap, default: 0] += 1 }
        if let revision = line.revision, line.event != .start {
            withRevision(revision, at: now) { times in
                times.last = now
                times.counts.accept(
                    line.event,
                    priority: line.priority,
                    hasAlert: hasAlert,
                    isBroadcast: line.isBroadcast
                )
            }
        }
        note(line)
    }

    mutating func refuse(_ line: Line, at now: Duration) {
        statistics.counts.refused[line.reason, default: 0] += 1
        if let revision = line.revision, statistics.revisions[revision] != nil {
            withRevision(revision, at: now) { $0.counts.refused[line.reason, default: 0] += 1 }
        }
        note(line)
    }

    mutating func sawStreams(_ count: Int, isTrusted: Bool) {
        if isTrusted {
            statistics.streamsMost = max(statistics.streamsMost, count)
        } else {
            statistics.streamsBeforeTrust = max(statistics.streamsBeforeTrust, count)
        }
    }

    /// The newest requests, oldest first.
    func newest(_ count: Int) -> [JournaledPush] {
        (journal[next...] + journal[..<next]).suffix(max(0, count)).map { line in
            JournaledPush(
                at: line.at,
                target: line.isBroadcast ? "broadcast" : "device",
                id: line.id,
                recipient: Self.fingerprint(line.recipient),
                status: line.status,
                reason: line.reason,
                priority: line.priority,
                event: line.event?.rawValue,
                revision: line.revision
            )
        }
    }

    private mutating func withRevision(_ revision: Int64, at now: Duration, _ body: (inout RevisionTimes) -> Void) {
        if statistics.revisions[revision] == nil, statistics.revisions.count >= SimulatorLimits.countedRevisions {
            let kept = statistics.revisions.keys.sorted().suffix(SimulatorLimits.countedRevisions / 2)
            statistics.revisions = statistics.revisions.filter { $0.key >= kept.first ?? 0 }
        }
        body(&statistics.revisions[revision, default: RevisionTimes(first: now, last: now)])
    }

    private mutating func note(_ line: Line) {
        if journal.count < SimulatorLimits.journaledPushes {
            journal.append(line)
        } else {
            journal[next] = line
            next = (next + 1) % SimulatorLimits.journaledPushes
        }
    }

    private static func fingerprint(_ bytes: [UInt8]) -> Fingerprint? {
        guard !bytes.isEmpty else { return nil }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(bytes, bytes.count, &digest)
        return Fingerprint(sha256: digest)
    }
}
