// The timer, the command and the internal route all call this one function.

public import ScoreTypes

/// Why a sweep did not run.
public enum SweepRefusal: Error, Hashable, CustomStringConvertible {
    /// Recovery has not published yet, so that silence proves nothing.
    case notRecovered
    /// Another node runs the same slot right now.
    case running

    /// One sentence.
    public var description: String {
        switch self {
        case .notRecovered: "sweep: this node has not finished its recovery"
        case .running: "sweep: another node runs this slot"
        }
    }
}

/// Runs `StaleSweep` over the records and hands the ends to the dispatcher.
public struct Sweep: Sendable {
    /// How often the timer runs it, in domain time.
    public static let interval: Duration = .seconds(60)
    /// Real floor of the interval and of the silence under a scaled clock.
    public static let floor: Duration = .seconds(10)
    /// Activities in one run unless the caller says otherwise.
    public static let itemsMax = 10_000

    private let store: any SweepStore
    private let dispatcher: Dispatcher
    private let clock: ServiceClock
    private let isRecovered: @Sendable () -> Bool

    /// Makes the sweep of one node.
    ///
    /// - Parameters:
    ///   - store: Where activities are found.
    ///   - dispatcher: Who sends the ends.
    ///   - clock: Scales the silence in a demo.
    ///   - isRecovered: Whether this node has published the newest states since its start.
    public init(
        store: any SweepStore,
        dispatcher: Dispatcher,
        clock: ServiceClock,
        isRecovered: @escaping @Sendable () -> Bool
    ) {
        self.store = store
        self.dispatcher = dispatcher
        self.clock = clock
        self.isRecovered = isRecovered
    }

    /// The slot that a moment belongs to: its minute.
    public static func slot(of moment: Instant) -> String { "minute-\(moment.seconds / 60)" }

    /// Runs a slot once; the same slot again returns the first summary.
    public func run(
        slot: String,
        maxItems: Int = itemsMax,
        isDryRun: Bool = false
    ) async throws -> (summary: SweepSummary, isRepetition: Bool) {
        guard isRecovered() else { throw SweepRefusal.notRecovered }
        if isDryRun { return (try await sweep(slot, maxItems, isDryRun: true), false) }
        let outcome = try await store.once(slot: slot) { try await sweep(slot, maxItems, isDryRun: false) }
        switch outcome {
        case .ran(let summary): return (summary, false)
        case .repeated(let summary): return (summary, true)
        case .running: throw SweepRefusal.running
        }
    }

    private func sweep(_ slot: String, _ maxItems: Int, isDryRun: Bool) async throws -> SweepSummary {
        let started = clock.monotonic
        let silence = clock.real(StaleSweep.silenceMax, floor: Self.floor)
        let now = clock.wall
        let limit = min(max(1, maxItems), Self.itemsMax)
        let candidates = try await store.silent(
            before: now + (.zero - silence),
            exceptions: await dispatcher.exceptions(),
            limit: limit
        )
        let states = await dispatcher.lastStates(of: Set(candidates.map(\.match)))
        let decision = StaleSweep.decide(candidates, at: now, silence: silence) { states[$0] }
        if !isDryRun, !decision.ends.isEmpty {
            try await store.markEnding(decision.ending)
            await dispatcher.end(decision.ends)
        }
        var summary = SweepSummary(slot: slot)
        summary.scanned = candidates.count
        summary.changed = decision.ends.count
        summary.skipped = decision.freshCount
        summary.errors = decision.statelessCount
        summary.hasMore = candidates.count >= limit
        summary.isDryRun = isDryRun
        summary.tookMilliseconds = (clock.monotonic - started).milliseconds
        return summary
    }
}
