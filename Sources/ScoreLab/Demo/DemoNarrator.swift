// One line an over: the score, what happened, how many pushes were accepted, how fast.

import MatchJournal
import ScoreTypes
import Simulators

/// Prints the lines of a demo.
actor DemoNarrator {
    private let demo: DemoTestbed
    private let say: @Sendable (String) -> Void
    private var accepted = 0
    private var times = BallTimes()

    init(demo: DemoTestbed, say: @escaping @Sendable (String) -> Void) {
        self.demo = demo
        self.say = say
    }

    /// Tells a line with the figures since the last one.
    func tell(_ line: OverLine) async {
        let statistics = demo.bed.apns.statistics
        var figures = "\(statistics.accepted - accepted) pushes"
        accepted = statistics.accepted
        // The newest publication may still be on its way to some; it counts with the next line.
        let newest = statistics.revisions.keys.max() ?? 0
        var further = times
        let spans = try? await further.next(
            served: demo.feed.firstServed,
            pushed: statistics.revisions,
            upTo: newest - 1,
            entries: { [demo] in try await demo.journal.entries(of: demo.match, after: $0) }
        )
        times = further
        if let slowest = spans?.map(\.last).max() {
            figures += ", the last \(slowest.reportMilliseconds) ms after the feed's reply"
        }
        say("\(line.score.padded(to: 64))  \(figures)")
        for moment in line.moments { say("    \(moment)") }
    }
}
