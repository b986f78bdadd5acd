// Operators see and control the feeds of ScoreIngest; a pause survives restarts.

import ScoreIngest
import ScoreTypes

/// The feeds of the admin API.
struct FeedOperations: FeedControl {
    let ingest: IngestService
    let records: FeedRecords
    let settings: [FeedSettings]

    func feeds() async -> [FeedView] {
        let reasons = (try? await records.pausedReasons()) ?? [:]
        return await ingest.status().map { status in
            FeedView(status: status, provider: provider(of: status.feed), pausedReason: reasons[status.feed])
        }
    }

    func pause(_ feed: FeedID, reason: String) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        // Stored first, so that a pause that cannot be stored has no effect.
        try await records.pause(feed, provider: provider(of: feed), reason: reason)
        await ingest.setPaused(true, feed)
        return true
    }

    func resume(_ feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        try await records.resume(feed)
        await ingest.setPaused(false, feed)
        return true
    }

    func send(_ verb: FeedVerb, to feed: FeedID) async throws -> Bool {
        guard ingest.knows(feed) else { return false }
        // This node receives the order, too.
        try await records.send(.feed(feed, verb))
        return true
    }

    private func provider(of feed: FeedID) -> String { settings.first { $0.id == feed }?.provider.rawValue ?? "" }
}
