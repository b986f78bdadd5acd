// An app registers at one node and reads at another, through a rolling restart: no ball is lost.

import MatchEngine
import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite(.timeLimit(.minutes(4))) struct BallsNodesTests {
    /// The match as one app has received it.
    private struct Received: Sendable {
        var id: String?
        var events: [WireEvent] = []
        var bye: WireEvent?

        /// The revision of the newest event.
        var number: Int64 { events.last?.number ?? 0 }
    }

    /// Reads until a revision, or until the stream ends with a `bye`.
    private static func read(
        _ node: WholeNode,
        _ credential: [String: String],
        from received: Received,
        through last: Int64?
    ) async throws -> Received {
        var headers = credential
        if let id = received.id { headers["Last-Event-ID"] = id }
        let path = "/v1/matches/ipl-final/stream?mode=balls"
        let request = Array(WireClient.head("GET", path, headers, bodyBytes: 0, close: false).utf8)
        return try await node.publicClient.withStream(request) { stream in
            var received = received
            let head = try await stream.head()
            #expect(head.status == 200)
            #expect(head.headers["stream-resume"] == (received.id == nil ? "fresh" : "exact"))
            while received.number < last ?? .max, let event = try await stream.event() {
                if event.name == "bye" {
                    received.bye = event
                    break
                }
                guard let id = event.id else { continue }
                if let last = received.events.last?.number {
                    #expect(event.isGapless && event.number == last + 1, "\(event)")
                }
                (received.id, received.bye) = (id, nil)
                received.events.append(event)
            }
            return received
        }
    }

    @Test("H4: no ball is lost when each node restarts") func h4NoBallIsLostWhenEachNodeRestarts() async throws {
        let setup = try await NodeSetup()
        let first = try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(["NODE_ID": "one"]) { one in
            let credential = try await one.register()
            let before = try await Self.restart(setup, credential, first)
            let during = try await FeedNode.report(Samples.deliveries(7), on: setup)
            // For the next life of the other node the balls are too old to be in its memory: it reads the journal.
            try await setup.pool.execute(Statement("update journal set at = at - interval '1 hour'"))
            try await setup.withWholeNode(["NODE_ID": "two"]) { two in
                let after = try await Self.read(two, credential, from: before, through: during)
                #expect(after.number == during)
                let balls = after.events.compactMap { $0.data["ballKey"]?.string }
                #expect(balls.contains("1.6"))
                // The first node was never restarted: it has the same events.
                let other = try await Self.read(one, credential, from: before, through: during)
                #expect(other.events.map(\.id) == after.events.map(\.id))
                #expect(other.events.map(\.name) == after.events.map(\.name))
                let ball = try #require(after.events.last { $0.name == "ball" }?.data["ball"])
                let over = try #require(ball["over"]?.int)
                let card = try await one.publicClient.get("/v1/matches/ipl-final/innings/1/overs/\(over)").json
                #expect(card["over"]?.int == over)
                #expect(card["balls"]?.list.contains { $0["key"] == ball["key"] } == true, "overs count from 0")
            }
        }
        await setup.stop()
    }

    /// Clients of a node that restarts.
    private static let crowd = 300

    @Test("H4, C3: all clients of a restarted node return within their spread")
    func h4AllClientsOfARestartedNodeReturnWithinTheirSpread() async throws {
        let setup = try await NodeSetup()
        let limits = ["LIMITS_STREAMS_ADDRESS": "1000", "LIMITS_STREAM_OPEN_ADDRESS": "10000/1s"]
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(limits.merging(["NODE_ID": "one"]) { $1 }) { one in
            let left = try await Self.restartWithCrowd(setup, limits)
            let waits = left.compactMap { $0.bye?.data["reconnectAfterMs"]?.int }
            #expect(waits.count == Self.crowd)
            // Each client has a time of its own in the second after the `bye`, and each quarter has a share of them.
            let quarters = Dictionary(grouping: waits) { ($0 - 100) / 226 }
            #expect(quarters.keys.sorted() == [0, 1, 2, 3])
            #expect(quarters.values.allSatisfy { $0.count > Self.crowd / 10 }, "\(quarters.mapValues(\.count))")
            // At the other node they may even return at once: none is refused, and none lacks a ball.
            let last = try await FeedNode.report(Samples.deliveries(7), on: setup)
            let back = try await Self.readAll(one, from: left, through: last)
            #expect(back.count == Self.crowd && back.allSatisfy { $0.number == last })
        }
        await setup.stop()
    }

    /// Reads at a node with many clients until the node shuts down during play; returns what they have then.
    private static func restartWithCrowd(_ setup: NodeSetup, _ limits: [String: String]) async throws -> [Received] {
        let reading = FirstValue<Task<[Received], any Error>>()
        try await setup.withWholeNode(limits.merging(["NODE_ID": "two"]) { $1 }) { two in
            let fresh = Array(repeating: Received(), count: crowd)
            reading.set(Task { try await Self.readAll(two, from: fresh, through: nil) })
            try await eventually("all streams are open") {
                two.node.services.hub.watcherCounts[Samples.match] == crowd
            }
            try await FeedNode.report(Samples.deliveries(5), on: setup)
        }
        return try await reading.value().value
    }

    /// Reads with many clients at once.
    private static func readAll(
        _ node: WholeNode,
        from received: [Received],
        through last: Int64?
    ) async throws -> [Received] {
        try await withThrowingTaskGroup(of: Received.self) { group in
            for received in received { group.addTask { try await read(node, [:], from: received, through: last) } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
    }

    /// Reads at a node during play until the node shuts down; returns what the app has then.
    private static func restart(
        _ setup: NodeSetup,
        _ credential: [String: String],
        _ first: Int64
    ) async throws -> Received {
        let reading = FirstValue<Task<Received, any Error>>()
        try await setup.withWholeNode(["NODE_ID": "two"]) { two in
            reading.set(Task { try await Self.read(two, credential, from: Received(), through: nil) })
            try await eventually("the stream is open") {
                two.node.services.hub.watcherCounts[Samples.match] == 1
            }
            var balls = Samples.deliveries(5)
            try await FeedNode.report(balls, on: setup)
            balls[1].runs = DeliveryRuns(bat: 4)
            try await FeedNode.report(balls, on: setup)
            let withdrawn = Array(balls.dropLast())
            let last = try await FeedNode.report(withdrawn, on: setup, repeated: JournalLimits.heldReplies + 1)
            try await eventually("the node has published everything") {
                two.node.services.hub.history.span(of: Samples.match)?.head.number == last
            }
        }
        let received = try await reading.value().value
        #expect(received.bye?.data["reason"]?.string == "draining")
        let wait = received.bye?.data["reconnectAfterMs"]?.int ?? 0
        #expect((100...1_000).contains(wait), "every client returns within its spread")
        #expect(received.events.first?.number == first)
        let names = Set(received.events.map(\.name))
        #expect(names.isSuperset(of: ["ball", "correction", "deletion"]))
        return received
    }
}
