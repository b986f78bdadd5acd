// Answers in gzip: who receives them, under which headers, and that they contain the same bytes.

import MatchEngine
import MatchSamples
import Providers
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct CompressionTests {
    private static let match = "/v1/matches/ipl-final"

    @Test(arguments: [match, "\(match)/scorecard", "\(match)?view=compact", "/v1/problems", "/v1/openapi.yaml"])
    func aClientThatAcceptsGzipReceivesTheSameBytesPacked(path: String) async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let plain = try await server.publicClient.get(path)
            #expect(plain.status == 200 && plain["Content-Encoding"] == nil && plain.body.count > 1_024)
            #expect(plain["Vary"] == "Accept-Encoding")
            let packed = try await server.publicClient.get(path, ["Accept-Encoding": "gzip, deflate, br"])
            #expect(packed.status == 200 && packed["Content-Encoding"] == "gzip")
            #expect(packed["Vary"] == "Accept-Encoding" && packed["Content-Type"] == plain["Content-Type"])
            #expect(packed["Cache-Control"] == plain["Cache-Control"])
            #expect(packed.body.starts(with: [0x1f, 0x8b]) && packed.body.count < plain.body.count)
            #expect(try Compression.unpack(packed.body, limit: 1_000_000) == plain.body)
            let again = try await server.publicClient.get(path, ["Accept-Encoding": "gzip"])
            #expect(again.body == packed.body)
        }
    }

    @Test func bothFormsAreRevalidatedByEachOthersTag() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            for coding in ["gzip", "identity"] {
                for tag in ["\"Abcd1234.7\"", "W/\"Abcd1234.7\""] {
                    let headers = ["Accept-Encoding": coding, "If-None-Match": tag]
                    let answer = try await server.publicClient.get(Self.match, headers)
                    #expect(answer.status == 304 && answer.body.isEmpty && answer["Content-Encoding"] == nil)
                    #expect(answer["ETag"] == (coding == "gzip" ? "W/\"Abcd1234.7\"" : "\"Abcd1234.7\""))
                }
            }
            let other = ["Accept-Encoding": "gzip", "If-None-Match": "W/\"Abcd1234.6\""]
            #expect(try await server.publicClient.get(Self.match, other).status == 200)
        }
    }

    @Test func headOfThePackedFormHasItsHeaders() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            let headers = ["Accept-Encoding": "gzip"]
            let get = try await server.publicClient.get(Self.match, headers)
            let head = try await server.publicClient.send("HEAD", Self.match, headers)
            #expect(head.status == 200 && head.body.isEmpty && head["Content-Encoding"] == "gzip")
            #expect(head["Content-Length"] == String(get.body.count) && head["ETag"] == get["ETag"])
        }
    }

    @Test(arguments: [
        ("gzip", true), ("GZIP", true), ("x-gzip", true), ("deflate, gzip;q=0.5", true), ("*", true),
        ("br, *;q=0.1", true), ("gzip ; q=1", true), ("gzip;q=0", false), ("gzip; q=0.000", false), ("br", false),
        ("*;q=0", false), ("gzip;q=0, *", false), ("identity", false), ("", false), (",;,", false), ("gzipped", false),
        ("*;q=0, gzip", true),
    ])
    func acceptEncodingIsRead(header: String, isAccepted: Bool) {
        #expect(PackedBody.isAccepted(header) == isAccepted)
    }

    /// A match whose journal has an entry of about 50 bytes for each revision.
    private func stubs() -> TestDependencies {
        var stubs = TestDependencies()
        stubs.matches = MatchCache(
            load: { _ in nil },
            changes: { _, after, limit in
                (after + 1...40).prefix(limit).map { number in
                    JournalEntry(
                        revision: number,
                        at: Instant(milliseconds: 5),
                        change: .withdrawn(DeliveryKey("1.\(number)"))
                    )
                }
            }
        )
        return stubs
    }

    @Test func aLongListOfChangesIsPackedAndRevalidated() async throws {
        try await withServer(stubs()) { server in
            server.publish(try Samples.view(40))
            let path = "\(Self.match)/changes"
            let plain = try await server.publicClient.get(path, ["Accept-Encoding": "identity"])
            #expect(plain.status == 200 && plain["Content-Encoding"] == nil && plain["Vary"] == "Accept-Encoding")
            let packed = try await server.publicClient.get(path, ["Accept-Encoding": "gzip"])
            #expect(packed["Content-Encoding"] == "gzip" && packed.body.count < plain.body.count / 2)
            #expect(try Compression.unpack(packed.body, limit: 1_000_000) == plain.body)
            let tag = try #require(packed["ETag"])
            let known = try await server.publicClient.get(path, ["If-None-Match": tag])
            #expect(known.status == 304 && known.body.isEmpty && known["ETag"] == plain["ETag"])
            let short = try await server.publicClient.get("\(path)?limit=2", ["Accept-Encoding": "gzip"])
            #expect(short.status == 200 && short["Content-Encoding"] == nil)
        }
    }

    @Test func eachSurfaceIsRenderedAndPackedOnceForARevision() async throws {
        try await withServer { server in
            server.publish(try Samples.view(7))
            var forms: [[UInt8]: [UInt8]] = [:]
            for kind in ["liveActivity", "widget?family=systemLarge", "standby", "lockAccessory?quiet=true"] {
                let path = "\(Self.match)/surfaces/\(kind)"
                let plain = try await server.publicClient.get(path)
                let packed = try await server.publicClient.get(path, ["Accept-Encoding": "gzip"])
                #expect(plain.status == 200 && packed.status == 200, "\(kind)")
                #expect((packed["Content-Encoding"] == "gzip") == (plain.body.count > 1_024), "\(kind)")
                forms[plain.body] = packed.body
                let again = try await server.publicClient.get(path, ["Accept-Encoding": "gzip"])
                #expect(again.body == packed.body && again["ETag"] == packed["ETag"])
            }
            #expect(forms.count == 4, "a variant is not answered with another one")
            server.publish(try Samples.view(8, balls: 8))
            let next = try await server.publicClient.get("\(Self.match)/surfaces/liveActivity")
            #expect(next["ETag"] == "\"Abcd1234.8.liveActivity\"" && forms[next.body] == nil)
        }
    }

    @Test func smallAnswersStayPlain() async throws {
        try await withServer { server in
            let answer = try await server.publicClient.get("/v1/client-config", ["Accept-Encoding": "gzip"])
            #expect(answer.status == 200 && answer["Content-Encoding"] == nil)
        }
    }
}
