// A stuck activity is listed and logged once, however often its phone reports, until it shows a newer state.

internal import FollowService
internal import PushDispatcher
public import ScoreTypes

/// An activity that does not show the states that APNs accepts for it.
public struct StuckActivity: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// The match that it shows.
    public let match: MatchID
    /// Fingerprint of ActivityKit's id, 12 hexadecimal digits.
    public let fingerprint: String
    /// The revision on the screen.
    public fileprivate(set) var shown: Int64
    /// The newest revision that APNs has accepted for it.
    public fileprivate(set) var accepted: Int64
    /// When it was first found to be stuck.
    public let since: Instant
    /// When its phone reported last.
    public fileprivate(set) var reportedAt: Instant
    /// When this node sent the push that starts it again; nil for none.
    public fileprivate(set) var restartedAt: Instant?
}

/// The stuck activities among this node's receipts, and those that are to be started again; both bounded.
struct StuckActivities: Sendable {
    private struct Waiting: Sendable {
        let activity: ActivityID
        let since: Instant
    }

    private var listed: [ReceiptKey: StuckActivity] = [:]
    private var waiting: [ReceiptKey: Waiting] = [:]

    /// Stuck activities that are listed.
    var count: Int { listed.count }

    /// Whether an activity is listed.
    func contains(_ key: ReceiptKey) -> Bool { listed[key] != nil }

    /// Records what a phone shows; true if it is to be logged: the activity is stuck and was not known to be.
    mutating func record(_ state: DisplayState, _ receipt: Receipt) -> Bool {
        let key = receipt.key
        guard state == .stuck else {
            listed[key] = nil
            waiting[key] = nil
            return false
        }
        let fingerprint = Fingerprint(of: receipt.activity.activityID)?.text ?? ""
        if listed[key]?.fingerprint == fingerprint {
            listed[key]?.shown = receipt.activity.shown
            listed[key]?.accepted = receipt.activity.accepted
            listed[key]?.reportedAt = receipt.observedAt
            return false
        }
        listed[key] = nil
        if listed.count >= LiveActivityLimits.stuckActivities { expire(at: receipt.observedAt) }
        guard listed.count < LiveActivityLimits.stuckActivities else { return false }
        listed[key] = StuckActivity(
            device: key.device,
            match: key.match,
            fingerprint: fingerprint,
            shown: receipt.activity.shown,
            accepted: receipt.activity.accepted,
            since: receipt.observedAt,
            reportedAt: receipt.observedAt
        )
        if waiting.count < LiveActivityLimits.stuckActivities {
            waiting[key] = Waiting(activity: receipt.activity.activityID, since: receipt.observedAt)
        }
        return true
    }

    /// Forgets activities that have ended.
    mutating func forget(_ keys: [ReceiptKey]) {
        for key in keys {
            listed[key] = nil
            waiting[key] = nil
        }
    }

    /// Forgets activities whose phones sent no receipt for ``LiveActivityLimits/stuckKept``.
    mutating func expire(at now: Instant) {
        listed = listed.filter { now - $0.value.reportedAt < LiveActivityLimits.stuckKept }
        waiting = waiting.filter { now - $0.value.since < LiveActivityLimits.restartPatience }
    }

    /// Forgets the activities of devices for which the body is false.
    mutating func keep(where isKept: (DeviceID) -> Bool) {
        listed = listed.filter { isKept($0.key.device) }
        waiting = waiting.filter { isKept($0.key.device) }
    }

    /// A page of the list in order of fingerprint.
    func page(of match: MatchID?, after fingerprint: String, limit: Int) -> [StuckActivity] {
        let found = listed.values.filter { $0.fingerprint > fingerprint && (match == nil || $0.match == match) }
        return Array(found.sorted { $0.fingerprint < $1.fingerprint }.prefix(limit))
    }

    /// Stuck activities of each match.
    var counts: [MatchID: Int] { Dictionary(grouping: listed.keys, by: \.match).mapValues(\.count) }

    /// Takes activities of a match that are to be started again; none is taken twice.
    mutating func takeRestarts(of match: MatchID, limit: Int) -> [(device: DeviceID, activityID: ActivityID)] {
        let taken = waiting.filter { $0.key.match == match }.prefix(limit)
        for (key, _) in taken { waiting[key] = nil }
        return taken.map { ($0.key.device, $0.value.activity) }
    }

    /// Puts activities back that could not be started again now and are still stuck.
    mutating func returnRestarts(
        _ stuck: [(device: DeviceID, activityID: ActivityID)],
        of match: MatchID,
        at now: Instant
    ) {
        for (device, activity) in stuck {
            let key = ReceiptKey(match: match, device: device)
            if listed[key] != nil { waiting[key] = Waiting(activity: activity, since: now) }
        }
    }

    /// Notes that activities of a match were started again.
    mutating func noteRestarts(_ devices: [DeviceID], of match: MatchID, at now: Instant) {
        for device in devices { listed[ReceiptKey(match: match, device: device)]?.restartedAt = now }
    }
}
