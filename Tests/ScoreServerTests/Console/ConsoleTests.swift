// The console's pages: what they show, whom they let in, and hostile texts.

import MatchSamples
import ScoreTypes
import Testing

@testable import PushDispatcher
@testable import ScoreServer

@Suite struct ConsoleTests {
    private static let pages = [
        "/admin", "/admin/matches", "/admin/matches/ipl-final", "/admin/matches/ipl-final/phones",
        "/admin/matches/ipl-final/revisions/7", "/admin/feeds", "/admin/push", "/admin/activities", "/admin/audit",
        "/admin/apns", "/admin/pushes", "/admin/dead-letters",
    ]
    private static let browser = ["Accept": "text/html,application/xhtml+xml", "Sec-Fetch-Site": "same-origin"]
    private static let hostile = "<img src=x onerror=alert(1)>\"'`{{x}}&"

    private static func stubs() throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.limits = RateLimits([.adminLogin: Quota(count: 1000, per: .seconds(1))])
        stubs.matches.put(try Samples.view(7, first: hostile))
        stubs.feeds.list = [StubFeeds.main()]
        return stubs
    }

    @Test("S21, S22: every page names its nonce, escapes texts and is in no frame")
    func everyPageNamesItsNonceAndEscapesTexts() async throws {
        try await withServer(try Self.stubs()) { server in
            let viewer = try await server.token(.viewer)
            for path in Self.pages {
                let page = try await server.internalClient.get(path, viewer)
                #expect(page.status == 200, "\(path): \(page.text)")
                let policy = try #require(page["Content-Security-Policy"])
                #expect(policy.contains("default-src 'none'") && policy.contains("frame-ancestors 'none'"))
                let part = policy.split(separator: "'nonce-").dropFirst().first?.split(separator: "'").first
                let nonce = try #require(part)
                #expect(page.text.contains("<script nonce=\"\(nonce)\">"), "\(path)")
                #expect(!page.text.contains("<img src=x") && !page.text.contains(" style="), "\(path)")
                #expect(page.text.contains("token, viewer") || page.text.contains(", viewer"), "\(path)")
            }
            let match = try await server.internalClient.get("/admin/matches/ipl-final", viewer)
            #expect(match.text.contains("&lt;img src=x onerror=alert(1)&gt;"))
            let other = try await server.internalClient.get("/admin/matches/other", viewer)
            #expect(other.status == 404)
        }
    }

    @Test func theScriptGetsTheContentAlone() async throws {
        try await withServer(try Self.stubs()) { server in
            let headers = try await server.token(.viewer).merging(["Console-Part": "main"]) { $1 }
            let part = try await server.internalClient.get("/admin/matches", headers)
            #expect(part.status == 200 && !part.text.contains("<html") && !part.text.contains("<script"))
            #expect(part.text.contains("/admin/matches/ipl-final"))
            #expect(part["Content-Security-Policy"] == "default-src 'none'")
        }
    }

    @Test func pushesAreShownWithTheirTimelineAndTheirActs() async throws {
        let stubs = try Self.stubs()
        let body = #"{"aps":{"alert":{"title":"<img src=x onerror=alert(1)>"}}}"#
        stubs.push.history.attempted(try .sample(.accepted, .none, status: 200, body: body))
        let dead = try PushAttempt.sample(
            .rejected(.evict),
            .unregistered,
            status: 410,
            device: DeviceID(high: 3, low: 4)
        )
        stubs.push.history.attempted(dead)
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            func page(_ path: String) async throws -> String {
                let answer = try await server.internalClient.get("/admin" + path, viewer)
                #expect(answer.status == 200, "\(path): \(answer.text)")
                return answer.text
            }
            let apns = try await page("/apns")
            #expect(apns.contains("/apns/production/pause") && apns.contains("p50 50") && apns.contains("Unregistered"))
            let list = try await page("/pushes?outcome=rejected")
            #expect(list.contains("/admin/pushes/\(dead.requestID)") && list.contains("410 Unregistered"))
            let id = try PushAttempt.sample(.accepted, .none, status: 200).requestID
            #expect(!list.contains(id), "another outcome")
            let push = try await page("/pushes/\(id)")
            #expect(push.contains("Sent, try 1") && push.contains("Answered: 200") && !push.contains("<img src=x"))
            #expect(try await page("/dead-letters").contains("&quot;apnsReason&quot;:&quot;Unregistered&quot;"))
            #expect(try await page("/push").contains("start 3, end 2"))
            #expect(
                try await page("").contains("/admin/pushes/\(dead.requestID)"),
                "the overview has the newest refusals"
            )
            let unknown = try await server.internalClient.get("/admin/pushes/none", viewer)
            #expect(unknown.status == 404)
        }
    }

    @Test func theListOfMatchesIsFilteredAndSearched() async throws {
        try await withServer(try Self.stubs()) { server in
            let viewer = try await server.token(.viewer)
            for (query, isShown) in [
                ("?state=live", true), ("?state=over", false), ("?q=ipl-final", true), ("?q=nobody", false),
                ("?state=all&q=onerror", true),
            ] {
                let page = try await server.internalClient.get("/admin/matches" + query, viewer)
                #expect(page.text.contains("id=\"m-ipl-final\"") == isShown, "\(query)")
            }
        }
    }

    @Test func aBrowserWithoutATokenIsLedToThePageForOneAndBack() async throws {
        try await withServer(try Self.stubs()) { server in
            let refused = try await server.internalClient.get("/admin/matches/ipl-final", Self.browser)
            #expect(refused.status == 303)
            #expect(refused["Location"] == "/admin/sign-in?next=/admin/matches/ipl-final")
            #expect(server.stubs.store.lines.isEmpty, "a first visit is no attempt")
            let form = try await server.internalClient.get("/admin/sign-in?next=/admin/matches/ipl-final")
            #expect(form.status == 200 && form.text.contains("value=\"/admin/matches/ipl-final\""))
            let foreign = try await server.internalClient.get("/admin/sign-in?next=https://example.com/admin")
            #expect(foreign.text.contains("name=\"next\" value=\"/admin\""))
        }
    }

    @Test func aDemoIsOpenToPagesOfThisMachineOnly() async throws {
        var stubs = try Self.stubs()
        stubs.isOpen = true
        stubs.control.onHold = { _, _ in true }
        try await withServer(stubs) { server in
            let page = try await server.internalClient.get("/admin", Self.browser)
            #expect(page.status == 200 && page.text.contains("demo, operator"))
            let forwarded = try await server.internalClient.get("/admin", ["X-Forwarded-For": "203.0.113.9"])
            #expect(forwarded.status == 401)
            let hold = "/admin/api/v1/matches/ipl-final/hold"
            let body = #"{"reason":"a demo"}"#
            #expect(try await server.internalClient.send("POST", hold, json: body).status == 403)
            #expect(try await server.internalClient.send("POST", hold, Self.browser, json: body).status == 200)
            let tokens = "/admin/api/v1/admin-tokens"
            #expect(try await server.internalClient.get(tokens, Self.browser).status == 403)
        }
    }

    @Test func aPersonSignsInAndOutWithAForm() async throws {
        try await withServer(try Self.stubs()) { server in
            let token = try #require(try await server.token(.operator)["Authorization"]?.dropFirst("Bearer ".count))
            let type = ["Content-Type": "application/x-www-form-urlencoded"]
            let own = Self.browser.merging(type) { $1 }
            func post(_ path: String, _ headers: [String: String], _ body: String) async throws -> WireAnswer {
                try await server.internalClient.send("POST", path, headers, body: Array(body.utf8))
            }
            let foreign = try await post(
                "/admin/sign-in",
                type.merging(["Sec-Fetch-Site": "cross-site"]) { $1 },
                "token=\(token)"
            )
            #expect(foreign.status == 403 && foreign["Set-Cookie"] == nil)
            let wrong = try await post("/admin/sign-in", own, "token=ssa1.x.y&next=/admin/feeds")
            #expect(
                wrong.status == 200 && wrong.text.contains("This token is not valid.") && wrong["Set-Cookie"] == nil
            )
            let signedIn = try await post("/admin/sign-in", own, "token=\(token)&next=/admin/feeds")
            #expect(signedIn.status == 303 && signedIn["Location"] == "/admin/feeds")
            let cookie = try #require(signedIn["Set-Cookie"])
            #expect(cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict") && cookie.contains("Secure"))
            let session = Self.browser.merging(["Cookie": String(cookie.prefix { $0 != ";" })]) { $1 }
            let page = try await server.internalClient.get("/admin/feeds", session)
            #expect(page.status == 200 && page.text.contains("/admin/sign-out"))
            #expect(try await post("/admin/sign-out", type, "").status == 401, "there is no session to end")
            let elsewhere = session.merging(type) { $1 }.merging(["Sec-Fetch-Site": "cross-site"]) { $1 }
            #expect(try await post("/admin/sign-out", elsewhere, "").status == 403)
            let out = try await post("/admin/sign-out", session.merging(type) { $1 }, "")
            #expect(out.status == 303 && out["Location"] == "/admin/sign-in")
            #expect(try await server.internalClient.get("/admin/feeds", session).status == 303)
            #expect(
                server.stubs.store.lines.map(\.action).filter { $0.hasPrefix("session.") }.suffix(2) == [
                    "session.open", "session.close",
                ]
            )
        }
    }
}
