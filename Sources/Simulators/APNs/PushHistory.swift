// Counts pushes by outcome, by event and by the revision of the content state.

import COpenSSL
public import ScoreTypes

/// When the pushes of one revision were accepted, on the real monotonic clock.
public struct RevisionTimes: Sendable, Hashable {
    /// The first of them.
    public internal(set) var first: Duration
    /// The last of them so far.
    public internal(set) var last: Duration
}

/// Counts of all requests so far.
public struct PushStatistics: Sendable {
    /// Answered 200, broadcasts too.
    public internal(set) var accepted = 0
    /// Accepted at priority 10.
    public internal(set) var acceptedAtHighPriority = 0
    /// Accepted with an alert that is not passive.
    public internal(set) var acceptedWithAlert = 0
    /// Accepted broadcasts.
    public internal(set) var broadcasts = 0
    /// Accepted by event: `start`, `update`, `end`, `alert`, `background`.
    public internal(set) var events: [String: Int] = [:]
    /// Refused, by Apple's reason.
    public internal(set) var refused: [String: Int] = [:]
    /// Answered 200, but no phone would have shown them; by why.
    public internal(set) var traps: [String: Int] = [:]
    /// By revision of the content state, without starts; the newest 4,096.
    public internal(set) var revisions: [Int64: RevisionTimes] = [:]
    /// When the first request came, on the wall clock.
    public internal(set) var firstRequestAt: Instant?
    /// When the last accepted push was accepted, on the wall clock.
    public internal(set) var lastAcceptedAt: Instant?
    /// Most streams that were open on one connection, when a request came, before its provider token had been accepted.
    public internal(set) var streamsBeforeTrust = 0
    /// The same afterwards.
    public internal(set) var streamsMost = 0
    /// Most provider tokens of a key, by its id, that were used within twenty minutes, on all connections.
    ///
    /// Nodes that share their token use one, and its successor while it replaces it.
    public internal(set) var providerTokensMost: [String: Int] = [:]
}

/// One request in the journal; a request that is rejected early lacks the later fields.
public struct JournaledPush: Sendable {
    /// When it was answered, on the wall clock.
    let at: Instant
    let isBroadcast: Bool
    /// `apns-id` or `apns-request-id` of the request; empty when there was none.
    public internal(set) var id = ""
    /// `apns-collapse-id` of the request; empty when there was none.
    public internal(set) var collapseID = ""
    /// The bytes of the token or of the channel's id.
    var recipientBytes: [UInt8] = []
    /// The HTTP status that was answered.
    public internal(set) var status = 200
    /// Apple's reason, empty for 200.
    var reason = ""
    /// `apns-priority`; 0 for refused requests.
    var priority = 0
    /// Whether the payload has an alert that is not passive.
    public internal(set) var hasAlert = false
    /// The payload's event.
    var event: PushEvent?
    /// The content state's revision.
    public internal(set) var revision: Int64?

    /// The fingerprint of the token or channel; a token is never shown.
    public var recipient: Fingerprint? {
        guard !recipientBytes.isEmpty else { return nil }
        var digest = [UInt8](repeating: 0, count: Int(SHA256_DIGEST_LENGTH))
        SHA256(recipientBytes, recipientBytes.count, &digest)
        return Fingerprint(sha256: digest)
    }
}

/// Statistics and the newest requests.
struct PushHistory: Sendable {
    private(set) var statistics = PushStatistics()
    private var journal: [JournaledPush] = []
    private var next = 0
    private var tokens = ProviderTokenUses()
    /// Accepted alerts since they are counted; nil before.
    private(set) var alerts: AlertCounts?

    mutating func accept(_ line: JournaledPush, trap: String?, at now: Duration) {
        statistics.accepted += 1
        statistics.lastAcceptedAt = line.at
        if line.priority == 10 { statistics.acceptedAtHighPriority += 1 }
        if line.hasAlert { statistics.acceptedWithAlert += 1 }
        if line.hasAlert, trap == nil { alerts?.note(line.recipientBytes) }
        if line.isBroadcast { statistics.broadcasts += 1 }
        statistics.events[line.event?.rawValue ?? "none", default: 0] += 1
        if let trap { statistics.traps[trap, default: 0] += 1 }
        if let revision = line.revision, line.event != .start {
            if statistics.revisions[revision] == nil, statistics.revisions.count >= SimulatorLimits.countedRevisions {
                let kept = statistics.revisions.keys.sorted().suffix(SimulatorLimits.countedRevisions / 2)
                statistics.revisions = statistics.revisions.filter { $0.key >= kept.first ?? 0 }
            }
            statistics.revisions[revision, default: RevisionTimes(first: now, last: now)].last = now
        }
        note(line)
    }

    mutating func refuse(_ line: JournaledPush) {
        statistics.refused[line.reason, default: 0] += 1
        note(line)
    }

    /// Notes the use of a valid provider token, in seconds since 1970.
    mutating func used(_ token: ProviderToken, now: Int64) {
        tokens.note(token, now: now)
        statistics.providerTokensMost = tokens.most
    }

    /// Counts the alerts of each recipient anew.
    mutating func countAlerts() { alerts = AlertCounts() }

    /// Notes a request and the open streams of its connection, whatever the answer will be.
    mutating func sawRequest(at now: Instant, streams: Int, isTrusted: Bool) {
        statistics.firstRequestAt = statistics.firstRequestAt ?? now
        if isTrusted {
            statistics.streamsMost = max(statistics.streamsMost, streams)
        } else {
            statistics.streamsBeforeTrust = max(statistics.streamsBeforeTrust, streams)
        }
    }

    /// The newest requests, oldest first.
    func newest(_ count: Int) -> [JournaledPush] {
        Array((journal[next...] + journal[..<next]).suffix(max(0, count)))
    }

    private mutating func note(_ line: JournaledPush) {
        if journal.count < SimulatorLimits.journaledPushes {
            journal.append(line)
        } else {
            journal[next] = line
            next = (next + 1) % SimulatorLimits.journaledPushes
        }
    }
}
