// An operator opens the console on the night of a final, when its node has the most to do and to count.

import CurlTransfer
import FollowService
import Foundation
import MatchEngine
import MatchJournal
import Postgres
import ScoreTypes

/// Measures pages of a server with matches in play and activities in PostgreSQL and in memory.
struct ConsoleBench: Sendable {
    /// Balls that each match has had.
    private static let balls = 90
    private static let callers = 4_000
    private static let feed = FeedID(unchecked: "bench")

    let matches: Int
    let tokens: Int
    let requests: Int

    /// Starts all parts, and measures.
    func run(undoneBy teardown: Teardown) async throws -> ConsoleFigures {
        let bed = try await Testbed.build(connections: 8, keepsFolder: false, say: { _ in }, undoneBy: teardown)
        try await BenchDatabase.prepare(bed.cluster.connectionInfo)
        let ids = (1...matches).map { MatchID(unchecked: "bench-\($0)") }
        try await write(ids, on: bed)
        try await follow(ids[0], on: bed)
        try await BenchDatabase.leave(bed.cluster.connectionInfo)
        let server = try bed.server("console-node", speed: 1, settings: ["HTTP_INTERNAL_OPEN": "true"])
        try server.start()
        try await untilQuiet(server, bed)
        var figures = ConsoleFigures(matches: matches, tokens: tokens)
        figures.unusedShare = try await idleShare(of: server)
        let paths = ["/admin", "/admin/matches", "/admin/matches/\(ids[0])", "/admin/matches/\(ids[0])/phones"]
        for path in paths { figures.pages[path] = try await times(of: path, server, bed) }
        figures.idleShare = try await idleShare(of: server)
        return figures
    }

    /// Writes every match with the same balls.
    private func write(_ ids: [MatchID], on bed: Testbed) async throws {
        var balls = try IngestBenchFeed(.cricsheet)
        let snapshot = try balls.snapshot(balls.replies(balls: Self.balls).replies)
        let clock = ServiceClock()
        let journal = Journal(pool: bed.pool)
        for id in ids {
            let writer = MatchWriter(
                match: id,
                feed: Self.feed,
                journal: journal,
                fence: { BenchDatabase.fence },
                clock: clock
            )
            let source = JournalSource(.cricsheet, Self.feed)
            guard case .applied = try await writer.accept(SeenReply(snapshot, seenAt: clock.wall, source: source))
            else { throw MeasurementFailure("the match was not written") }
        }
    }

    /// Registers all activities with one match.
    private func follow(_ match: MatchID, on bed: Testbed) async throws {
        guard tokens > 0 else { return }
        let clock = ServiceClock()
        let activities = Activities(pool: bed.pool, clock: clock)
        let followers = BenchFollowers(series: 5, startedAt: clock.wall, matches: [match])
        let load = RegistrationLoad(activities: activities, followers: followers)
        _ = try await load.registerAll(followers.registrations(tokens, round: 1), callers: Self.callers)
    }

    /// Waits until the server has all matches and tokens in memory.
    private func untilQuiet(_ server: ServeProcess, _ bed: Testbed) async throws {
        let deadline = ContinuousClock.now + LabLimits.consoleServerQuiet
        let url = "http://\(Testbed.host):\(server.internalPort)/admin/api/v1/pipeline"
        while ContinuousClock.now < deadline {
            if let reply = try? await bed.driver.perform(Transfer(url: url, security: .local([Testbed.host]))),
                reply.status == 200, let json = try? JSONElement(parsing: reply.body, .lenient)
            {
                let known = json["arenas"]?["tokens"]?.integer ?? 0
                let published = json["dispatcher"]?["matches"]?.elements?.count ?? 0
                if known >= Int64(tokens), published >= matches { return }
            }
            try await Task.sleep(for: LabLimits.serverLook)
        }
        throw MeasurementFailure("the server did not become quiet within \(LabLimits.consoleServerQuiet)")
    }

    /// The times of a page, one request after the other; the first one is not counted.
    private func times(of path: String, _ server: ServeProcess, _ bed: Testbed) async throws -> DurationSet {
        let transfer = Transfer(
            url: "http://\(Testbed.host):\(server.internalPort)\(path)",
            security: .local([Testbed.host])
        )
        var times: [Duration] = []
        for number in 0...requests {
            let start = ContinuousClock.now
            let reply = try await bed.driver.perform(transfer)
            guard reply.status == 200 else { throw MeasurementFailure("\(path) was answered with \(reply.status)") }
            if number > 0 { times.append(ContinuousClock.now - start) }
        }
        return DurationSet(times)
    }

    /// The share of a core that the server uses while no page is open.
    private func idleShare(of server: ServeProcess) async throws -> Double {
        guard let process = server.processID else { throw MeasurementFailure("the server has ended") }
        let (before, start) = (Self.ticks(of: process), ContinuousClock.now)
        try await Task.sleep(for: LabLimits.consoleIdle)
        let seconds = Double(Self.ticks(of: process) - before) / Double(sysconf(Int32(_SC_CLK_TCK)))
        return seconds / (ContinuousClock.now - start).inSeconds
    }

    /// The processor time of a process in clock ticks.
    private static func ticks(of process: Int32) -> Int {
        let stat = FileManager.default.contents(atPath: "/proc/\(process)/stat")
        let text = stat.map { String(decoding: $0, as: UTF8.self) }
        // The name in parentheses may have blanks; the times are the 12th and 13th field after it.
        let fields = text?.split(separator: ")").last?.split(separator: " ") ?? []
        guard fields.count > 12 else { return 0 }
        return (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0)
    }
}
