// The live stream over a real socket: greeting, states, end, and readers that are too slow.

import MatchEngine
import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct StreamTests {
    private static func open(_ path: String = "/v1/matches/ipl-final/stream", _ headers: [String: String] = [:])
        -> [UInt8]
    {
        let headers = headers.merging(["Accept": "text/event-stream"]) { $1 }
        return Array(WireClient.head("GET", path, headers, bodyBytes: 0, close: false).utf8)
    }

    @Test func aStreamSendsHelloThenTheStateThenNewStates() async throws {
        let views = try (7...9).map { try Samples.view(Int64($0), balls: $0) }
        try await withServer { server in
            server.publish(views[0])
            try await server.publicClient.withStream(Self.open()) { stream in
                let head = try await stream.head()
                #expect(head.status == 200)
                #expect(head.headers["content-type"] == "text/event-stream; charset=utf-8")
                #expect(head.headers["stream-resume"] == "fresh")
                #expect(head.headers["cache-control"] == "no-store, no-transform")
                let hello = try #require(try await stream.event())
                #expect(hello.name == "hello" && hello.id == nil)
                #expect(hello.data["matches"]?.list.first?["head"]?.int == 7)
                let state = try #require(try await stream.event())
                #expect(state.name == "state" && state.id == "Abcd1234.7")
                #expect(state.data["display"]?.bytes == views[0].publication.contentState)
                for view in views.dropFirst() {
                    server.publish(view)
                    let next = try #require(try await stream.event())
                    #expect(next.id == view.revision.description)
                }
            }
        }
    }

    @Test("H4: a client that comes from a node which is a moment ahead is not reset", arguments: ["", "?mode=balls"])
    func aClientOfAnotherNodeContinues(mode: String) async throws {
        let (view, next) = (try Samples.view(7), try Samples.view(8, balls: 8))
        try await withServer { server in
            server.publish(view)
            let path = "/v1/matches/ipl-final/stream\(mode)"
            try await server.publicClient.withStream(Self.open(path, ["Last-Event-ID": "Abcd1234.8"])) { stream in
                // A later request was answered: the stream's has arrived.
                #expect(try await server.publicClient.get("/v1/client-config").status == 200)
                server.publish(next)
                #expect(try await stream.head().headers["stream-resume"] == "exact")
                _ = try await stream.event("hello")
                server.publish(try Samples.view(9, balls: 9))
                #expect(try await stream.event()?.id == "Abcd1234.9")
            }
        }
    }

    @Test(arguments: [
        ("Abcd1234.7", "exact", nil), ("Abcd1234.5", "conflated", "state"), ("Other999.7", "reset", "reset"),
        ("Abcd1234.99", "reset", "reset"), ("nonsense", "reset", "reset"),
    ])
    func aStreamContinuesFromItsPosition(position: String, resume: String, event: String?) async throws {
        let view = try Samples.view(7)
        let next = try Samples.view(8, balls: 8)
        try await withServer { server in
            server.publish(view)
            try await server.publicClient.withStream(
                Self.open("/v1/matches/ipl-final/stream", ["Last-Event-ID": position])
            ) {
                stream in
                #expect(try await stream.head().headers["stream-resume"] == resume)
                _ = try await stream.event("hello")
                server.publish(next)
                let first = try #require(try await stream.event())
                if let event {
                    #expect(first.name == event && first.id == "Abcd1234.7")
                    if event == "reset" { #expect(first.data["state"]?["rev"]?.int == 7) }
                    #expect(try await stream.event()?.id == "Abcd1234.8")
                } else {
                    #expect(first.id == "Abcd1234.8")
                }
            }
        }
    }

    @Test func theEndOfAMatchClosesTheStreamForGood() async throws {
        var stubs = TestDependencies()
        stubs.timing.tick = .milliseconds(10)
        stubs.timing.lingerAfterEnd = .milliseconds(20)
        let live = try Samples.view(7)
        let over = try Samples.view(8, balls: 8, status: .result, result: Samples.won)
        try await withServer(stubs) { server in
            server.publish(live)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                server.publish(over)
                #expect(try await stream.event()?.name == "state")
                let end = try #require(try await stream.event())
                #expect(end.name == "end" && end.id == "Abcd1234.8")
                #expect(end.data["result"]?.string == "Mumbai Indians won by 12 runs")
                #expect(try await stream.event() == nil)
            }
            #expect(try await server.publicClient.get("/v1/matches/ipl-final/stream").status == 204)
            #expect(try await server.publicClient.get("/v1/matches/nowhere/stream").status == 404)
        }
    }

    @Test func aSlowReaderSkipsToTheNewestState() async throws {
        let count = 400
        let views = try (1...count).map { try Samples.view(Int64($0), balls: 1 + $0 % 60) }
        try await withServer { server in
            server.publish(views[0])
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                // Nothing is read during these publications; buffers fill and the mailbox holds only the newest.
                for view in views.dropFirst() { server.publish(view) }
                var seen: [String] = []
                while seen.last != "Abcd1234.\(count)" { seen.append(try await stream.event("state").id ?? "") }
                #expect(seen.count < count - 1)
                let numbers = seen.compactMap { Revision($0)?.number }
                #expect(numbers == numbers.sorted() && Set(numbers).count == numbers.count)
            }
        }
    }

    @Test func anIdleStreamReceivesPings() async throws {
        var stubs = TestDependencies()
        stubs.timing.heartbeat = .milliseconds(20)
        stubs.timing.tick = .milliseconds(10)
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                for _ in 0..<2 {
                    let ping = try await stream.event("ping")
                    #expect(ping.id == nil && ping.data["t"]?.int != nil)
                }
            }
        }
    }

    @Test func anOldStreamEndsWithBye() async throws {
        var stubs = TestDependencies()
        stubs.timing.maxAge = .milliseconds(20)
        stubs.timing.tick = .milliseconds(10)
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                let bye = try await stream.event("bye")
                #expect(bye.data["reason"]?.string == "maxAge")
                #expect(try await stream.event() == nil)
            }
        }
    }

    @Test("H4: a shutdown sends bye and does not wait for readers")
    func shutdownSendsByeAndDoesNotWaitForReaders() async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                await server.shutDown()
                #expect(try await stream.event("bye").data["reason"]?.string == "draining")
            }
        }
    }

    @Test("S28: text of a feed cannot forge events") func feedTextCannotForgeEvents() async throws {
        let view = try Samples.view(7, first: "x\r\n\r\nevent: end\ndata: {}\n\n")
        try await withServer { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                let names = [try await stream.event()?.name, try await stream.event()?.name]
                #expect(names == ["hello", "state"])
                server.hub.publishHeld(Samples.match, MatchHold(reason: "a\nb", since: Instant(milliseconds: 0)))
                #expect(try await stream.event()?.data["reason"]?.string == "a\nb")
            }
        }
    }

    @Test func aStreamThatOpensDuringAHoldBeginsWithTheHold() async throws {
        var news = try Samples.view(7).news
        news.hold = MatchHold(reason: "wrong teams", since: Instant(milliseconds: 0))
        let view = MatchView(news)
        try await withServer { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                let held = try await stream.event("held")
                #expect(held.data["held"] == .bool(true) && held.data["reason"]?.string == "wrong teams")
                server.hub.publishHeld(Samples.match, nil)
                let over = try await stream.event("held")
                #expect(over.data["held"] == .bool(false) && over.data["reason"] == nil)
            }
        }
    }

    @Test func severalMatchesShareOneStreamAndOneId() async throws {
        let other = MatchID(unchecked: "odi-2")
        let first = try Samples.view(7)
        let second = try Samples.view(3, match: other, epoch: "Zyxw9876")
        let third = try Samples.view(4, match: other, epoch: "Zyxw9876")
        try await withServer { server in
            server.publish(first)
            server.publish(second)
            try await server.publicClient.withStream(Self.open("/v1/stream?matches=ipl-final,odi-2")) { stream in
                #expect(try await stream.head().status == 200)
                _ = try await stream.event("state")
                #expect(try await stream.event("state").id == "ipl-final:Abcd1234.7,odi-2:Zyxw9876.3")
                server.publish(third)
                #expect(try await stream.event("state").id == "ipl-final:Abcd1234.7,odi-2:Zyxw9876.4")
            }
            let many = (0..<11).map { "m\($0)" }.joined(separator: ",")
            #expect(try await server.publicClient.get("/v1/stream?matches=\(many)").status == 400)
        }
    }

    @Test(arguments: [404, 410]) func aRefusalForOneOfSeveralMatchesNamesIt(status: Int) async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            let lacking = MatchID(unchecked: "odi-2")
            if status == 410 { server.stubs.matches.mark(lacking, removedAt: Instant(milliseconds: 1_772_380_000_000)) }
            let answer = try await server.publicClient.get("/v1/stream?matches=ipl-final,odi-2")
            #expect(answer.status == status && answer.json["match"]?.string == "odi-2")
        }
    }

    @Test func fullNodeAnswers503AndFullAddress429() async throws {
        let view = try Samples.view(7)
        for (caps, status) in [
            (StreamCaps(node: 1, device: 3, address: 9), 503), (StreamCaps(node: 9, device: 3, address: 1), 429),
        ] {
            var stubs = TestDependencies()
            stubs.caps = caps
            try await withServer(stubs) { server in
                server.publish(view)
                try await server.publicClient.withStream(Self.open()) { stream in
                    _ = try await stream.head()
                    _ = try await stream.event("hello")
                    let refused = try await server.publicClient.get("/v1/matches/ipl-final/stream")
                    #expect(refused.status == status)
                    #expect(refused["Retry-After"] != nil)
                }
            }
        }
    }

    @Test("H4: a drain sends bye and refuses new streams") func drainSendsByeAndRefusesNewStreams() async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                server.hub.drain()
                let bye = try await stream.event("bye")
                #expect(bye.data["reason"]?.string == "draining")
                #expect((bye.data["reconnectAfterMs"]?.int ?? 0) > 0)
            }
            #expect(try await server.publicClient.get("/v1/matches/ipl-final/stream").status == 503)
        }
    }
}
