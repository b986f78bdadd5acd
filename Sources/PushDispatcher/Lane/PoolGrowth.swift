// With a round trip of 60 ms a connection carries 13,000 pushes a second, a part of what a core sends.

internal import ScoreTypes

/// Decides how many connections a lane wants.
///
/// ```
///            requests wait for streams, answers come, and the thread sleeps
///  fewest ──────────────────────────────────────────────────────────────────▶ up to twice as many, and so on to most
///     ▲                                                                                       │
///     └──────────────────────────── an hour without such a shortage ◀─────────────────────────┘
/// ```
///
/// A thread that works without a pause gains nothing from more streams. The part of the time that it works says how
/// many streams would keep it at work.
struct PoolGrowth {
    /// The state of the connections at one tick of the lane.
    struct Sample {
        let now: Duration
        /// Time for which the lane's thread has slept since its start.
        let asleep: Duration
        /// Whether requests wait and no connection takes another one.
        let isShort: Bool
        /// Answers of APNs since the start.
        let answers: Int
        let streamsInUse: Int
        let open: Int
    }

    private let fewest: Int
    private let most: Int
    /// Connections to keep open.
    private(set) var wanted: Int
    /// The sample with which the present shortage, or the present window of it, began.
    private var start: Sample?
    private var lastShortage = Duration.zero

    init(fewest: Int, most: Int) {
        self.fewest = max(1, fewest)
        self.most = max(self.fewest, most)
        wanted = self.fewest
    }

    mutating func record(_ sample: Sample) {
        guard sample.isShort else {
            start = nil
            if wanted > fewest, sample.now - lastShortage >= PushLimits.extraConnectionAge { wanted = fewest }
            return
        }
        lastShortage = sample.now
        guard let start else {
            start = sample
            return
        }
        let window = sample.now - start.now
        guard window >= PushLimits.shortageWindow else { return }
        self.start = sample
        // The connections that are wanted already come first.
        guard sample.open >= wanted else { return }
        // Answers that take long come from a slow APNs, which more requests make slower.
        let answered = sample.answers - start.answers
        guard PushLimits.growthRoundTrip * answered >= window * sample.streamsInUse else { return }
        let working = max(1 - (sample.asleep - start.asleep) / window, PushLimits.workingShareLeast)
        guard working <= PushLimits.workingShareMost else { return }
        let needed = Int((Double(sample.open) / working).rounded(.up))
        wanted = min(most, max(wanted + 1, min(needed, PushLimits.connectionGrowth * wanted)))
    }
}
