// The operators' matches: looked at in the database, held and ended through the rooms that own them.

import FollowService
import LiveActivities
import MatchEngine
import MatchJournal
import Postgres
import PushDispatcher
import ScoreTypes

/// Joins the admin API with journal, publisher and dispatcher.
struct ControlJoin: MatchControl {
    let journal: Journal
    let publisher: Publisher
    let hub: StreamHub
    /// nil on a node that pushes nothing.
    let ending: ActivityEnding?
    let activities: FollowService.Activities

    func knows(_ match: MatchID) async throws -> Bool { try await journal.head(of: match) != nil }

    func detail(of match: MatchID) async throws -> JSONValue? {
        guard let head = try await journal.head(of: match) else { return nil }
        let counts = try await activities.counts(of: match)
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
            "streams": .integer(Int64(hub.watcherCounts[match] ?? 0)),
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

    func override(_ match: MatchID, with override: MatchOverride) async throws -> Bool {
        try await journal.set(override, of: match)
    }

    func lift(_ field: String, of match: MatchID) async throws -> Bool {
        try await journal.liftOverride(field, of: match)
    }

    func overrides(of match: MatchID) async throws -> [MatchOverride] { try await journal.overrides(of: match) }

    func log(
        of match: MatchID,
        about item: String?,
        after revision: Int64,
        limit: Int
    ) async throws -> [JournalStatement] {
        try await journal.statements(of: match, about: item, after: revision, limit: limit)
    }
}
