// The rules of activities and follows as plainly as they can be said, to hold the SQL against.

import ScoreTypes

@testable import FollowService

/// What the tables should hold, kept in dictionaries.
struct NaiveActivities {
    struct Row: Equatable {
        var activityID: ActivityID
        var generation: Int32
        var clientSeq: Int64
        /// 1 active, 2 ending, 3 ended.
        var state = 1
        var reason: EndReason?
        var tokenAt: Instant
        var route: ActivityRoute
    }

    struct FollowRow: Equatable {
        var clientSeq: Int64
        var isWanted: Bool
        var isDismissed: Bool
    }

    private(set) var rows: [DeviceMatch: Row] = [:]
    private(set) var follows: [DeviceMatch: FollowRow] = [:]

    struct DeviceMatch: Hashable {
        let device: DeviceID
        let match: MatchID
    }

    mutating func register(_ call: ActivityRegistration, at now: Instant) -> ActivityOutcome {
        let key = DeviceMatch(device: call.device, match: call.match)
        guard let row = rows[key] else {
            rows[key] = Row(
                activityID: call.activityID,
                generation: 1,
                clientSeq: call.clientSeq,
                tokenAt: now,
                route: call.route
            )
            return .registered(generation: 1)
        }
        let isSpent = row.state != 1 && row.activityID == call.activityID && row.reason?.isFinal == true
        if call.clientSeq > row.clientSeq && !isSpent {
            rows[key] = Row(
                activityID: call.activityID,
                generation: row.generation + 1,
                clientSeq: call.clientSeq,
                tokenAt: now,
                route: call.route
            )
            return .registered(generation: row.generation + 1)
        }
        if row.clientSeq > call.clientSeq {
            return .outdated(
                StoredActivity(
                    activityID: row.activityID,
                    generation: row.generation,
                    clientSeq: row.clientSeq,
                    endReason: row.state == 1 ? nil : row.reason
                )
            )
        }
        return row.state == 1 ? .unchanged(generation: row.generation) : .ended(row.reason ?? .missing)
    }

    mutating func end(_ call: ActivityEnd) -> ActivityEndOutcome {
        let found = rows.first { $0.key.device == call.device && $0.value.activityID == call.activityID }
        guard let (key, row) = found else { return .unknown }
        let isSettled = row.state == 3 && row.reason != .rejected && row.reason != .missing
        if isSettled { return .ended }
        if row.clientSeq >= call.clientSeq { return row.state == 3 ? .ended : .outdated(clientSeq: row.clientSeq) }
        rows[key]?.state = 3
        rows[key]?.reason = call.reason
        rows[key]?.clientSeq = call.clientSeq
        if call.reason == .dismissed { follows[key]?.isDismissed = true }
        return .ended
    }

    mutating func evict(_ eviction: Eviction) {
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
        rows[key]?.state = 2
        rows[key]?.reason = reason
        return row.generation
    }

    mutating func finishEnd(_ key: DeviceMatch, generation: Int32) -> Int {
        guard let row = rows[key], row.state != 3, row.generation == generation else { return 0 }
        rows[key]?.state = 3
        return 1
    }

    mutating func follow(_ key: DeviceMatch, isWanted: Bool, clientSeq: Int64) {
        guard let row = follows[key] else {
            follows[key] = FollowRow(clientSeq: clientSeq, isWanted: isWanted, isDismissed: false)
            return
        }
        guard clientSeq > row.clientSeq else { return }
        let isAnew = isWanted && !row.isWanted
        follows[key] = FollowRow(clientSeq: clientSeq, isWanted: isWanted, isDismissed: row.isDismissed && !isAnew)
    }

    /// What the arenas of a match should hold: device, generation, token.
    func tokens(of match: MatchID) -> Set<String> {
        var tokens: Set<String> = []
        for (key, row) in rows where key.match == match && row.state == 1 {
            guard case .token(let token) = row.route else { continue }
            tokens.insert("\(key.device) \(row.generation) \(Hex.string(token.bytes)) production")
        }
        return tokens
    }
}
