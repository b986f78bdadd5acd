// The console works for open pages alone: a node without an open page does nothing for it.

import MatchSamples
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

/// The reads of a clock: everything that the internal listener does by time reads its clock.
private final class ClockReads: Sendable {
    private let count = Mutex(0)
    var all: Int { count.withLock { $0 } }

    /// The system's clock, whose reads are counted.
    var clock: ServiceClock {
        let system = ServiceClock()
        return ServiceClock(
            monotonic: {
                self.count.withLock { $0 += 1 }
                return system.monotonic
            },
            wall: {
                self.count.withLock { $0 += 1 }
                return system.wall
            }
        )
    }

    /// The reads while matches change and time passes, which the pings of a stream measure.
    func meanwhile(_ server: TestServer, _ stream: inout WireStream, from revision: Int64) async throws -> Int {
        let before = all
        for step in 0..<Int64(3) {
            server.publish(try Samples.view(revision + step))
            _ = try await stream.event("ping")
        }
        return all - before
    }
}

@Suite(.timeLimit(.minutes(2))) struct ConsoleIdleTests {
    private static let follow = "/v1/matches/ipl-final/stream"
    private static let events = "/admin/api/v1/events"

    private static func request(_ path: String, _ headers: [String: String]) -> [UInt8] {
        Array(WireClient.head("GET", path, headers, bodyBytes: 0, close: false).utf8)
    }

    @Test func theConsoleDoesNothingWithoutAnOpenPage() async throws {
        let reads = ClockReads()
        var stubs = TestDependencies()
        stubs.internalClock = reads.clock
        // Two pings of a stream are further apart than two looks of an open page.
        stubs.timing.heartbeat = ServerLimits.consoleLook * 2
        stubs.timing.tick = .milliseconds(50)
        stubs.matches.put(try Samples.view(1))
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            try await server.publicClient.withStream(Self.request(Self.follow, [:])) { stream in
                #expect(try await stream.head().status == 200)
                let never = try await reads.meanwhile(server, &stream, from: 2)
                #expect(never == 0, "no page is open")
                #expect(try await server.internalClient.get("/admin", viewer).status == 200)
                try await server.internalClient.withStream(Self.request(Self.events, viewer)) { page in
                    #expect(try await page.head().status == 200)
                    let open = reads.all
                    try await eventually("an open page looks for changes") { reads.all > open + 3 }
                }
                // The server learns of the closed page when it writes the next event.
                var left = 1
                for round in Int64(1)...10 where left > 0 {
                    left = try await reads.meanwhile(server, &stream, from: round * 10)
                }
                #expect(left == 0, "the page is closed")
            }
        }
    }
}
