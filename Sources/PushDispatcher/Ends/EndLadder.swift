// An end that APNs did not accept is said again, ever more seldom, and then never.

internal import ScoreTypes

/// Ends that were not accepted, with the real time of their next try.
struct EndLadder {
    /// When an end is repeated, after its first try, in domain time (PUBLICATION section 3).
    static let steps: [Duration] = [.seconds(60), .seconds(300), .seconds(900), .seconds(1800)]
    /// Real floor of those waits under a scaled clock.
    static let floor: Duration = .seconds(1)
    /// Ends that may wait; beyond it the sweep finds what is left over.
    static let countMax = 100_000

    /// The waits in real time; each has its own floor, so that a scaled clock keeps them apart.
    static func steps(on clock: ServiceClock) -> [Duration] {
        steps.enumerated().map { clock.real($1, floor: floor * ($0 + 1)) }
    }

    /// One end on its way up.
    struct Rung: Sendable {
        let end: PushEnd
        let firstTry: Duration
        /// Tries that were made.
        var tries = 1
    }

    private let steps: [Duration]
    private var waiting = DueHeap<Rung>(countMax: countMax)

    init(clock: ServiceClock) { steps = Self.steps(on: clock) }

    var count: Int { waiting.count }

    /// Takes an end that was not accepted; false when it had all its tries, or too many wait.
    mutating func failed(_ rung: Rung) -> Bool {
        guard rung.tries <= steps.count else { return false }
        return waiting.insert(rung, due: rung.firstTry + steps[rung.tries - 1])
    }

    /// The ends to try now.
    mutating func due(at now: Duration) -> [Rung] {
        var rungs: [Rung] = []
        while var rung = waiting.popDue(at: now) {
            rung.tries += 1
            rungs.append(rung)
        }
        return rungs
    }

    /// Forgets a match that is over.
    mutating func forget(_ match: MatchID) {
        for (rung, due) in waiting.removeAllWithDue() where rung.end.content.match != match {
            _ = waiting.insert(rung, due: due)
        }
    }
}
