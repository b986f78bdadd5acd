// One line an over: the score, what happened, how many pushes were accepted, how fast.

import MatchJournal
import ScoreTypes
import Simulators

/// Prints the lines of a demo.
actor DemoNarrator {
    private let stage: DemoStage
    private let say: @Sendable (String) -> Void
    private var accepted = 0
    private var times = BallTimes()

    init(stage: DemoStage, say: @escaping @Sendable (String) -> Void) {
        self.stage = stage
        self.say = say
    }

    /// Tells a line with the figures since the last one.
    func tell(_ line: OverLine) async {
        let statistics = stage.apns.statistics
        var figures = "\(statistics.accepted - accepted) pushes"
        accepted = statistics.accepted
        // The newest publication may still be on its way to some; it counts with the next line.
        let newest = statistics.revisions.keys.max() ?? 0
        var further = times
        let spans = try? await further.next(
            served: stage.feed.firstServed,
            pushed: statistics.revisions,
            upTo: newest - 1,
            entries: { [stage] in try await stage.journal.entries(of: stage.match, after: $0) }
        )
        times = further
        if let slowest = spans?.map(\.last).max() {
            figures += ", the last \(slowest.reportMilliseconds) ms after the feed's reply"
        }
        say("\(line.score.padded(to: 64))  \(figures)")
        for moment in line.moments { say("    \(moment)") }
    }
}
