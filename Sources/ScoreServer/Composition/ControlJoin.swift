// The operators' matches: looked at in the database, held and ended through the rooms that own them.

import FollowService
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
    let end: AudienceEnd?
    let pool: Pool

    func knows(_ match: MatchID) async throws -> Bool { try await journal.head(of: match) != nil }

    func detail(of match: MatchID) async throws -> JSONValue? {
        guard let head = try await journal.head(of: match) else { return nil }
        let counts = try await pool.query(SQL.counts, [.text(match.text)]) { row in
            (try row.int(0), try row.int(1), try row.int(2))
        }
        let (follows, byToken, byChannel) = counts.first ?? (0, 0, 0)
        return .record([
            "revision": .text(head.revision.description),
            "apnsTimestamp": .integer(head.apnsTimestamp),
            "phase": .text("\(head.phase)"),
            "feed": .text(head.feed.text),
            "heldReason": head.heldReason.map { .text($0) } ?? .null,
            "silentSince": head.silentSince.map { .text($0.rfc3339) } ?? .null,
            "removed": .bool(head.isRemoved),
            "overrides": .array(try await journal.overrides(of: match).map(\.json)),
            "follows": .integer(follows),
            "activitiesByToken": .integer(byToken),
            "activitiesOnChannels": .integer(byChannel),
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
        try await end?.endAll(of: match, because: .over)
        return true
    }

    func activityCount(of match: MatchID) async throws -> Int64? {
        guard try await journal.head(of: match) != nil else { return nil }
        return try await end?.activeCount(of: match) ?? 0
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

    private enum SQL {
        static let counts = Statement(
            """
            select (select count(*) from follow where match_id = $1 and wants = 1),
                   count(*) filter (where state = 1 and channel_id is null),
                   count(*) filter (where state = 1 and channel_id is not null)
            from activity where match_id = $1
            """
        )
    }
}
