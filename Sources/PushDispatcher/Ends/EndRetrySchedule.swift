// An end that APNs did not accept is repeated at growing intervals, then given up.

internal import ScoreTypes

/// Ends that were not accepted, with the real time of their next try.
struct EndRetrySchedule {
    /// The real times after the first try at which an end is repeated.
    static func delays(on clock: ServiceClock) -> [Duration] {
        var delay = Duration.zero
        return PushLimits.endRetries.map { step in
            delay += clock.real(step, .arrival)
            return delay
        }
    }

    /// One end that is not accepted yet.
    struct PendingEnd: Sendable {
        let end: PushEnd
        let firstTry: Duration
        /// Tries so far, the scheduled one included.
        var tries = 1
    }

    private let delays: [Duration]
    private var waiting = DueHeap<PendingEnd>(countMax: PushLimits.endsWaiting)

    init(clock: ServiceClock) { delays = EndRetrySchedule.delays(on: clock) }

    var count: Int { waiting.count }

    /// Schedules the next try; false after the last one, or if too many wait.
    mutating func failed(_ pendingEnd: PendingEnd) -> Bool {
        guard pendingEnd.tries <= delays.count else { return false }
        var next = pendingEnd
        next.tries += 1
        return waiting.insert(next, due: pendingEnd.firstTry + delays[pendingEnd.tries - 1])
    }

    /// Removes and returns the ends that are due.
    mutating func due(at now: Duration) -> [PendingEnd] { waiting.popAllDue(at: now) }

    /// Removes the ends of a finished match.
    mutating func forget(_ match: MatchID) { waiting.removeAll { $0.end.content.match == match } }
}
