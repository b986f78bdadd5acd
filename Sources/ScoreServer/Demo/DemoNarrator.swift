// One line an over: the score, what happened, how many pushes were accepted, how fast.

import ScoreTypes
import Synchronization

/// Prints the lines of a demo.
final class DemoNarrator: Sendable {
    private let stage: DemoStage
    private let say: @Sendable (String) -> Void
    private let last = Mutex((accepted: 0, revision: Int64(0)))

    init(stage: DemoStage, say: @escaping @Sendable (String) -> Void) {
        self.stage = stage
        self.say = say
    }

    /// Tells a line with the figures since the last one.
    func tell(_ line: OverLine) {
        let statistics = stage.apns.statistics
        let (accepted, since) = last.withLock { last in
            let newest = statistics.revisions.keys.max() ?? 0
            defer { last = (statistics.accepted, newest) }
            return (statistics.accepted - last.accepted, last.revision)
        }
        let spread = statistics.revisions.filter { $0.key > since }.values.map { $0.last - $0.first }.max() ?? .zero
        let pushes = "\(accepted) pushes, last after \(spread.reportMilliseconds) ms"
        say("\(line.score.padded(to: 64))  \(pushes)")
        for moment in line.moments { say("    \(moment)") }
    }
}
