// One request is read where one was sent: the head alone decides, and nothing behind a refused one is answered.

import NIOHTTP1
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(1))) struct RequestFramingTests {
    private func fault(_ fields: [(String, String)], _ version: HTTPVersion = .http1_1) -> RequestFramingFault? {
        RequestFramingFault(of: HTTPRequestHead(version: version, method: .GET, uri: "/", headers: HTTPHeaders(fields)))
    }

    @Test func aRequestHasOneHost() {
        for name in ["Host", "host", "HOST"] {
            for host in ["", "a.example:80", "[::1]:8080", "127.0.0.1", "a_b%20"] {
                #expect(fault([(name, host)]) == nil)
            }
        }
        #expect(fault([]) == .host && fault([], .http1_0) == nil)
        #expect(fault([("Host", "a"), ("host", "a")]) == .host)
        #expect(fault([("Host", "a"), ("Host", "b")], .http1_0) == .host)
        for host in ["a b", "a/b", "user@a", "a#b", "a?b", "\u{e9}", "a\\b"] {
            #expect(fault([("Host", host)]) == .host)
        }
        #expect(fault([("Host", "a"), ("Hos", "b"), ("Hosts", "c"), ("X-Host", "d")]) == nil)
    }

    @Test(
        arguments: [
            (["chunked"], nil), (["Chunked"], nil), ([" chunked "], nil), (["gzip, chunked"], .unknownCoding),
            (["gzip", "chunked"], .unknownCoding), (["identity, chunked"], .unknownCoding),
            (["chunked, chunked"], .transferEncoding), (["chunked", "chunked"], .transferEncoding),
            (["chunked, gzip"], .transferEncoding), (["xchunked"], .transferEncoding),
            (["identity"], .transferEncoding),
            ([""], .transferEncoding), (["chunked,"], .transferEncoding), (["chunked;q=1"], .transferEncoding),
        ] as [([String], RequestFramingFault?)]
    )
    func theOnlyTransferCodingIsChunked(codings: [String], expected: RequestFramingFault?) {
        let fields = [("Host", "a")] + codings.map { ("Transfer-Encoding", $0) }
        #expect(fault(fields) == expected)
        #expect(fault(fields, .http1_0) == .transferEncoding)
        #expect(fault(fields + [("Content-Length", "5")]) == .transferEncoding)
    }

    @Test(
        "S4: a refused head is answered in its turn with a problem, and nothing behind it is",
        arguments: [
            ("Host: x\r\nHost: x\r\n", 400), ("", 400), ("Host: x y\r\n", 400),
            ("Host: x\r\nTransfer-Encoding: xchunked\r\n", 400),
            ("Host: x\r\nTransfer-Encoding: gzip, chunked\r\n", 501),
            ("Host: x\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", 400),
            ("Host: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n", 400),
            ("Host: x\r\nContent-Length: five\r\n", 400), ("Host: x\r\nContent-Length: 5, 6\r\n", 400),
        ]
    )
    func aRefusedHeadEndsItsConnection(fields: String, status: Int) async throws {
        try await withServer { server in
            let next = "GET /v1/client-config HTTP/1.1\r\nHost: x\r\n\r\n"
            let request = next + "GET /v1/problems HTTP/1.1\r\n\(fields)\r\n0\r\n\r\n" + next
            try await server.publicClient.withStream(Array(request.utf8)) { stream in
                let first = try await stream.answer(hasBody: true)
                #expect(first.status == 200, "the earlier request is answered")
                let refused = try await stream.answer(hasBody: true)
                #expect(refused.status == status && refused["Connection"] == "close")
                #expect(refused.problem == (status == 400 ? "invalid-request" : "not-implemented"))
                #expect(refused["Content-Type"] == "application/problem+json" && refused["X-Request-Id"] != nil)
                let more = try? await stream.answer(hasBody: true).status
                #expect(more == nil)
            }
        }
    }
}
