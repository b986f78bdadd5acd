// Broken, hostile and oversized requests to the public listener of a server.

import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

extension EdgeTests {
    @Suite struct Requests {
        private let node: ServedNode
        private let client: WireClient
        private static let get = "GET /v1/client-config HTTP/1.1\r\nHost: x\r\n"

        init() throws {
            node = try ServedNode.current()
            client = node.client()
        }

        /// Sends bytes, and returns so many answers at most, or those until the connection ends.
        private func answers(to bytes: String, most: Int = 3) async throws -> [WireAnswer] {
            try await client.withStream(Array(bytes.utf8)) { stream in
                var answers: [WireAnswer] = []
                while answers.count < most, let answer = try? await stream.answer(hasBody: true) {
                    answers.append(answer)
                }
                return answers
            }
        }

        @Test(
            "S1: no internal path is on the public listener",
            arguments: [
                "/healthz", "/metrics", "/admin", "/docs", "/admin/api/v1/overview", "//metrics", "/%6detrics",
                "/METRICS",
                "/v1/../metrics", "/v1/%2e%2e/metrics", "/internal/v1/sweeps/stale-activities",
            ]
        )
        func internalPaths(path: String) async throws {
            for method in ["GET", "POST"] {
                #expect(try await client.send(method, path).status == 404, "\(method)")
            }
        }

