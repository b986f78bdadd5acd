// The first and the last answer of a fan-out, and the way of single pushes, seen where they happen.

import PushDispatcher
import ScoreTypes
import Synchronization

/// Notes when attempts of each match were sent and accepted.
final class BenchAttempts: AttemptObserver {
    /// The attempts of a match since the last call.
    struct Seen: Sendable {
        var accepted = 0
        var firstSentAt: Duration?
        var firstAcceptedAt: Duration?
        var lastAcceptedAt: Duration?
    }

    private let seen = Mutex<[MatchID: Seen]>([:])

    func attempted(_ attempt: PushAttempt) {
        guard attempt.outcome == .accepted else { return }
        let at = attempt.sentAt + attempt.duration
        seen.withLock { seen in
            var match = seen[attempt.match] ?? Seen()
            match.accepted += 1
            match.firstSentAt = min(match.firstSentAt ?? attempt.sentAt, attempt.sentAt)
            match.firstAcceptedAt = match.firstAcceptedAt ?? at
            match.lastAcceptedAt = at
            seen[attempt.match] = match
        }
    }

    /// Takes the attempts of a match since the last call.
    func take(_ match: MatchID) -> Seen { seen.withLock { $0.removeValue(forKey: match) ?? Seen() } }
}
