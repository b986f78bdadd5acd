// Counting the activities of a final takes PostgreSQL a second; a page shows the last count and does not wait for it.

import FollowService
import LiveActivities
import ScoreTypes
import Synchronization

/// The followers of a match in numbers.
struct MatchAudience: Sendable {
    let counts: AudienceCounts
    let receipts: ReceiptNumbers
}

/// Counts the followers of matches, each match once at a time, and keeps the last counts.
final class AudienceReader: Sendable {
    /// Counts the followers of a match.
    typealias Count = @Sendable (MatchID) async throws -> MatchAudience

    private struct Entry: Sendable {
        var audience: MatchAudience?
        /// When the next count is worth its cost, by the monotonic clock.
        var due = Duration.zero
        var isCounting = false
    }

    /// A page that waits for the first count of a match.
    private struct Waiter: Sendable {
        let match: MatchID
        let continuation: CheckedContinuation<MatchAudience?, Never>
    }

    private struct Contents: Sendable {
        var entries = GenerationCache<MatchID, Entry>(capacity: ServerLimits.countedMatches)
        var waiters: [Int: Waiter] = [:]
        var lastWaiter = 0
    }

    private let contents = Mutex(Contents())
    private let clock: ServiceClock
    private let count: Count

    init(clock: ServiceClock, count: @escaping Count) { (self.clock, self.count) = (clock, count) }

    /// The last counts of a match; where there are none, waits for them, at most so long.
    ///
    /// nil when they take longer, or cannot be read.
    func audience(of match: MatchID, within wait: Duration) async -> MatchAudience? {
        let now = clock.monotonic
        let (known, begins) = contents.withLock { contents -> (MatchAudience?, Bool) in
            var entry = contents.entries[match] ?? Entry()
            let begins = !entry.isCounting && now >= entry.due
            if begins { entry.isCounting = true }
            contents.entries[match] = entry
            return (entry.audience, begins)
        }
        if begins { Task { await self.read(match) } }
        if let known { return known }
        return await withCheckedContinuation { continuation in
            let waiter = contents.withLock { contents -> Int? in
                guard contents.entries[match]?.isCounting == true else { return nil }
                contents.lastWaiter += 1
                contents.waiters[contents.lastWaiter] = Waiter(match: match, continuation: continuation)
                return contents.lastWaiter
            }
            guard let waiter else {
                return continuation.resume(returning: contents.withLock { $0.entries[match]?.audience })
            }
            Task {
                try? await Task.sleep(for: wait)
                contents.withLock { $0.waiters.removeValue(forKey: waiter) }?.continuation.resume(returning: nil)
            }
        }
    }

    private func read(_ match: MatchID) async {
        let begun = clock.monotonic
        let audience = try? await count(match)
        let now = clock.monotonic
        let waiters = contents.withLock { contents -> [Waiter] in
            var entry = contents.entries[match] ?? Entry()
            if let audience { entry.audience = audience }
            entry.isCounting = false
            // A long count takes a twentieth of the time at most.
            entry.due = now + max(ServerLimits.audienceInterval, (now - begun) * 19)
            contents.entries[match] = entry
            let waiters = contents.waiters.filter { $0.value.match == match }
            for number in waiters.keys { contents.waiters[number] = nil }
            return Array(waiters.values)
        }
        for waiter in waiters { waiter.continuation.resume(returning: audience) }
    }
}
