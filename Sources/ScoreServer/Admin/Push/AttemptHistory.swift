// The dispatcher's threads report attempts, and operators read them; both share this object.

import Logging
import Metrics
import PushDispatcher
import ScoreTypes
import Synchronization

/// The sampled pushes of this node.
final class AttemptHistory: AttemptObserver {
    let acceptedAttempts = AcceptedAttempts.sample
    private let clock: ServiceClock
    private let samples = Mutex(PushSamples())

    init(clock: ServiceClock) { self.clock = clock }

    func attempted(_ attempt: PushAttempt) {
        let now = clock.wall
        guard samples.withLock({ $0.add(attempt, at: now) }) else { return }
        Counter(
            label: "score_push_dead_letters_total",
            dimensions: [("class", attempt.operation.rawValue), ("reason", attempt.reason.rawValue)]
        ).increment()
    }

    /// All samples now.
    var all: PushSamples { samples.withLock { $0 } }

    /// Counts the given-up pushes of answers from 0 again; returns how many they were.
    func discard(where fits: (PushAnswer) -> Bool) -> Int { samples.withLock { $0.discard(where: fits) } }
}

/// Passes attempts on to the log and to the samples.
struct AttemptObservers: AttemptObserver {
    let clock: ServiceClock
    let log: AttemptLog
    let history: AttemptHistory

    init(clock: ServiceClock) {
        self.clock = clock
        log = AttemptLog(Logger(label: "score.push.attempts"), clock: clock)
        history = AttemptHistory(clock: clock)
    }

    var acceptedAttempts: AcceptedAttempts { log.acceptedAttempts }

    func attempted(_ attempt: PushAttempt) {
        log.attempted(attempt)
        history.attempted(attempt)
    }

    func managed(_ attempt: ChannelAttempt) { log.managed(attempt) }
}
