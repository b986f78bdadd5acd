// A whole night on one machine: database, feed, Apple, phones, and the real server as a child that may be killed.

import CurlTransfer
import Foundation
import HTTP2
import Hummingbird
import Logging
import Postgres
import ScoreTypes
import Simulators
import Synchronization

/// Runs one demo from an empty folder to its summary.
struct DemoSupervisor: Sendable {
    static let host = "127.0.0.1"
    static let bundleID = "app.score.demo"
    static let attributesType = "LiveActivityAttributes"
    /// How long the server may take from its start to being ready.
    static let readyWait = Duration.seconds(60)
    /// How long the phones may take, after the feed's end, to reach the newest state.
    static let convergeWait = Duration.seconds(90)
    /// How often the supervisor looks at what it waits for.
    static let lookInterval = Duration.milliseconds(50)

    let options: DemoOptions
    /// Prints a line for people; does nothing when only JSON is wanted.
    let say: @Sendable (String) -> Void

    /// Plays the match.
    func run() async throws -> DemoSummary {
        let folder = try DemoFolder.make()
        let started = ContinuousClock.now
        let stage = try await DemoStage.build(options, in: folder)
        let summary: DemoSummary
        do {
            summary = try await play(on: stage, folder: folder)
        } catch {
            await stage.takeDown()
            if !options.keepsFolder { folder.remove() }
            throw error
        }
        await stage.takeDown()
        if options.keepsFolder { say("Kept \(folder.url.path)") } else { folder.remove() }
        var finished = summary
        finished.took = ContinuousClock.now - started
        return finished
    }

    private func play(on stage: DemoStage, folder: DemoFolder) async throws -> DemoSummary {
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask { try await stage.child.run() }
            group.addTask { try await stage.fleet.run() }
            let ticker = Mutex(OverTicker())
            let narrator = DemoNarrator(stage: stage, say: say)
            let watcher = StreamWatcher(
                host: Self.host,
                port: stage.publicPort,
                match: stage.match,
                driver: stage.driver
            ) { state in
                guard let line = ticker.withLock({ $0.line(for: state) }) else { return }
                await narrator.tell(line)
            }
            group.addTask { await watcher.run() }
            try await untilReady(stage, log: folder.log)
            say("Console: http://\(Self.host):\(stage.internalPort)/admin")
            say("API:     http://\(Self.host):\(stage.publicPort)/v1/matches/\(stage.match)")
            try await stage.fleet.enroll()
            say("\(options.followers) phones follow \(stage.match); play begins.")
            stage.feed.open()
            try await untilFinished(stage)
            let newest = try await converge(stage, watcher)
            let summary = try await DemoTally(stage: stage, options: options).summary(newest: newest, watcher.report)
            if !options.exitsWhenFinished { try await untilInterrupted() }
            group.cancelAll()
            stage.fleet.stop()
            await stage.child.stop()
            return summary
        }
    }

    private func untilReady(_ stage: DemoStage, log: String) async throws {
        let deadline = ContinuousClock.now + Self.readyWait
        let transfer = Transfer(
            url: "http://\(Self.host):\(stage.internalPort)/readyz",
            security: .local([Self.host])
        )
        let match = Transfer(
            url: "http://\(Self.host):\(stage.publicPort)/v1/matches/\(stage.match)",
            security: .local([Self.host])
        )
        while ContinuousClock.now < deadline {
            let ready = (try? await stage.driver.perform(transfer))?.status == 200
            if ready, (try? await stage.driver.perform(match))?.status == 200 { return }
            try await Task.sleep(for: Self.lookInterval)
        }
        throw DemoError.notReady(log: log)
    }

    private func untilFinished(_ stage: DemoStage) async throws {
        while !stage.feed.isFinished { try await Task.sleep(for: Self.lookInterval) }
    }

    /// Waits until every phone shows the end, or the deadline; returns the newest revision.
    private func converge(_ stage: DemoStage, _ watcher: StreamWatcher) async throws -> Int64 {
        let deadline = ContinuousClock.now + Self.convergeWait
        var newest: Int64 = 0
        while ContinuousClock.now < deadline {
            if let final = try await stage.finalRevision() {
                newest = final
                let report = stage.fleet.report(newest: final)
                if report.atNewest == report.phones && report.ended == report.phones && watcher.report.newest >= final {
                    return final
                }
            }
            try await Task.sleep(for: Self.lookInterval)
        }
        return newest
    }

    private func untilInterrupted() async throws {
        say("The match is over; Ctrl-C ends the demo.")
        try await Task.sleep(for: .seconds(86_400))
    }
}
