// Each fault is what its name says, on real sockets.

import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import Simulators

@Suite(.timeLimit(.minutes(1))) struct NetworkLinkTests {
    /// A server that sends back what it receives, and a link before it.
    private static func withLink(_ body: (NetworkLink, Int) async throws -> Void) async throws {
        let server = try EchoServer()
        let link = try await NetworkLink(to: .port(server.port), seed: 1)
        guard case .port(let port) = link.address else { throw EchoError.notListening }
        let work = Task { await link.run() }
        do { try await body(link, port) } catch {
            work.cancel()
            throw error
        }
        work.cancel()
        await work.value
        #expect(server.end())
    }

    @Test func bytesPassWithoutAFault() async throws {
        try await Self.withLink { _, port in
            let client = try EchoClient(to: port)
            let text = [UInt8](repeating: 7, count: 300_000)
            async let sent: Void = client.send(text)
            #expect(try await client.receive(text.count) == text)
            try await sent
            client.close()
        }
    }

    @Test func connectionsEndWithTheLinkBeforeTheyAreTaken() async throws {
        for _ in 0..<40 {
            var clients: [EchoClient] = []
            try await Self.withLink { _, port in clients = try (0..<12).map { _ in try EchoClient(to: port) } }
            for client in clients {
                let error = await #expect(throws: EchoError.self) { try await client.receive(1) }
                #expect(error != .silent)
                client.close()
            }
        }
    }

    @Test func bytesComeLateInOrder() async throws {
        try await Self.withLink { link, port in
            let client = try EchoClient(to: port)
            for fault in [NetworkFault.latency(.milliseconds(60)), .jitter(.milliseconds(60)), .slices(3)] {
                link.set(fault)
                let start = ContinuousClock.now
                let text = [UInt8]("one after the other".utf8)
                for byte in text { try await client.send([byte]) }
                #expect(try await client.receive(text.count) == text)
                // There and back.
                if case .latency = fault { #expect(ContinuousClock.now - start >= .milliseconds(120)) }
            }
            client.close()
        }
    }

    @Test func bytesArriveInSmallParts() async throws {
        try await Self.withLink { link, port in
            link.set(.slices(3))
            let client = try EchoClient(to: port)
            let start = ContinuousClock.now
            try await client.send([UInt8](repeating: 1, count: 300))
            #expect(try await client.receive(300).count == 300)
            // A hundred parts, a millisecond apart.
            #expect(ContinuousClock.now - start >= .milliseconds(100))
            client.close()
        }
    }

    @Test func aNarrowLinkTakesItsTime() async throws {
        try await Self.withLink { link, port in
            link.set(.bandwidth(20_000))
            let client = try EchoClient(to: port)
            let start = ContinuousClock.now
            try await client.send([UInt8](repeating: 1, count: 10_000))
            #expect(try await client.receive(10_000).count == 10_000)
            #expect(ContinuousClock.now - start >= .milliseconds(450))
            client.close()
        }
    }

    @Test func connectionsAreReset() async throws {
        try await Self.withLink { link, port in
            let client = try EchoClient(to: port)
            try await client.send([1])
            #expect(try await client.receive(1) == [1])
            link.set(.resets(1))
            try await client.send([2])
            await #expect(throws: EchoError.reset) { try await client.receive(1) }
            client.close()
        }
    }

    @Test func aBlackHoleHoldsBytesUntilItIsOver() async throws {
        try await Self.withLink { link, port in
            let client = try EchoClient(to: port)
            link.set(.blackHole)
            try await client.send([1, 2, 3])
            await #expect(throws: EchoError.silent) { try await client.receive(1, within: .milliseconds(100)) }
            link.set(nil)
            #expect(try await client.receive(3) == [1, 2, 3])
            client.close()
        }
    }

    @Test func aHalfOpenConnectionStaysSilentAndOpen() async throws {
        try await Self.withLink { link, port in
            let old = try EchoClient(to: port)
            try await old.send([1])
            #expect(try await old.receive(1) == [1])
            link.set(.halfOpen)
            let young = try EchoClient(to: port)
            try await young.send([2])
            #expect(try await young.receive(1) == [2])
            link.set(nil)
            try await old.send([3])
            await #expect(throws: EchoError.silent) { try await old.receive(1, within: .milliseconds(100)) }
            #expect(link.faultCounts == [.halfOpen: 1])
            old.close()
            young.close()
        }
    }
}
