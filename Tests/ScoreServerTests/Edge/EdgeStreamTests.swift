// Slow, greedy and forged clients of streams of a server.

import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

extension EdgeTests {
    @Suite struct Streams {
        private let node: ServedNode
        private let client: WireClient
        private let path: String

        init() throws {
            node = try ServedNode.current()
            client = node.client()
            path = "/v1/matches/\(node.match)/stream"
        }

        private func request(_ headers: [String: String] = [:]) -> [UInt8] {
            Array(WireClient.head("GET", path, headers, bodyBytes: 0, close: false).utf8)
        }

        private static func open(_ stream: inout WireStream) async throws {
            #expect(try await stream.head().status == 200)
            _ = try await stream.event("hello")
        }

        @Test("C1: unread streams cost little memory, and another one receives every state")
        func slowReaders() async throws {
            let before = node.residentBytes
            let request = String(decoding: request(), as: UTF8.self)
            let slow = try (0..<20).map { _ in try PlainSocket(port: node.port, receiveBytes: 2_048) }
            for reader in slow { try reader.send(request) }
            try await client.withStream(self.request()) { stream in
                #expect(try await stream.head().status == 200)
                for _ in 0..<3 { _ = try await stream.event("state") }
            }
            #expect(node.residentBytes - before < 20 * 512 * 1024)
            withExtendedLifetime(slow) {}
        }

        @Test(
            "C4: a position that the server did not give is answered with a reset",
            arguments: [
                "x", "zzzzzzzz.999999999999", "-1", "Abcd1234.1,Abcd1234.1", "Abcd1234.99999999999999999999",
                "\u{1F3CF}",
                String(repeating: "9", count: 8_000),
            ]
        )
        func forgedPositions(position: String) async throws {
            try await client.withStream(request(["Last-Event-ID": position])) { stream in
                let head = try await stream.head()
                #expect(head.status == 200 && head.headers["stream-resume"] == "reset")
                let hello = try await stream.event()
                #expect(hello?.name == "hello" && hello?.data["resume"]?.string == "reset")
                let reset = try await stream.event()
                #expect(reset?.name == "reset" && reset?.data["state"] != nil)
            }
        }

        @Test("S51: a device has three streams; a fourth is refused, ends the oldest and is then admitted")
        func streamCap() async throws {
            let phone = try await node.phone(client)
            let (client, request) = (client, request(phone))
            try await client.withStream(request) { oldest in
                try await Self.open(&oldest)
                try await client.withStream(request) { second in
                    try await Self.open(&second)
                    try await client.withStream(request) { third in
                        try await Self.open(&third)
                        let refused = try await client.withStream(request) { try await $0.head() }
                        #expect(refused.status == 429 && refused.headers["retry-after"] == "1")
                        try await eventually("the fourth is admitted") {
                            try await client.withStream(request) { try await $0.head().status } == 200
                        }
                    }
                }
                let bye = try await oldest.event("bye")
                #expect(bye.data["reason"]?.string == "overload")
            }
        }
    }
}
