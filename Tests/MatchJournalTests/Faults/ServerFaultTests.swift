// Balls that arrive while their database server fails.

import Foundation
import JournalSamples
import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal

@Suite(.serialized, .timeLimit(.minutes(3))) struct ServerFaultTests {
    private static let seen = Instant(milliseconds: 1_700_000_000_500)

    /// Ends the server in the folder and starts it again.
    private static func restart(_ cluster: PrivateCluster, killed: Bool) async throws -> PrivateCluster {
        if killed {
            let file = try String(contentsOfFile: cluster.directory + "/data/postmaster.pid", encoding: .utf8)
            kill(try #require(pid_t(file.prefix { $0.isNumber })), SIGKILL)
        }
        await cluster.stop()
        var next: PrivateCluster?
        // Processes of a killed server hold its memory until they notice.
        try await eventually("the server is back") {
            next = try? await PrivateCluster.start(
                directory: cluster.directory,
                lifetime: .endsWithOwner,
                durable: true
            )
            return next != nil
        }
        return try #require(next)
    }

    @Test("P1, P2: balls that arrive while the server fails are stored once, and the newest is published")
    func ballsSurviveAServerFailure() async throws {
        let folder = "/tmp/score-balls-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        var cluster = try await PrivateCluster.start(directory: folder, lifetime: .endsWithOwner, durable: true)
        try await Migrations.apply(to: cluster.connectionInfo)
        let bench = try await JournalBench(on: cluster.connectionInfo)
        let publications = PublicationCache(journal: bench.journal, clock: ServiceClock(speed: 100), scheme: "score")
        let publisher = Publisher(publications, info: bench.info) { _ in }
        let publishing = Task { await publisher.run() }
        let writer = bench.writer()
        var book = Scorebook.begun
        for round in 0..<4 {
            // The poller hands over the newest reply repeatedly until it is in the journal.
            let writing = Task { [book] in
                var book = book
                for _ in 0..<6 {
                    book.ball(1)
                    try await eventually("the ball is in the journal") {
                        (try? await writer.accept(book.snapshot, seenAt: Self.seen)) != nil
                    }
                }
                return book
            }
            cluster = try await Self.restart(cluster, killed: !round.isMultiple(of: 2))
            book = try await writing.value
        }
        let record = try await bench.writer().stored().record
        #expect(record.deliveries == book.snapshot.deliveries, "every ball, once, in its order")
        let head = try #require(try await bench.journal.head(of: Scorebook.match)).revision
        let entries = try await bench.journal.entries(of: Scorebook.match, after: 0)
        #expect(entries.map(\.revision) == Array(1...head.number))
        let stamps = try await bench.publications().map(\.apnsTimestamp)
        #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }, "no phone receives an older one after a newer")
        try await eventually("the newest is published") {
            publications.current(Scorebook.match)?.revision == head
        }
        publishing.cancel()
        await publishing.value
        await bench.pool.close()
        await cluster.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }
}
