// Operators inspect, hold and end matches through the stores and services that own them.

import FollowService
import LiveActivities
import MatchJournal
import ScoreTypes

/// The matches of the admin API.
struct MatchOperations: MatchControl {
    let journal: Journal
    let publisher: Publisher
    let hub: StreamHub
    /// nil on a node that pushes nothing.
    let ending: ActivityEnding?
    let activities: FollowService.Activities
    let receipts: ReceiptCounts

    func detail(of match: MatchID) async throws -> JSONValue? {
        guard let head = try await journal.head(of: match) else { return nil }
        let counts = try await activities.counts(of: match)
        let receipts = try await receipts.numbers(of: match)
        return .record([
            "revision": .text(head.revision.description),
            "apnsTimestamp": .integer(head.apnsTimestamp),
            "phase": .text("\(head.phase)"),
            "feed": .text(head.feed.text),
            "heldReason": head.heldReason.map { .text($0) } ?? .null,
            "silentSince": head.silentSince.map { .text($0.rfc3339) } ?? .null,
            "removed": .bool(head.isRemoved),
            "overrides": .array(try await journal.overrides(of: match).map(\.json)),
            "follows": .integer(counts.follows),
            "activitiesByToken": .integer(counts.activitiesOnTokens),
            "activitiesOnChannels": .integer(counts.activitiesOnChannels),
            "receipts": .record([
                "accepted": .integer(receipts.accepted), "confirmed": .integer(receipts.confirmed),
                "unknown": .integer(receipts.unknown), "stuck": .integer(receipts.stuck),
            ]),
            "streams": .whole(hub.watcherCounts[match] ?? 0),
        ])
    }

    func hold(_ match: MatchID, reason: String) async throws -> Bool {
        guard try await journal.hold(match, reason: reason) else { return false }
        publisher.wake(match)
        return true
    }

    func release(_ match: MatchID) async throws -> Bool {
        guard try await journal.release(match) else { return false }
        publisher.wake(match)
        return true
    }

    func endActivities(of match: MatchID, reason: String) async throws -> Bool {
        guard try await journal.head(of: match) != nil else { return false }
        try await ending?.endAll(of: match, because: .over)
        return true
    }

    func activityCount(of match: MatchID) async throws -> Int64? {
        guard try await journal.head(of: match) != nil else { return nil }
        return try await ending?.activeCount(of: match) ?? 0
    }
}

extension Journal: OverrideStore {
    func knows(_ match: MatchID) async throws -> Bool { try await head(of: match) != nil }
}
