// Balls mode over real sockets: every revision, corrections and deletions, resumption and resets.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct BallsStreamTests {
    private static func open(_ path: String = "/v1/matches/ipl-final/stream?mode=balls", from id: String? = nil)
        -> [UInt8]
    {
        let headers = id.map { ["Last-Event-ID": $0] } ?? [:]
        return Array(WireClient.head("GET", path, headers, bodyBytes: 0, close: false).utf8)
    }

    @Test func everyRevisionIsOneEvent() async throws {
        let (first, second, third) = (try Samples.view(7), try Samples.view(12), try Samples.view(13))
        let corrected = Samples.ball(8, runs: 4)
        let changes = [
            Samples.entry(8), Samples.entry(9), Samples.entry(10, .amended(corrected), before: Samples.ball(8)),
            Samples.entry(11, .withdrawn(DeliveryKey("1.8")), before: Samples.ball(9)),
            Samples.entry(12, .status(StatusReport(status: .live, note: "on time"))),
        ]
        try await withServer { server in
            server.publish(first)
            try await server.publicClient.withStream(Self.open()) { stream in
                #expect(try await stream.head().headers["stream-resume"] == "fresh")
                let hello = try await stream.event("hello")
                #expect(hello.data["mode"]?.string == "balls")
                let state = try await stream.event("state")
                #expect(state.id == "Abcd1234.7" && state.data["display"] != nil && state.data["prev"] == nil)
                server.publish(second, changes: changes)
                var events: [WireEvent] = []
                for _ in 8...12 { if let event = try await stream.event() { events.append(event) } }
                #expect(events.map(\.name) == ["ball", "ball", "correction", "deletion", "state"])
                #expect(events.map(\.id) == (8...12).map { "Abcd1234.\($0)" })
                #expect(events.allSatisfy { $0.isGapless })
                #expect(events[0].data["ball"]?["runsBat"]?.int == 1 && events[0].data["ballKey"]?.string == "1.7")
                #expect(events[2].data["ball"]?["runsBat"]?.int == 4)
                #expect(events[2].data["before"]?["runsBat"]?.int == 1)
                #expect(events[3].data["ballKey"]?.string == "1.8" && events[3].data["before"] != nil)
                #expect(events[4].data["change"]?["kind"]?.string == "status")
                #expect(events[4].data["display"]?.bytes == second.publication.contentState)
                let complete = events.filter { $0.data["display"] != nil }
                #expect(complete.count == 1)
                server.publish(third, changes: [Samples.entry(13)])
                let ball = try #require(try await stream.event())
                #expect(ball.name == "ball" && ball.isGapless)
                #expect(ball.data["display"]?.bytes == third.publication.contentState)
            }
        }
    }

    @Test func aStreamResumesFromMemoryWithoutTheDatabase() async throws {
        let view = try Samples.view(40)
        try await withServer { server in
            // The stub of the journal fails when it is read.
            server.publish(view, changes: Samples.entries(1...40))
            for last in [Int64(1), 20, 40] {
                try await server.publicClient.withStream(Self.open(from: "Abcd1234.\(last)")) { stream in
                    #expect(try await stream.head().headers["stream-resume"] == "exact")
                    _ = try await stream.event("hello")
                    for number in last..<40 {
                        let event = try #require(try await stream.event())
                        #expect(event.name == "ball" && event.number == number + 1 && event.isGapless)
                    }
                }
            }
        }
    }

    @Test func aStreamResumesFromTheDatabaseThenFromMemory() async throws {
        var stubs = TestDependencies()
        stubs.matches = MatchCache(
            load: { _ in nil },
            changes: { _, after, limit in
                Samples.entries(after + 1...after + Int64(limit))
            }
        )
        let view = try Samples.view(40)
        try await withServer(stubs) { server in
            server.publish(view, changes: Samples.entries(31...40))
            try await server.publicClient.withStream(Self.open(from: "Abcd1234.10")) { stream in
                #expect(try await stream.head().headers["stream-resume"] == "exact")
                _ = try await stream.event("hello")
                for number in Int64(11)...40 {
                    let event = try #require(try await stream.event())
                    #expect(event.number == number && event.isGapless)
                    #expect((event.data["display"] != nil) == (number == 40))
                }
            }
        }
    }

    @Test(
        "C4: a stream that cannot continue starts with a reset",
        arguments: [
            ("Other999.7", "epochChanged"), ("Abcd1234.9999", "unknownPosition"), ("nonsense", "unknownPosition"),
            ("Abcd1234.2", "compacted"), ("Abcd1234.990", "resync"),
        ]
    )
    func c4AStreamThatCannotContinueStartsWithAReset(position: String, reason: String) async throws {
        let view = try Samples.view(1_000)
        var stubs = TestDependencies()
        stubs.matches = MatchCache(load: { _ in nil }, changes: { _, _, _ in throw ServiceProblem.unavailable("db") })
        try await withServer(stubs) { server in
            // Nothing is in memory, and the journal does not answer.
            server.publish(view)
            try await server.publicClient.withStream(Self.open(from: position)) { stream in
                #expect(try await stream.head().headers["stream-resume"] == "reset")
                #expect(try await stream.event("hello").data["resume"]?.string == "reset")
                let reset = try #require(try await stream.event())
                #expect(reset.name == "reset" && reset.id == "Abcd1234.1000")
                #expect(reset.data["reason"]?.string == reason)
                #expect(reset.data["state"]?["display"]?.bytes == view.publication.contentState)
            }
        }
    }

    @Test func aNewEpochResetsAnOpenStream() async throws {
        let (old, new) = (try Samples.view(7), try Samples.view(8, epoch: "Zyxw9876"))
        try await withServer { server in
            server.publish(old)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                server.publish(new, changes: Samples.entries(1...8))
                let reset = try #require(try await stream.event())
                #expect(reset.name == "reset" && reset.data["reason"]?.string == "epochChanged")
                #expect(reset.id == "Zyxw9876.8")
            }
        }
    }

    @Test("C1: a slow reader gets a reset and then a bye, and others receive every ball")
    func c1ASlowReaderGetsAResetAndThenABye() async throws {
        let count: Int64 = 900
        let views = try (1...count).map { try Samples.view($0) }
        try await withServer { server in
            server.publish(views[0], changes: Samples.entries(1...1))
            try await server.publicClient.withStream(Self.open()) { slow in
                _ = try await slow.head()
                _ = try await slow.event("state")
                // Streams alternate between the threads: one of these two is on the thread of the slow one.
                let paths = ["/v1/matches/ipl-final/stream", "/v1/matches/ipl-final/stream"]
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for path in paths {
                        group.addTask {
                            try await server.publicClient.withStream(Self.open(path)) { stream in
                                _ = try await stream.head()
                                while try await stream.event("state").id != "Abcd1234.\(count)" {}
                            }
                        }
                    }
                    for view in views.dropFirst() {
                        let number = view.revision.number
                        server.publish(view, changes: Samples.entries(number...number))
                    }
                    try await group.waitForAll()
                }
                // Everything was offered; the reader begins to read now.
                var (last, resets) = (Int64(1), 0)
                while let event = try await slow.event() {
                    if event.name == "bye" {
                        #expect(event.data["reason"]?.string == "slow")
                        break
                    }
                    if event.name == "reset" {
                        #expect(event.data["reason"]?.string == "overflow")
                        resets += 1
                        last = try #require(event.data["state"]?["rev"]?.int)
                    } else {
                        #expect(event.number == last + 1 && event.isGapless)
                        last += 1
                    }
                }
                #expect(resets == 1)
            }
        }
    }

    @Test func severalMatchesKeepTheirPositionsInOneId() async throws {
        let other = MatchID(unchecked: "odi-2")
        let path = "/v1/stream?matches=ipl-final,odi-2&mode=balls"
        let (first, second) = (try Samples.view(7), try Samples.view(3, match: other, epoch: "Zyxw9876"))
        let third = try Samples.view(4, match: other, epoch: "Zyxw9876")
        try await withServer { server in
            server.publish(first, changes: Samples.entries(1...7))
            server.publish(second, changes: Samples.entries(1...3))
            let position = "ipl-final:Abcd1234.6,odi-2:Zyxw9876.2"
            try await server.publicClient.withStream(Self.open(path, from: position)) { stream in
                #expect(try await stream.head().headers["stream-resume"] == "exact")
                #expect(try await stream.event("ball").id == "ipl-final:Abcd1234.7,odi-2:Zyxw9876.2")
                #expect(try await stream.event("ball").id == "ipl-final:Abcd1234.7,odi-2:Zyxw9876.3")
                server.publish(third, changes: [Samples.entry(4)])
                let ball = try await stream.event("ball")
                #expect(ball.id == "ipl-final:Abcd1234.7,odi-2:Zyxw9876.4")
                #expect(ball.data["matchId"]?.string == "odi-2" && ball.isGapless)
            }
        }
    }

    @Test func theLastBallsOfAMatchAreSentAfterItsEnd() async throws {
        let over = try Samples.view(8, balls: 8, status: .result, result: Samples.won)
        try await withServer { server in
            server.publish(over, changes: Samples.entries(1...8))
            try await server.publicClient.withStream(Self.open(from: "Abcd1234.6")) { stream in
                let head = try await stream.head()
                #expect(head.status == 200)
                var ids: [String?] = []
                for _ in 7...8 { ids.append(try await stream.event("ball").id) }
                #expect(ids == ["Abcd1234.7", "Abcd1234.8"])
                let last = try await stream.event()?.name
                #expect(last == "end")
            }
            let path = "/v1/matches/ipl-final/stream?mode=balls"
            let known = try await server.publicClient.get(path, ["Last-Event-ID": "Abcd1234.8"])
            #expect(known.status == 204)
        }
    }

    @Test func anUnknownModeIsRefused() async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            let answer = try await server.publicClient.get("/v1/matches/ipl-final/stream?mode=overs")
            #expect(answer.status == 400 && answer.problem == "invalid-request")
            let error = answer.json["errors"]?.list.first
            #expect(error?["pointer"]?.string == "mode")
            #expect(error?["detail"]?.string == "expected state or balls")
        }
    }

    @Test func aStateNamesTheRevisionBeforeItOnTheConnection() async throws {
        let views = try (7...9).map { try Samples.view(Int64($0)) }
        try await withServer { server in
            server.publish(views[0])
            try await server.publicClient.withStream(Self.open("/v1/matches/ipl-final/stream")) { stream in
                _ = try await stream.head()
                #expect(try await stream.event("state").data["prev"] == nil)
                server.publish(views[1])
                #expect(try await stream.event("state").data["prev"]?.int == 7)
                server.publish(views[2])
                #expect(try await stream.event("state").data["prev"]?.int == 8)
            }
        }
    }
}
