// Operators see and control the feeds of ScoreIngest; a pause survives restarts.

import ScoreIngest
import ScoreTypes

/// The feeds of the admin API.
struct FeedOperations: FeedControl {
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
            view.consecutiveFailures = status.consecutiveFailures
            view.matchCount = status.matches.count
            view.detail = .record([
                "requests": .integer(Int64(status.requests)), "bytes": .integer(Int64(status.bytes)),
                "unreadable": .integer(Int64(status.unreadable)), "notAccepted": .integer(Int64(status.notAccepted)),
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
        // Stored first, so that a pause that cannot be stored has no effect.
        try await feeds.pause(feed, provider: providers[feed] ?? "", reason: reason)
        await ingest.setPaused(true, feed)
        return true
    }

    func resume(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        try await feeds.resume(feed)
        await ingest.setPaused(false, feed)
        return true
    }

    func pollNow(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        // This node receives the order, too.
        try await feeds.send(.feed(feed, .poll))
        return true
    }

    func resetBreaker(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        try await feeds.send(.feed(feed, .reset))
        return true
    }
}
