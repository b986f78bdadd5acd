// The operators' feeds, turned by ScoreIngest; a pause is remembered across restarts.

import MatchJournal
import Postgres
import ScoreIngest
import ScoreTypes

/// Joins the two rooms.
struct FeedJoin: FeedControl {
    let ingest: IngestService
    let feeds: FeedRecords
    let providers: [FeedID: String]

    func feeds() async -> [FeedView] {
        let reasons = (try? await feeds.pausedReasons()) ?? [:]
        return await ingest.status().map { status in
            var view = FeedView(
                id: status.feed,
                provider: providers[status.feed] ?? "",
                state: status.breaker == .closed ? status.activity.rawValue : "failing"
            )
            view.pausedReason = reasons[status.feed]
            view.lastSuccessAt = status.lastSuccess
            view.pollIntervalMilliseconds = status.pollInterval?.milliseconds
            view.matchCount = status.matches.count
            view.detail = .record([
                "requests": .integer(Int64(status.requests)), "bytes": .integer(Int64(status.bytes)),
                "unreadable": .integer(Int64(status.unreadable)), "doubted": .integer(Int64(status.doubted)),
                "open": .bool(status.isOpen), "upcoming": .integer(Int64(status.upcoming)),
                "overBudget": .integer(Int64(status.overBudget)),
                "budgetLeft": status.budgetLeft.map { .number($0) } ?? .null,
                "lastNoticeAt": status.lastNotice.map { .text($0.rfc3339) } ?? .null,
                "lastFailure": status.lastFailureReason.map { .text($0) } ?? .null,
            ])
            return view
        }
    }

    func pause(_ feed: FeedID, reason: String) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        // Written first: what could not be recorded is not done either.
        try await feeds.pause(feed, provider: providers[feed] ?? "", reason: reason)
        return await ingest.setPaused(true, feed)
    }

    func resume(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        try await feeds.resume(feed)
        return await ingest.setPaused(false, feed)
    }

    func pollNow(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        // This node hears it too, like all others: done here as well, everything would be asked twice.
        try await feeds.order(feed, .poll)
        return true
    }

    func resetBreaker(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        try await feeds.order(feed, .reset)
        return true
    }
}

/// The feeds that an operator paused, and the way to whichever node polls them.
struct FeedRecords: Sendable {
    let pool: Pool

    func pausedReasons() async throws -> [FeedID: String] {
        let rows = try await pool.query(SQL.paused) { row in (try row.text(0), try row.text(1)) }
        return Dictionary(rows.compactMap { row in FeedID(row.0).map { ($0, row.1) } }) { first, _ in first }
    }

    func pause(_ feed: FeedID, provider: String, reason: String) async throws {
        _ = try await pool.execute(SQL.pause, [.text(feed.text), .text(provider), .text(reason)])
        try await order(feed, .turn)
    }

    func resume(_ feed: FeedID) async throws {
        _ = try await pool.execute(SQL.resume, [.text(feed.text)])
        try await order(feed, .turn)
    }

    /// Tells all nodes, this one too.
    func order(_ feed: FeedID, _ verb: FeedVerb) async throws {
        let order = IngestOrder.feed(feed, verb).payload
        _ = try await pool.query(SQL.notify, [.text(IngestOrder.channel), .text(order)]) { _ in () }
    }

    private enum SQL {
        static let paused = Statement("select feed_id, paused_reason from feed where paused_reason is not null")
        static let pause = Statement(
            """
            insert into feed (feed_id, provider, paused_reason) values ($1, $2, $3)
            on conflict (feed_id) do update set paused_reason = excluded.paused_reason
            """
        )
        static let notify = Statement("select pg_notify($1, $2)")
        static let resume = Statement("update feed set paused_reason = null where feed_id = $1")
    }
}
