// Journal entries of the match of the tests: revision n inserts the n-th ball.

import MatchEngine
import MatchSamples
import ScoreTypes

@testable import MatchJournal
@testable import ScoreServer

extension Samples {
    private static let manyDeliveries = deliveries(2_000)

    /// The n-th ball, with some runs.
    static func ball(_ number: Int64, runs: Int = 1) -> Delivery {
        var delivery = manyDeliveries[Int(number) - 1]
        delivery.runs = DeliveryRuns(bat: runs)
        return delivery
    }

    /// An entry that was written now.
    static func entry(_ number: Int64, _ change: Change? = nil, before: Delivery? = nil) -> JournalEntry {
        JournalEntry(
            revision: number,
            at: ServiceClock().wall,
            change: change ?? .inserted(ball(number)),
            before: before
        )
    }

    /// The entries of balls.
    static func entries(_ numbers: ClosedRange<Int64>) -> [JournalEntry] { numbers.map { entry($0) } }
}

extension WireEvent {
    /// The revision of an event of balls mode.
    var number: Int64? { data["rev"]?.int }
    /// Whether it follows the revision before it.
    var isGapless: Bool { data["prev"]?.int == number.map { $0 - 1 } }
}
