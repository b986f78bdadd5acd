// The rules of activities and follows in their plainest form, to compare with the SQL.

import ScoreTypes

@testable import FollowService

/// The expected rows of the tables, in dictionaries.
struct NaiveActivities {
    struct Row: Equatable {
        var activityID: ActivityID
        var generation: Int32
        var clientSequence: Int64
        /// 1 active, 2 ending, 3 ended.
        var state = 1
        var reason: EndReason?
        var tokenAt: Instant
        var route: ActivityRoute
    }

    struct FollowRow: Equatable {
        var clientSequence: Int64
        var isWanted: Bool
        /// The count of the newest dismissal; nil for none.
        var dismissedSeq: Int64?
        /// The count of the call that last started the follow.
        var sinceSeq: Int64
        var alerts = AlertKinds.all

        var isDismissed: Bool { dismissedSeq.map { $0 >= sinceSeq } ?? false }
    }

    private(set) var rows: [DeviceMatch: Row] = [:]
    private(set) var follows: [DeviceMatch: FollowRow] = [:]
    /// The count of each device's newest list.
    private var lists: [DeviceID: Int64] = [:]
    private var quiet: Set<DeviceID> = []
    /// The dismissals of activities that were not registered.
    private var earlyEnds: [DeviceID: [ActivityID: Int64]] = [:]

    struct DeviceMatch: Hashable {
        let device: DeviceID
        let match: MatchID
    }

    mutating func register(_ call: ActivityRegistration, at now: Instant) -> ActivityOutcome {
        let key = DeviceMatch(device: call.device, match: call.match)
        if let clientSequence = earlyEnds[call.device]?[call.activityID] {
            dismiss(key, clientSequence: clientSequence)
            return .ended(.dismissed)
        }
        guard let row = rows[key] else {
            rows[key] = Row(
                activityID: call.activityID,
                generation: 1,
                clientSequence: call.clientSequence,
                tokenAt: now,
                route: call.route
            )
            return .registered(generation: 1)
        }
        let isSpent = row.state != 1 && row.activityID == call.activityID && row.reason?.isFinal == true
        if call.clientSequence > row.clientSequence && !isSpent {
            rows[key] = Row(
                activityID: call.activityID,
                generation: row.generation + 1,
                clientSequence: call.clientSequence,
                tokenAt: now,
                route: call.route
            )
            return row.activityID == call.activityID
                ? .registered(generation: row.generation + 1)
                : .replaced(row.activityID, generation: row.generation + 1)
        }
        let isOther = row.activityID != call.activityID || row.state == 1 && row.route != call.route
        if row.clientSequence > call.clientSequence || row.clientSequence == call.clientSequence && isOther {
            return .outdated(
                StoredActivity(
                    activityID: row.activityID,
                    generation: row.generation,
                    clientSequence: row.clientSequence,
                    endReason: row.state == 1 ? nil : row.reason
                )
            )
        }
        return row.state == 1 ? .unchanged(generation: row.generation) : .ended(row.reason ?? .missing)
    }

    mutating func end(_ call: ActivityEnd) -> ActivityEndOutcome {
        let found = rows.first { $0.key.device == call.device && $0.value.activityID == call.activityID }
        guard let (key, row) = found else {
            if call.reason == .dismissed {
                earlyEnds[call.device, default: [:]][call.activityID] = call.clientSequence
            }
            return .unknown
        }
        let isSettled = row.state == 3 && row.reason != .rejected && row.reason != .missing
        if isSettled {
            let isOther = row.reason != call.reason && row.reason.map { EndReason.ofApp.contains($0) } == true
            return isOther && row.clientSequence == call.clientSequence
                ? .outdated(clientSequence: row.clientSequence) : .ended
        }
        if row.clientSequence >= call.clientSequence {
            return row.state == 3 ? .ended : .outdated(clientSequence: row.clientSequence)
        }
        rows[key]?.state = 3
        rows[key]?.reason = call.reason
        rows[key]?.clientSequence = call.clientSequence
        if call.reason == .dismissed { dismiss(key, clientSequence: call.clientSequence) }
        return .ended
    }

    private mutating func dismiss(_ key: DeviceMatch, clientSequence: Int64) {
        guard let follow = follows[key] else { return }
        follows[key]?.dismissedSeq = max(follow.dismissedSeq ?? clientSequence, clientSequence)
    }

    /// Activities that the app does not list.
    mutating func reconcile(_ device: DeviceID, _ reported: [ReportedActivity], clientSequence: Int64) -> Set<
        ActivityID
    > {
        for one in reported where one.state == .dismissed {
            let end = ActivityEnd(
                device: device,
                activityID: one.activityID,
                reason: .dismissed,
                clientSequence: clientSequence
            )
            let key = DeviceMatch(device: device, match: one.match)
            if self.end(end) == .unknown, rows[key] == nil { dismiss(key, clientSequence: clientSequence) }
        }
        let active = Set(reported.filter(\.isRunning).map(\.activityID))
        var missing: Set<ActivityID> = []
        for (key, row) in rows where key.device == device && row.state == 1 {
            guard !active.contains(row.activityID), row.clientSequence < clientSequence else { continue }
            rows[key]?.state = 3
            rows[key]?.reason = reported.contains { $0.activityID == row.activityID } ? .ended : .missing
            missing.insert(row.activityID)
        }
        return missing
    }

