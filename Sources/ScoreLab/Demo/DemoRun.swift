// A whole match on one machine: database, feed, APNs, phones, and the real server as a child that may be killed.

import Foundation
import ScoreTypes
import Simulators

/// The state of all parts at the end of a demo, observed at one time.
struct DemoEnd: Sendable {
    /// Whether the journal says that the match is over.
    let isOver: Bool
    /// The newest published revision; 0 for none.
    let newest: Int64
    /// The phones, compared with that revision.
    let phones: PhoneFleetReport
    let stream: StreamWatcher.Report
}

/// Runs one demo from an empty folder to its summary.
struct DemoRun: Sendable {

    let options: DemoCommand
    /// Prints a line for people; does nothing when only JSON is wanted.
    let say: @Sendable (String) -> Void

    /// Plays the match; without `exitWhenFinished` it returns only after a signal.
    func run(undoneBy teardown: Teardown) async throws -> DemoSummary {
        let started = ContinuousClock.now
        let demo = try await DemoTestbed(options, say: say, undoneBy: teardown)
        let narrator = DemoNarrator(demo: demo, say: say)
        let watcher = StreamWatcher(server: demo.phoneServer, match: demo.match) { await narrator.take($0) }
        var summary = try await withThrowingTaskGroup(of: DemoSummary?.self) { group in
            for server in demo.servers {
                group.addTask {
                    try await server.keepRunning()
                    return nil
                }
            }
            group.addTask {
                await demo.ownership.watch(demo.bed.pool)
                return nil
            }
            group.addTask {
                await demo.network.play(during: demo.feed)
                return nil
            }
            group.addTask {
                await demo.fleet.run()
                return nil
            }
            group.addTask {
                await watcher.run()
                return nil
            }
            group.addTask { [kills = options.killServe] in
                var plan = ServerKills(kills)
                await plan.run(on: demo)
                return nil
            }
            group.addTask { try await play(on: demo, seenBy: watcher) }
            for try await summary in group.compactMap(\.self) {
                group.cancelAll()
                return summary
            }
            throw CancellationError()
        }
        summary.took = ContinuousClock.now - started
        return summary
    }

    private func play(on demo: DemoTestbed, seenBy watcher: StreamWatcher) async throws -> DemoSummary {
        try await untilReady(demo)
        let console = "http://\(Testbed.host):\(demo.server.internalPort)/admin"
        let phones = "\(console)/matches/\(demo.match)/phones"
        say("Phones:  \(phones)")
        say("Console: \(console)")
        say("API:     http://\(Testbed.host):\(demo.server.publicPort)/v1/matches/\(demo.match)")
        if !options.json { DesktopBrowser()?.open(phones) }
        try await demo.fleet.enroll()
        say("\(options.followers) phones follow \(demo.match); play begins.")
        demo.feed.open()
        demo.fleet.beginMatch()
        while !demo.feed.isFinished { try await Task.sleep(for: LabLimits.demoPoll) }
        let end = try await converge(demo, watcher)
        let summary = try await DemoSummary(of: demo, end: end)
        for line in demo.fleet.phonesWithFaults(newest: end.newest) { say("Not as expected: \(line)") }
        for line in demo.fleet.latePhones(of: try await demo.publications()) { say("Late receipt: \(line)") }
        if !options.exitWhenFinished {
            say("The match is over; Ctrl-C ends the demo.")
            try? await Task.sleep(for: LabLimits.visit)
        }
        return summary
    }

    private func untilReady(_ demo: DemoTestbed) async throws {
        let deadline = ContinuousClock.now + LabLimits.serverReady
        let match = "http://\(Testbed.host):\(demo.server.publicPort)/v1/matches/\(demo.match)"
        while ContinuousClock.now < deadline {
            if await isEachReady(demo), await demo.bed.isFound(match) { return }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
        throw LabError.notReady(log: demo.bed.folder.log)
    }

    private func isEachReady(_ demo: DemoTestbed) async -> Bool {
        for server in demo.servers where !(await demo.bed.isReady(server)) { return false }
        return true
    }

    /// Waits until the match is over and every reachable phone shows and has confirmed its end.
    ///
    /// - Returns: The end, or what there is at the deadline: then the summary has the faults.
    private func converge(_ demo: DemoTestbed, _ watcher: StreamWatcher) async throws -> DemoEnd {
        let deadline = ContinuousClock.now + LabLimits.convergence
        var opening: ContinuousClock.Instant?
        var isOpened = false
        while ContinuousClock.now < deadline {
            if let final = try await demo.finalRevision() {
                let (phones, stream) = (demo.fleet.report(newest: final), watcher.report)
                let isShown = phones.reachableAtNewest == phones.reachable && stream.newest >= final
                if isShown, isOpened, phones.unconfirmed == 0 {
                    return DemoEnd(isOver: true, newest: final, phones: phones, stream: stream)
                }
                // A suspended app confirms what its activity shows when its person opens it.
                opening = opening ?? .now + LabLimits.arrival
                if !isOpened, isShown || .now >= opening ?? .now {
                    try await demo.fleet.openApps()
                    isOpened = true
                }
            }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
        let newest = try await demo.newestRevision()
        return DemoEnd(
            isOver: try await demo.finalRevision() != nil,
            newest: newest,
            phones: demo.fleet.report(newest: newest),
            stream: watcher.report
        )
    }
}
