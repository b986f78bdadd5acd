// The ends of streams over real sockets: clients that vanish, that leave, that have too many, or that are erased.

import HTTPTypes
import MatchJournal
import MatchSamples
import ScoreTypes
import Testing

@testable import FollowService
@testable import ScoreServer

@Suite struct StreamEndTests {
    private static func open(_ headers: [String: String] = [:]) -> [UInt8] {
        let path = "/v1/matches/ipl-final/stream"
        return Array(WireClient.head("GET", path, headers, bodyBytes: 0, close: false).utf8)
    }

    /// Waits until so many streams are open; the deadline of the client around it ends a wait in vain.
    private static func wait(for count: Int, in server: TestServer) async throws {
        while server.hub.connectionCount != count {
            try Task.checkCancellation()
            await Task.yield()
        }
    }

    @Test("C2: a client that vanishes without a FIN is removed", .timeLimit(.minutes(1)))
    func aClientThatVanishesIsRemoved() async throws {
        var stubs = TestDependencies()
        stubs.timing.heartbeat = .milliseconds(20)
        stubs.timing.tick = .milliseconds(10)
        stubs.timing.acknowledgement = .milliseconds(200)
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            let client = try await VanishingClient(port: server.publicClient.port, request: Self.open())
            try await Self.wait(for: 1, in: server)
            try await client.vanish()
            try await Self.wait(for: 0, in: server)
            client.close()
        }
    }

    @Test(
        "C1: a reader that takes nothing is cut after a time, or when too many bytes wait",
        .timeLimit(.minutes(2)),
        arguments: [(Duration.milliseconds(100), ServerLimits.unsentStreamBytes), (.seconds(3_600), 2)]
    )
    func aReaderThatTakesNothingIsCutSoon(deadline: Duration, unsentBytes: Int) async throws {
        var stubs = TestDependencies()
        stubs.timing.writeDeadline = deadline
        // Else the kernel ends the connection of a full reader after half a minute.
        stubs.timing.acknowledgement = .seconds(3_600)
        stubs.caps.unsentBytes = unsentBytes
        stubs.timing.tick = .milliseconds(10)
        let views = try (1...30).map { try Samples.view(Int64($0), balls: $0) }
        let bytes = views.map { $0.publication.contentState.count }.reduce(0, +)
        #expect(bytes < Int(ServerLimits.streamSocketBytes))
        try await withServer(stubs) { server in
            server.publish(views[0])
            let reader = try PlainSocket(port: server.publicClient.port, receiveBytes: 4096)
            try reader.send(String(decoding: Self.open(), as: UTF8.self))
            try await Self.wait(for: 1, in: server)
            for view in views.dropFirst() {
                server.publish(view)
                // A state that is not written is replaced by the next one: too little would be sent.
                while let stream = await server.hub.streams(of: view.match).first?.stream,
                    stream.positions[view.match] != view.revision, stream.unsentBytes == 0
                {
                    try Task.checkCancellation()
                    await Task.yield()
                }
            }
            try await Self.wait(for: 0, in: server)
            #expect(!reader.isOpenAtServer)
        }
    }

    @Test(.timeLimit(.minutes(1))) func aClientThatLeavesIsRemoved() async throws {
        let view = try Samples.view(7)
        try await withServer { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                #expect(try await stream.event("state").id == "Abcd1234.7")
                #expect(server.hub.watcherCounts == [Samples.match: 1])
            }
            try await Self.wait(for: 0, in: server)
            #expect(server.hub.watcherCounts.isEmpty)
        }
    }

    @Test("S51: the oldest stream of a full address ends") func theOldestStreamOfAFullAddressEnds() async throws {
        var stubs = TestDependencies()
        stubs.caps = StreamCaps(node: 9, device: 3, address: 1)
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                #expect(try await server.publicClient.get("/v1/matches/ipl-final/stream").status == 429)
                #expect(try await stream.event("bye").data["reason"]?.string == "overload")
                #expect(try await stream.event() == nil)
            }
        }
    }

    @Test("S51: a shared address may have more streams") func aSharedAddressMayHaveMoreStreams() async throws {
        var stubs = TestDependencies()
        stubs.caps = StreamCaps(node: 9, device: 3, address: 1)
        stubs.limits.sharedAddresses = [try #require(AddressBlock("127.0.0.0/8"))]
        stubs.limits.sharedFactor = 2
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open()) { first in
                #expect(try await first.head().status == 200)
                _ = try await first.event("state")
                try await server.publicClient.withStream(Self.open()) { second in
                    #expect(try await second.head().status == 200)
                    _ = try await second.event("state")
                    #expect(try await server.publicClient.get("/v1/matches/ipl-final/stream").status == 429)
                }
            }
        }
    }

    @Test("S16: an erased device loses its streams") func anErasedDeviceLosesItsStreams() async throws {
        let device = Samples.device()
        var stubs = TestDependencies()
        stubs.devices.onHash = { try await device.hash($0) }
        stubs.devices.onErase = { _ in [] }
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            server.publish(view)
            try await server.publicClient.withStream(Self.open(device.headers)) { stream in
                _ = try await stream.head()
                _ = try await stream.event("state")
                #expect(
                    try await server.publicClient.send("DELETE", "/v1/devices/me", device.headers).status == 204
                )
                #expect(try await stream.event("bye").data["reason"]?.string == "revoked")
                #expect(try await stream.event() == nil)
            }
        }
    }

    @Test func manyStreamsReceiveEachState() async throws {
        var stubs = TestDependencies()
        stubs.caps = StreamCaps(node: 200, device: 3, address: 200)
        stubs.limits = RateLimits([.streamOpenAddress: Quota(count: 200, per: .seconds(1))])
        let views = try (7...20).map { try Samples.view(Int64($0), balls: $0) }
        try await withServer(stubs) { server in
            server.publish(views[0])
            try await withThrowingTaskGroup(of: Void.self) { group in
                for _ in 0..<60 {
                    group.addTask {
                        try await server.publicClient.withStream(Self.open()) { stream in
                            #expect(try await stream.head().status == 200)
                            var last: Int64 = 0
                            while last < 20 {
                                let id = try await stream.event("state").id ?? ""
                                let number = Revision(id)?.number ?? 0
                                #expect(number > last)
                                last = number
                            }
                        }
                    }
                }
                // Some clients open while states are published: none of them misses the last one.
                for view in views.dropFirst() {
                    await Task.yield()
                    server.publish(view)
                }
                try await group.waitForAll()
            }
        }
    }
}