        @Test("C11, S2, S10: HTTP/2 without TLS is not spoken, and no upgrade to it is")
        func plainHTTP2() async throws {
            let preface = try await answers(to: "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + String(repeating: "\0", count: 9))
            #expect(preface.allSatisfy { $0.status == 400 } && preface.count <= 1)
            let upgrade =
                "Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAARAAAAA\r\n\r\n"
            let ignored = try await client.withStream(Array((Self.get + upgrade).utf8)) {
                try await $0.answer(hasBody: true)
            }
            #expect(ignored.status == 200)
        }

        @Test(
            "C10, S4: a request with two readings is refused, and nothing behind it is answered",
            arguments: [
                "Host: y", "Content-Length: 5\r\nTransfer-Encoding: chunked", "Transfer-Encoding: xchunked",
                "Transfer-Encoding: chunked, identity", "Transfer-Encoding: gzip, chunked", "Content-Length: 5, 5",
                "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked", "Content-Length: +5", "Content-Length: 0x5",
                "Content-Length: 99999999999999999999", "Content-Length : 5", " Content-Length: 5", "X: a\nY: b",
                "X: a\rY: b", "X: a\u{0}b", "X y: a", "X: a\r\n folded", "Transfer-Encoding:\u{b}chunked",
            ]
        )
        func smuggling(field: String) async throws {
            let next = "GET /v1/problems HTTP/1.1\r\nHost: x\r\n\r\n"
            let seen = try await answers(to: Self.get + field + "\r\n\r\n0\r\n\r\n" + next)
            #expect(seen.count == 1 && [400, 501].contains(seen[0].status))
            #expect(seen.first?["Connection"] == "close" && seen.first?.problem != nil)
        }

        @Test("C9, S3: a head of 200,000 fields, and one of too many bytes, is refused, and others are served")
        func greatHeads() async throws {
            let fields = String(repeating: "a:b\r\n", count: 200_000)
            let seen = (try? await answers(to: Self.get + fields + "\r\n")) ?? []
            #expect(seen.allSatisfy { [400, 431].contains($0.status) } && seen.count <= 1)
            let large = try await client.get("/v1/client-config", ["X-Large": String(repeating: "x", count: 17_000)])
            #expect(large.status == 431 && large.problem == "headers-too-large")
            #expect(try await node.client().get("/v1/client-config").status == 200)
        }

        @Test("S5: X-Forwarded-For of a client that is no proxy of ours does not change its quota")
        func forgedAddresses() async throws {
            // In one segment: the quota gains one in ten milliseconds, which hides a use of one that is slower.
            let requests = (1...8).map { Self.get + "X-Forwarded-For: 192.0.2.\($0), 198.51.100.7\r\n\r\n" }
            let left = try await answers(to: requests.joined(), most: 8).map { answer in
                answer["RateLimit"]?.split(separator: ";").dropFirst().first.flatMap { Int($0.dropFirst(2)) }
            }
            let (first, lowest) = (try #require(left.first ?? nil), try #require(left.compactMap(\.self).min()))
            #expect(left.count == 8 && lowest < first, "\(left)")
        }

        @Test("S7: nothing of a request is reflected in headers")
        func reflection() async throws {
            for text in ["<script>", "a\u{1}b", "x", String(repeating: "a", count: 65)] {
                let answer = try await client.get("/v1/client-config", ["X-Request-Id": text])
                #expect(answer["X-Request-Id"] != text && answer.status <= 400)
            }
            for path in [
                "/v1/matches/%0d%0aSet-Cookie:a=b", "/v1/problems/a%0d%0aX-Evil:1", "/v1/teams/%0d%0aX-Evil:1",
            ] {
                let answer = try await client.get(path)
                #expect([400, 404].contains(answer.status) && answer["Set-Cookie"] == nil && answer["X-Evil"] == nil)
            }
        }

        @Test("S8: only a listed origin may read, none with credentials of the browser")
        func origins() async throws {
            for origin in [ServedNode.origin, "https://evil.example", "null", "http://scores.example", ""] {
                let asked = ["Origin": origin, "Access-Control-Request-Method": "GET"]
                let preflight = try await client.send("OPTIONS", "/v1/matches", asked)
                let read = try await client.get("/v1/matches", ["Origin": origin])
                let isListed = origin == ServedNode.origin
                for answer in [preflight, read] {
                    #expect(answer["Access-Control-Allow-Origin"] == (isListed ? origin : nil), "\(origin)")
                    #expect(answer["Access-Control-Allow-Credentials"] == nil)
                }
                #expect((preflight["Access-Control-Allow-Methods"] != nil) == isListed)
            }
        }

        @Test("S9: an error has the members of a problem and no text of the server's inside")
        func errors() async throws {
            let known: Set = [
                "type", "title", "status", "detail", "instance", "errors", "parameter", "violatedPolicies", "oldestRev",
                "snapshotUrl", "limitBytes", "match",
            ]
            let match = "/v1/matches/\(node.match)"
            let targets = [
                "/v1/matches/none", "\(match)/changes?after=x", "\(match)/changes?after=Other999.4", "/v1/devices/me",
                "\(match)/revisions/999999", "\(match)/innings/9/overs/9", "/v1/stream?matches=", "/nothing",
            ]
            for target in targets {
                let answer = try await client.get(target)
                #expect(answer.status >= 400, "\(target)")
                let members = Set(answer.json.asMembers?.map(\.name) ?? ["none"])
                #expect(members.isSubset(of: known), "\(target): \(members)")
                for inside in ["swift", "postgres", "select ", node.folder] {
                    #expect(!answer.text.lowercased().contains(inside))
                }
            }
        }

        @Test("S11: a credential in a query is refused and not logged")
        func secretsInQueries() async throws {
            let secret = "canary-\(UInt64.random(in: 0...UInt64.max))"
            for name in ["token", "access_token", "Credential"] {
                let answer = try await client.get("/v1/matches?\(name)=\(secret)")
                #expect(answer.status == 400 && answer.problem == "unknown-parameter")
                #expect(!answer.text.contains(secret))
            }
            #expect(!node.server.output.contains(secret))
        }

        @Test("S14: a header does not change the method")
        func methodOverride() async throws {
            for name in ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"] {
                #expect(try await client.get("/v1/client-config", [name: "DELETE"]).status == 200)
            }
        }

        @Test("C17, S26: an id is checked before anything is looked up")
        func ids() async throws {
            for id in [
                "%20", "a%2fb", "..%2f..", "%E2%80%AE", "%00", "a'b", "%F0%9F%8F%8F", "%ff",
                String(repeating: "a", count: 65),
            ] {
                for path in ["/v1/matches/\(id)", "/v1/matches/\(id)/stream", "/v1/matches/\(id)/surfaces/widget"] {
                    let answer = try await client.get(path)
                    #expect([400, 404].contains(answer.status), "\(path): \(answer.status)")
                    #expect(answer.problem == "invalid-request" || answer.problem == "not-found")
                }
            }
        }

        @Test("S25: no text of a client becomes part of a statement")
        func statements() async throws {
            let phone = try await node.phone(client)
            for text in [
                "'", "%27%3Bdrop%20table%20device%3B--", "1%20or%201%3D1", "%5C", "$1", "%27%7C%7Cpg_sleep(5)%7C%7C%27",
            ] {
                let paths = [
                    "/v1/matches?team=\(text)&tournament=\(text)", "/v1/teams/\(text)", "/v1/teams?cursor=\(text)",
                    "/v1/matches/\(node.match)/changes?after=\(text)", "/v1/matches/\(text)/revisions/1",
                ]
                for path in paths {
                    let answer = try await client.get(path)
                    #expect([200, 400, 404].contains(answer.status), "\(path): \(answer.status)")
                }
                let plain = text.removingPercentEncoding ?? ""
                let body = JSONValue.record(["timeZone": .text(plain), "clientSeq": .integer(1)]).bytes
                var headers = phone
                headers["Content-Type"] = "application/json"
                let patched = try await client.send("PATCH", "/v1/devices/me", headers, body: body)
                #expect([200, 409, 422].contains(patched.status), "\(plain): \(patched.status)")
            }
            #expect(try await client.get("/v1/devices/me", phone).status == 200)
        }

        @Test("S29: long texts of one byte are read in linear time")
        func adversarialTexts() async throws {
            for byte in ["a", ",", "\"", " ", ";", "=", "0", "W/\"", "gzip;q=0,"] {
                let text = String(repeating: byte, count: 15_000 / byte.utf8.count)
                for name in [
                    "If-None-Match", "Accept-Encoding", "Last-Event-ID", "Authorization", "traceparent",
                    "X-Forwarded-For",
                ] {
                    let began = ContinuousClock.now
                    let answer = try await client.send("HEAD", "/v1/matches/\(node.match)/stream", [name: text])
                    #expect([200, 204, 400, 401, 429].contains(answer.status), "\(name) \(byte): \(answer.status)")
                    #expect(ContinuousClock.now - began < .seconds(2), "\(name) \(byte)")
                }
            }
        }

        @Test("S30: numbers at the ends of their ranges, and beyond, are refused or accepted, and trap nowhere")
        func numbers() async throws {
            let match = "/v1/matches/\(node.match)"
            for number in ["\(Int64.max)", "\(Int64.min)", "9223372036854775808", "-1", "0", "1e400", "999999999999"] {
                for path in [
                    "\(match)/revisions/\(number)", "\(match)/innings/\(number)/overs/\(number)",
                    "\(match)/changes?limit=\(number)", "\(match)/changes?after=\(node.epoch).\(number)",
                    "/v1/matches?limit=\(number)", "/v1/teams?limit=\(number)",
                ] {
                    let answer = try await client.get(path)
                    #expect([200, 400, 404, 410].contains(answer.status), "\(path): \(answer.status)")
                }
            }
            #expect(node.server.isRunning)
        }

        @Test(
            "S52: every list has a largest page",
            arguments: ["/v1/matches", "/v1/teams", "/v1/tournaments", "changes"]
        )
        func pages(path: String) async throws {
            let path = path == "changes" ? "/v1/matches/\(node.match)/changes" : path
            #expect(try await client.get("\(path)?limit=1").status == 200)
            #expect(try await client.get("\(path)?limit=501").status == 400)
        }
    }
}