    mutating func evict(_ eviction: RejectedToken) {
        let key = DeviceMatch(device: eviction.device, match: eviction.match)
        guard let row = rows[key], row.state != 3, row.generation == eviction.generation,
            eviction.deadAt.map({ row.tokenAt <= $0 }) ?? true
        else { return }
        rows[key]?.state = 3
        rows[key]?.reason = .rejected
    }

    /// The generation that is being ended; nil when there is none.
    mutating func beginEnd(_ key: DeviceMatch, generation: Int32?, reason: EndReason) -> Int32? {
        guard let row = rows[key], row.state != 3, generation == nil || generation == row.generation else { return nil }
        // A sweep repeats an end that has no answer, and its reason stays.
        if row.state != 2 || reason != .silent { rows[key]?.reason = reason }
        rows[key]?.state = 2
        return row.generation
    }

    mutating func finishEnd(_ key: DeviceMatch, generation: Int32) -> Int {
        guard let row = rows[key], row.state != 3, row.generation == generation else { return 0 }
        rows[key]?.state = 3
        return 1
    }

    mutating func follow(_ key: DeviceMatch, isWanted: Bool, alerts: AlertKinds = .all, clientSequence: Int64) {
        let listSeq = lists[key.device] ?? 0
        // The newest list does not contain it.
        let isLate = isWanted && listSeq > 0 && clientSequence <= listSeq && follows[key]?.isWanted != true
        let (isWanted, clientSequence) = isLate ? (false, listSeq) : (isWanted, clientSequence)
        var row = follows[key] ?? FollowRow(clientSequence: -1, isWanted: false, sinceSeq: clientSequence)
        guard clientSequence > row.clientSequence else { return }
        if isWanted && !row.isWanted { row.sinceSeq = clientSequence }
        if isWanted { row.alerts = alerts }
        (row.clientSequence, row.isWanted) = (clientSequence, isWanted)
        follows[key] = row
    }

    /// Only the listed matches are followed from now on.
    mutating func list(_ device: DeviceID, _ wishes: [MatchID: AlertKinds], clientSequence: Int64) {
        let newest = lists[device] ?? 0
        guard clientSequence >= newest else { return }
        let followed = follows.filter { $0.key.device == device && $0.value.isWanted }.map(\.key.match)
        let concerned = Set(followed).union(wishes.keys).map { DeviceMatch(device: device, match: $0) }
        let newer = concerned.filter { key in
            guard let row = follows[key], row.clientSequence >= clientSequence else { return false }
            let isSame = row.isWanted ? row.alerts == wishes[key.match] : wishes[key.match] == nil
            return row.clientSequence > clientSequence || !isSame
        }
        if !concerned.isEmpty, newer.count == concerned.count {
            lists[device] = clientSequence
            return
        }
        let isUnstored = concerned.contains { follows[$0].map { $0.clientSequence < clientSequence } ?? true }
        if clientSequence == newest, isUnstored { return }
        defer { lists[device] = clientSequence }
        for (key, row) in follows where key.device == device && row.isWanted && wishes[key.match] == nil {
            follow(key, isWanted: false, clientSequence: clientSequence)
        }
        for (match, alerts) in wishes {
            follow(
                DeviceMatch(device: device, match: match),
                isWanted: true,
                alerts: alerts,
                clientSequence: clientSequence
            )
        }
    }

    mutating func setQuietHours(_ device: DeviceID, _ isQuiet: Bool) {
        if isQuiet { quiet.insert(device) } else { quiet.remove(device) }
    }

    /// Takes over the counts that concurrent calls may assign in more than one way.
    mutating func settle(_ key: DeviceMatch, generation: Int32?, sinceSeq: Int64?) {
        if let generation { rows[key]?.generation = generation }
        if let sinceSeq { follows[key]?.sinceSeq = sinceSeq }
    }

    /// Takes over whether a follow has a dismissal, which the order of concurrent calls decides for a first follow.
    mutating func settle(_ key: DeviceMatch, dismissedSeq: Int64?) { follows[key]?.dismissedSeq = dismissedSeq }

    /// Whether an activity was dismissed before it was registered.
    func hasEarlyEnd(of activity: ActivityID, on device: DeviceID) -> Bool { earlyEnds[device]?[activity] != nil }

    /// The alert settings of the person for an activity.
    func wish(_ key: DeviceMatch) -> AlertWish {
        if quiet.contains(key.device) { return .none }
        guard let follow = follows[key], follow.isWanted else { return .all }
        return AlertWish(kinds: UInt8(clamping: follow.alerts.rawValue))
    }

    mutating func erase(_ device: DeviceID) {
        rows = rows.filter { $0.key.device != device }
        follows = follows.filter { $0.key.device != device }
    }

    /// The expected contents of a match's arenas: device, generation, token.
    func tokens(of match: MatchID) -> Set<String> {
        var tokens: Set<String> = []
        for (key, row) in rows where key.match == match && row.state == 1 {
            guard case .token(let token) = row.route else { continue }
            tokens.insert("\(key.device) \(row.generation) \(Hex.string(token.bytes)) production")
        }
        return tokens
    }
}
