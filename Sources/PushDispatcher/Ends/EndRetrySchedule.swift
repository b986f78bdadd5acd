// An end that APNs did not accept is said again, ever more seldom, and then never.

internal import ScoreTypes

/// Ends that were not accepted, with the real time of their next try.
struct EndRetrySchedule {
    /// The waits in real time; each has its own floor, so that a scaled clock keeps them apart.
    static func delays(on clock: ServiceClock) -> [Duration] {
        PushLimits.endRetries.enumerated().map { clock.real($1, floor: PushLimits.endRetryFloor * ($0 + 1)) }
    }

    /// One end on its way up.
    struct PendingEnd: Sendable {
        let end: PushEnd
        let firstTry: Duration
        /// Tries that were made.
        var tries = 1
    }

    private let delays: [Duration]
    private var waiting = DueHeap<PendingEnd>(countMax: PushLimits.endsWaiting)

    init(clock: ServiceClock) { delays = EndRetrySchedule.delays(on: clock) }

    var count: Int { waiting.count }

    /// Takes an end that was not accepted; false when it had all its tries, or too many wait.
    mutating func failed(_ pendingEnd: PendingEnd) -> Bool {
        guard pendingEnd.tries <= delays.count else { return false }
        return waiting.insert(pendingEnd, due: pendingEnd.firstTry + delays[pendingEnd.tries - 1])
    }

    /// The ends to try now.
    mutating func due(at now: Duration) -> [PendingEnd] {
        var pendingEnds: [PendingEnd] = []
        while var pendingEnd = waiting.popDue(at: now) {
            pendingEnd.tries += 1
            pendingEnds.append(pendingEnd)
        }
        return pendingEnds
    }

    /// Forgets a match that is over.
    mutating func forget(_ match: MatchID) {
        for (pendingEnd, due) in waiting.removeAllWithDue() where pendingEnd.end.content.match != match {
            _ = waiting.insert(pendingEnd, due: due)
        }
    }
}
