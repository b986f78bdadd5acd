// Everything that a server does in a season, in minutes: matches, phones, streams, corrections, faults, all at once.

import CurlTransfer
import Foundation
import Postgres
import ScoreTypes
import Simulators

/// Runs rounds of matches against one server process, and samples it.
struct SoakRun: Sendable {
    let options: SoakCommand
    /// Prints a line for people; does nothing when only JSON is wanted.
    let say: @Sendable (String) -> Void

    private let counts = SoakCounts()

    func run(undoneBy teardown: Teardown) async throws -> SoakReport {
        let clock = ServiceClock(speed: options.speed)
        let bed = try await Testbed.build(
            clock: clock,
            bounds: LabLimits.transfersOfPhones(options.matches * options.followers),
            keepsFolder: options.keep,
            say: say,
            undoneBy: teardown
        )
        await bed.apns.follow(.drawn(from: options.seed, reorders: true))
        let feedPort = try FreePort.find()
        let server = try bed.server(
            "soak-node",
            speed: options.speed,
            settings: [
                "FEED_ID": "soak",
                "HTTP_INTERNAL_OPEN": "true",
                "FEED_URL": "http://\(Testbed.host):\(feedPort)",
                "FEED_PLAIN_HTTP_HOSTS": Testbed.host,
            ]
        )
        try server.start()
        try await until(LabLimits.serverReady, "the server is not ready") { await bed.isReady(server) }
        guard let process = server.processID else { throw MeasurementFailure("the server has ended") }
        let samples = ServerSamples(of: process) { [counts] in try await Self.work(of: bed, counts.now) }
        let end = ContinuousClock.now + .seconds(60 * options.minutes)
        try await withThrowingTaskGroup(of: Bool.self) { group in
            group.addTask {
                try await samples.run()
                return false
            }
            group.addTask {
                await register(at: server, bed)
                return false
            }
            group.addTask {
                var round = 0
                while ContinuousClock.now < end {
                    round += 1
                    try await play(round, until: end, bed, server, at: feedPort, clock)
                }
                return true
            }
            while let isOver = try await group.next() { if isOver { break } }
            group.cancelAll()
        }
        let pushes = bed.apns.statistics
        return SoakReport(
            samples: samples.all,
            counts: counts.now,
            pushes: (pushes.accepted, pushes.refused.values.reduce(0, +)),
            isSameProcess: server.processID == process
        )
    }

    /// The work that the server has done so far.
    private static func work(of bed: Testbed, _ counts: SoakCounts.Values) async throws -> SoakWork {
        let revisions = try await bed.pool.query("select coalesce(sum(rev), 0)::bigint from match") { try $0.int(0) }
        return SoakWork(
            pushes: bed.apns.statistics.accepted,
            streamStates: counts.streamStates,
            registrations: counts.registrations - counts.refusedRegistrations,
            revisions: Int(revisions.first ?? 0)
        )
    }

    /// Plays the matches of one round with their phones, until they are over or the time is.
    private func play(
        _ number: Int,
        until end: ContinuousClock.Instant,
        _ bed: Testbed,
        _ server: ServeProcess,
        at feedPort: Int,
        _ clock: ServiceClock
    ) async throws {
        let round = try SoakRound(number, options, server: server, bed: bed, clock: clock, counts: counts)
        round.start(at: feedPort)
        do {
            for match in round.feed.matches {
                let url = "http://\(Testbed.host):\(server.publicPort)/v1/matches/\(match)"
                try await until(LabLimits.soakListing, "\(match) was not listed") { await bed.isFound(url) }
            }
            try await round.begin()
            say("round \(number): \(round.feed.matches.count) matches with \(options.followers) phones each")
            while !round.feed.feed.isFinished, ContinuousClock.now < end {
                try await Task.sleep(for: LabLimits.demoPoll)
            }
            try await round.openApps()
            try await Task.sleep(for: LabLimits.soakEnding)
        } catch {
            await round.stop()
            throw error
        }
        await round.stop()
    }

    /// Registers new devices until cancelled.
    private func register(at server: ServeProcess, _ bed: Testbed) async {
        while !Task.isCancelled {
            let reply = try? await bed.driver.perform(LabRegistration.transfer(to: server))
            counts.note {
                $0.registrations += 1
                $0.refusedRegistrations += reply?.status == 201 ? 0 : 1
            }
            try? await Task.sleep(for: LabLimits.stormRegistration)
        }
    }

    private func until(_ limit: Duration, _ what: String, _ isDone: () async -> Bool) async throws {
        let deadline = ContinuousClock.now + limit
        while !(await isDone()) {
            guard ContinuousClock.now < deadline else { throw MeasurementFailure("\(what) within \(limit)") }
            try await Task.sleep(for: LabLimits.demoPoll)
        }
    }
}
