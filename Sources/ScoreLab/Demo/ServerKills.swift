// A server that is killed during play loses nothing: the demo kills it at even distances of the match.

import Glibc
import Simulators

/// Kills the server of a demo during play.
struct ServerKills: Sendable {
    private let count: Int
    private var done = 0

    /// Plans so many kills.
    init(_ count: Int) { self.count = count }

    /// Whether the next kill is due, after so many of the balls of the match.
    func isDue(after balls: Int, of all: Int) -> Bool { done < count && balls * (count + 1) >= (done + 1) * all }

    /// Kills the server until the plan is done or the task is cancelled.
    mutating func run(on demo: DemoTestbed) async {
        while done < count, !Task.isCancelled {
            if isDue(after: demo.feed.firstServed.count, of: demo.balls), await demo.bed.isReady(demo.server) {
                demo.server.signal(SIGKILL)
                done += 1
            }
            try? await Task.sleep(for: LabLimits.demoPoll)
        }
    }
}
