// Sessions of browsers: the cookie, the check of the origin, and the end of a session.

import ScoreTypes
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct SessionTests {
    private static let path = "/admin/api/v1/session"
    private static let sameOrigin = ["Sec-Fetch-Site": "same-origin"]

    /// The header with the cookie of a new session.
    private static func open(_ headers: [String: String], _ server: TestServer) async throws -> [String: String] {
        let answer = try await server.internalClient.send("POST", path, headers, json: "{}")
        #expect(answer.status == 200, "\(answer.text)")
        let cookie = try #require(answer["Set-Cookie"])
        #expect(cookie.hasPrefix("__Host-score-admin=ssa1.") && !answer.text.contains("ssa1."))
        for attribute in ["Path=/", "Secure", "HttpOnly", "SameSite=Strict"] {
            #expect(cookie.split(separator: "; ").contains { $0 == attribute }, "\(attribute)")
        }
        // The token of the test lasts an hour, and a session no longer than its token.
        let seconds = cookie.split(separator: "Max-Age=").last.flatMap { Int($0) }
        #expect(seconds.map { (3590...3600).contains($0) } == true)
        return ["Cookie": "theme=dark; \(cookie.prefix { $0 != ";" })"]
    }

    @Test("S19: a session has a strict cookie, and shows the user and the permitted actions")
    func aSessionShowsTheUserAndThePermittedActions() async throws {
        try await withServer { server in
            for role in AdminRole.allCases {
                let cookie = try await Self.open(try await server.token(role), server)
                let shown = try await server.internalClient.get(Self.path, cookie)
                #expect(shown.status == 200 && shown.json["role"]?.string == role.rawValue)
                #expect(shown.json["session"] == .bool(true))
                let actions = shown.json["actions"]?.list.compactMap { $0["action"]?.string } ?? []
                let permitted = AdminRoute.all.filter { $0.permission.roles.contains(role) }.map(\.action)
                #expect(actions == permitted)
            }
        }
    }

    @Test("S20: a write with a session comes from a page of the server")
    func aWriteWithASessionComesFromAPageOfTheServer() async throws {
        var stubs = TestDependencies()
        stubs.feeds.list = [StubFeeds.main()]
        stubs.feeds.onPause = { _, _ in true }
        try await withServer(stubs) { server in
            let cookie = try await Self.open(try await server.token(.operator), server)
            let cases: [([String: String], Int)] = [
                ([:], 403), (["Sec-Fetch-Site": "cross-site"], 403), (["Sec-Fetch-Site": "same-site"], 403),
                (["Sec-Fetch-Site": "none"], 403), (["Origin": "https://evil.example"], 403),
                (["Origin": "null"], 403), (["Origin": "http://localhost"], 200),
                (["Sec-Fetch-Site": "cross-site", "Origin": "http://localhost"], 403), (Self.sameOrigin, 200),
            ]
            for (headers, status) in cases {
                let answer = try await server.internalClient.send(
                    "POST",
                    "/admin/api/v1/feeds/main/pause",
                    cookie.merging(headers) { $1 },
                    json: #"{"reason":"because it must"}"#
                )
                #expect(answer.status == status, "\(headers): \(answer.text)")
            }
            #expect(server.stubs.store.lines.last?.via == .ui)
            #expect(try await server.internalClient.get("/admin/api/v1/feeds", cookie).status == 200)
        }
    }

    @Test("S19: a session ends by logout and with its token") func aSessionEndsByLogoutAndWithItsToken() async throws {
        try await withServer { server in
            let token = try await server.token(.admin)
            let cookie = try await Self.open(token, server)
            let other = try await Self.open(token, server)
            let nested = try await server.internalClient.send(
                "POST",
                Self.path,
                cookie.merging(Self.sameOrigin) { $1 },
                json: "{}"
            )
            #expect(nested.status == 409, "a session opens no session")
            let closed = try await server.internalClient.send(
                "DELETE",
                Self.path,
                cookie.merging(Self.sameOrigin) { $1 },
                json: "{}"
            )
            #expect(closed.status == 200 && closed["Set-Cookie"]?.contains("Max-Age=0") == true)
            #expect(try await server.internalClient.get(Self.path, cookie).status == 401)
            let shown = try await server.internalClient.get(Self.path, other)
            let id = try #require(shown.json["tokenId"]?.string)
            let revoked = try await server.internalClient.send(
                "DELETE",
                "/admin/api/v1/admin-tokens/\(id)",
                other.merging(Self.sameOrigin) { $1 },
                json: #"{"reason":"it leaked","confirm":"\#(id)"}"#
            )
            #expect(revoked.status == 200, "a user may revoke the own token: \(revoked.text)")
            #expect(try await server.internalClient.get(Self.path, other).status == 401)
            #expect(try await server.internalClient.get(Self.path, token).status == 401)
        }
    }

    /// A proxy on the same machine has a loopback address, and so has a page of another site in a browser here.
    @Test func aLoopbackAddressAloneIsNotTrusted() async throws {
        try await withServer { server in
            #expect(try await server.internalClient.get("/metrics").status == 200)
            for name in ["X-Forwarded-For", "Forwarded", "Via", "X-Real-IP"] {
                let answer = try await server.internalClient.get("/metrics", [name: "192.0.2.1"])
                #expect(answer.status == 401, "\(name)")
            }
        }
    }
}
