// A network that fails at random cannot be played again, so that all faults of a link follow from one seed.

internal import ScoreTypes

/// The faults of one link and their times, without end; the kinds come in turn, in an order that is drawn each time.
public struct NetworkFaultSchedule: Sendable {
    /// One fault.
    public struct Spell: Sendable, Hashable {
        /// Real time without a fault before it.
        public let calm: Duration
        /// The fault.
        public let fault: NetworkFault
        /// How long it lasts, in real time.
        public let length: Duration
    }

    private var generator: SplitMix64
    private let share: Double
    private var kinds: [NetworkFault.Kind] = []

    /// Draws a schedule.
    ///
    /// - Parameters:
    ///   - seed: Equal seeds give equal schedules.
    ///   - share: The part of the time, above 0 and at most 0.9, in which there is a fault.
    public init(seed: UInt64, share: Double) {
        generator = SplitMix64(seed: seed)
        self.share = min(max(share, 0.001), 0.9)
    }

    /// Draws the next fault.
    public mutating func next() -> Spell {
        if kinds.isEmpty { kinds = NetworkFault.Kind.allCases.shuffled(using: &generator) }
        let kind = kinds.removeLast()
        let length = Int64.random(in: SimulatorLimits.networkFaultMilliseconds, using: &generator)
        let calm = Double(length) * (1 - share) / share * (0.5 + generator.unit())
        return Spell(
            calm: .milliseconds(Int64(calm)),
            fault: .drawn(kind, using: &generator),
            length: .milliseconds(length)
        )
    }
}
