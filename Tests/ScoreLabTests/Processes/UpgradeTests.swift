// A release is installed while a match is played: the schema changes below two nodes, and each is replaced.

import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import Postgres
@testable import ScoreLab

@Suite(.timeLimit(.minutes(10))) struct UpgradeTests {
    /// Statements that a later release may have: columns and an index of the tables that registrations and pushes use.
    private static let next = MigrationFile(
        version: 2,
        name: "next_release",
        up: """
            alter table activity add column next_release text not null default '';
            alter table device add column next_release integer;
            alter table fanout add column next_release boolean not null default false;
            alter table match add column next_release text;
            create index follow_by_next_release on follow (match_id, device_id)
            """,
        down: """
            drop index follow_by_next_release;
            alter table match drop column next_release;
            alter table fanout drop column next_release;
            alter table device drop column next_release;
            alter table activity drop column next_release
            """
    )
    /// The longest time between two balls that a replaced node may cause; a lease that is not given back lasts longer.
    private static let pauseMax = Duration.seconds(3)

    @Test func anUpgradeUnderLoadMissesNoBall() async throws {
        let old = ["CONTENT_LAYOUT_NEWEST": "1"]
        try await ProcessTestbed.run(servers: 2, phones: 30, speed: 100, settings: old) { stage in
            try await stage.begin()
            try await stage.everyPhoneIsCurrent()
            let begin = try await stage.revision()
            let files = MigrationFile.embedded + [Self.next]
            // The new release migrates while both nodes of the old one run, and the old one goes on below it.
            try await Migrations.apply(files, to: stage.bed.cluster.connectionInfo)
            try await Self.play(on: stage, balls: 20)
            // Undoing it is the way back to the old release.
            try await Migrations.revert(files, to: 1, on: stage.bed.cluster.connectionInfo)
            try await Self.play(on: stage, balls: 10)

            // Each node is replaced by one with the new layout; meanwhile both layouts run side by side.
            for server in stage.servers.reversed() {
                let replacement = try stage.replacement(of: server, settings: ["CONTENT_LAYOUT_NEWEST": "2"])
                await server.stop()
                try replacement.start()
                try await eventually("\(server.name) is ready again", within: .seconds(90)) {
                    await stage.bed.isReady(server)
                }
                try await Self.play(on: stage, balls: 10)
            }
            try await stage.everyPhoneIsCurrent()
            let report = stage.fleet.report(newest: try await stage.revision())
            #expect(report.wentBack == 0 && report.undecodable == 0)
            #expect(report.cardsTwice == 0 && report.alertsTwice == 0)
            let pause = try await stage.longestPause(after: begin)
            #expect(pause <= Self.pauseMax, "\(pause) between two publications")
            #expect(try await stage.feedBallsAreStored())
        }
    }

    /// Waits for some more publications.
    private static func play(on stage: ProcessTestbed, balls: Int64) async throws {
        let goal = try await stage.publications() + balls
        try await eventually("\(balls) balls are published") { try await stage.publications() >= goal }
    }
}

extension ProcessTestbed {
    /// A server with the name and the ports of another one.
    func replacement(of server: ServeProcess, settings: [String: String]) throws -> ServeProcess {
        let ports = ["HTTP_PUBLIC_PORT": "\(server.publicPort)", "HTTP_INTERNAL_PORT": "\(server.internalPort)"]
        return try bed.server(
            "\(server.name)",
            speed: speed,
            settings: self.settings.merging(settings) { $1 }.merging(ports) { $1 }
        )
    }

    func publications() async throws -> Int64 { try await number("select count(*) from publication") }

    /// The longest real time between two publications after a revision.
    func longestPause(after revision: Int64) async throws -> Duration {
        let rows = try await bed.pool.query(
            """
            select coalesce(max(ms), 0)::bigint from (
                select extract(epoch from at - lag(at) over (order by rev)) * 1000 as ms from publication where rev > $1
            ) gaps
            """,
            [.int(revision)]
        ) { try $0.int(0) }
        return .milliseconds(rows.first ?? .max)
    }

    /// Ends the balls of the feed; whether the journal then has each of them.
    func feedBallsAreStored() async throws -> Bool {
        try await eventually("the match is over", within: .seconds(300)) { feed.isFinished }
        let inserted: Statement = "select count(distinct item_key) from journal where kind = 'inserted'"
        let expected = Int64(balls)
        try await eventually("each ball is stored") { try await number(inserted) == expected }
        return try await number(inserted) == expected
    }
}
