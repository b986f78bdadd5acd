// Faults of whole processes need real servers, beside a feed, APNs and phones that the test can watch.

import Foundation
import Postgres
import Providers
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import ScoreLab

/// Servers as child processes on one database, with a feed, APNs and phones in the process of the test.
struct ProcessTestbed: Sendable {
    let bed: Testbed
    let match = MatchID(unchecked: "demo")
    let feed: SimulatedFeed
    /// The first one serves the phones.
    let servers: [ServeProcess]
    let fleet: PhoneFleet
    /// Deliveries of the match.
    let balls: Int
    let speed: Int
    /// The settings of all servers, beside those of the test bed.
    let settings: [String: String]

    var server: ServeProcess { servers[0] }

    /// Runs the body once the servers are ready; the match has not begun.
    ///
    /// - `core`: The one core that the servers run on; nil for all.
    /// - `settings`: Of all servers, beside those of the test bed.
    static func run(
        servers count: Int = 1,
        phones: Int = 0,
        channelShare: Double = 0.5,
        speed: Int,
        core: Int? = nil,
        settings: [String: String] = [:],
        _ body: (ProcessTestbed) async throws -> Void
    ) async throws {
        let teardown = Teardown()
        do {
            let stage = try await build(count, phones, channelShare, speed, core, settings, teardown)
            for server in stage.servers {
                try server.start()
                try await eventually("\(server.name) is ready", within: .seconds(90)) {
                    await stage.bed.isReady(server)
                }
                if await !stage.bed.isReady(server) {
                    let log = (try? String(contentsOfFile: stage.bed.folder.log, encoding: .utf8)) ?? ""
                    Issue.record("the end of the log: \(log.suffix(4_000))")
                }
            }
            try await body(stage)
        } catch {
            await teardown.run()
            throw error
        }
        await teardown.run()
    }

    private static func build(
        _ count: Int,
        _ phones: Int,
        _ channelShare: Double,
        _ speed: Int,
        _ core: Int?,
        _ settings: [String: String],
        _ teardown: Teardown
    ) async throws -> ProcessTestbed {
        let clock = ServiceClock(speed: speed)
        let document = try CricsheetDocument(json: DemoMatch.document)
        let id = ProviderMatchID(unchecked: "demo")
        let playback = try PlaybackMatch(id: id, document: document, stops: DemoMatch.stops, mistakes: [])
        let feed = SimulatedFeed(matches: [playback], shape: FeedShapes.shape(of: .cricsheet), clock: clock)
        let bed = try await Testbed.build(
            clock: clock,
            bounds: LabLimits.transfersOfPhones(phones),
            keepsFolder: false,
            say: { _ in },
            undoneBy: teardown
        )
        let feedPort = try await bed.serve(feed)
        var all = [
            "FEED_ID": "demo", "FEED_PLAIN_HTTP_HOSTS": Testbed.host, "HTTP_INTERNAL_OPEN": "true",
            "FEED_URL": "http://\(Testbed.host):\(feedPort)", "LOG_FORMAT": "json",
        ]
        all.merge(settings) { $1 }
        let servers = try (1...count).map { try bed.server("node-\($0)", speed: speed, core: core, settings: all) }
        let fleet = PhoneFleet(
            PhoneFleetPlan(count: phones, channelShare: channelShare, seed: 7),
            match: MatchID(unchecked: "demo"),
            server: PhoneServer(host: Testbed.host, port: servers[0].publicPort, driver: bed.driver),
            network: bed.apns,
            clock: clock
        )
        let apps = Task { await fleet.run() }
        teardown.add { apps.cancel() }
        return ProcessTestbed(
            bed: bed,
            feed: feed,
            servers: servers,
            fleet: fleet,
            balls: playback.ballTimes.count,
            speed: speed,
            settings: all
        )
    }

    /// Lets the phones follow the match, begins it, and waits until the server knows the activity of each.
    ///
    /// At 60 times real time an app that a push has started has half a second to register its activity. A server that
    /// stops in that time leaves the phone without updates.
    func begin() async throws {
        try await eventually("the match is listed") {
            await bed.isFound("http://\(Testbed.host):\(server.publicPort)/v1/matches/\(match)")
        }
        if fleet.report(newest: 0).phones > 0 { try await fleet.enroll() }
        feed.open()
        fleet.beginMatch()
        try await eventually("each activity is registered") {
            try await self.number("select count(*) from activity") >= self.fleet.report(newest: 0).phones
        }
    }

    /// The newest revision that is stored.
    func revision() async throws -> Int64 { try await number("select coalesce(max(rev), 0) from publication") }

    /// Waits until a later revision is stored.
    func nextRevision(after revision: Int64) async throws -> Int64 {
        try await eventually("a ball is published") { try await self.revision() > revision }
        return try await self.revision()
    }

    /// Waits until each phone that the server can reach shows what is now the newest revision, or a later one.
    ///
    /// The match goes on: phones that are a second behind on a busy machine may never all have the newest at once.
    func everyPhoneIsCurrent() async throws {
        let newest = try await revision()
        var report = fleet.report(newest: newest)
        func isCurrent() -> Bool { report.reachable == report.phones && report.reachableAtNewest == report.reachable }
        try await eventually("each phone shows the newest state") {
            report = fleet.report(newest: newest)
            return isCurrent()
        }
        let late = fleet.phonesWithFaults(newest: newest)
        #expect(isCurrent(), "revision \(newest): \(report)\n\(late.joined(separator: "\n"))")
    }

    /// The result of a query for one number.
    func number(_ statement: Statement) async throws -> Int64 {
        try await bed.pool.query(statement, []) { try $0.int(0) }.first ?? 0
    }

    /// The lines that the servers have written to their log, those that are complete JSON objects.
    var log: [[String: String]] {
        let text = (try? String(contentsOfFile: bed.folder.log, encoding: .utf8)) ?? ""
        return text.split(separator: "\n").compactMap { line in
            try? JSONDecoder().decode([String: String].self, from: Data(line.utf8))
        }
    }
}
