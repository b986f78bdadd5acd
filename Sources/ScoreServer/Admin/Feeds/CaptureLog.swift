// The captures of a node are files; reading them blocks a thread, and no request of another route.

import ScoreIngest
import ScoreTypes

/// Reads the stored replies of feeds.
protocol CaptureLog: Sendable {
    /// Whether this node stores replies.
    var isStoring: Bool { get }
    /// The newest entries of a feed, newest first, without their texts; nil when this node stores none.
    func captures(of feed: FeedID, about match: MatchID?, at time: Instant?, limit: Int) async throws
        -> [StoredCapture]?
    /// One entry with its texts; nil when there is none.
    func capture(_ id: String, of feed: FeedID) async throws -> StoredCapture?
}

/// Reads the folder of `CAPTURES_DIR`, one request after the other.
struct CaptureFiles: CaptureLog {
    /// nil when none are stored.
    private let reader: CaptureReader?
    private let lock = AsyncMutex(waitersMax: ServerLimits.waitingCaptureReads)

    var isStoring: Bool { reader != nil }

    init(directory: String?) { reader = directory.map { CaptureReader(directory: $0) } }

    func captures(of feed: FeedID, about match: MatchID?, at time: Instant?, limit: Int) async throws
        -> [StoredCapture]?
    {
        guard let reader else { return nil }
        return try await run { reader.captures(of: feed, about: match, at: time, limit: limit) }
    }

    func capture(_ id: String, of feed: FeedID) async throws -> StoredCapture? {
        guard let reader else { return nil }
        return try await run { reader.capture(id, of: feed) }
    }

    private func run<Value: Sendable>(_ read: @escaping @Sendable () -> Value) async throws -> Value {
        guard await lock.lock() else { throw ServiceProblem.unavailable("overload") }
        defer { lock.unlock() }
        return await withCheckedContinuation { continuation in
            OwnedThread.start(name: "captures") { continuation.resume(returning: read()) }
        }
    }
}
