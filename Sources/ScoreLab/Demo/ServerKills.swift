// Servers that are killed during play lose nothing: the demo kills them in turn, at even distances of the match.

import Glibc
import Simulators

/// Kills the servers of a demo during play.
struct ServerKills: Sendable {
    private let count: Int
    private var done = 0

    /// Plans so many kills.
    init(_ count: Int) { self.count = count }

    /// Whether the next kill is due, after so many of the balls of the match.
    func isDue(after balls: Int, of all: Int) -> Bool { done < count && balls * (count + 1) >= (done + 1) * all }

    /// Kills servers until the plan is done or the task is cancelled.
    mutating func run(on demo: DemoTestbed) async {
        while done < count, !Task.isCancelled {
            let server = demo.servers[done % demo.servers.count]
            if isDue(after: demo.feed.firstServed.count, of: demo.balls), await demo.bed.isReady(server) {
                server.signal(SIGKILL)
                done += 1
            }
            try? await Task.sleep(for: LabLimits.demoPoll)
        }
    }
}
