// The pages about people: a device that sends hostile texts breaks none of them.

import FollowService
import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct PeopleConsoleTests {
    private static let hostile = #"<img src=x onerror=alert(1)>\"'`{{x}}&\u202e\u2066\u0007"#

    private static func stubs() -> TestDependencies {
        var stubs = TestDependencies()
        let long = String(repeating: "9", count: 4_000)
        let profile =
            #"{"appBuild":"\#(long)","model":"\#(hostile)","osVersion":"\#(hostile)","timeZone":"\#(hostile)"}"#
        stubs.people.known = [StubPeople.id: .sample(profile: profile, activities: [.sample(), .sample(2, shown: 3)])]
        stubs.people.searched.next = 7
        stubs.people.listed = { _, _, _ in
            ActivityPage([.sample(3), .sample(4, accepted: 9, shown: 2)], next: nil)
        }
        let description = StreamDescription(
            id: StreamID(number: 5),
            matches: [Samples.match],
            mode: .state,
            age: .seconds(61),
            positions: StreamPositions(isSingle: true),
            unsentBytes: 12
        )
        var stream = StreamView(description, of: .device(StubPeople.id))
        stream.build = "<script>alert(1)</script>\u{202e}"
        stubs.streams.list = [stream, StreamView(description, of: .address(IPAddress("203.0.113.9")))]
        return stubs
    }

    @Test func aHostileDeviceBreaksNoPage() async throws {
        try await withServer(Self.stubs()) { server in
            let viewer = try await server.token(.viewer)
            let search = "%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E"
            for path in [
                "/admin/devices", "/admin/devices?q=\(search)", "/admin/devices?q=\(StubPeople.print)",
                "/admin/devices?q=\(StubPeople.id)", "/admin/devices/\(StubPeople.id)", "/admin/activities",
                "/admin/activities?state=all&match=ipl-final", "/admin/activities?device=\(StubPeople.id)",
                "/admin/streams", "/admin/streams?appBuild=\(search)", "/admin/streams?match=ipl-final",
            ] {
                let page = try await server.internalClient.get(path, viewer)
                #expect(page.status == 200, "\(path): \(page.text)")
                #expect(!page.text.contains("<img src=x") && !page.text.contains("<script>alert"), "\(path)")
                let scalars = page.text.unicodeScalars
                #expect(!scalars.contains { [0x202e, 0x2066, 0x7].contains($0.value) }, "\(path)")
                #expect(!page.text.contains("secret"), "\(path)")
            }
            let device = try await server.internalClient.get("/admin/devices/\(StubPeople.id)", viewer)
            #expect(device.text.contains("&lt;img src=x onerror=alert(1)&gt;"))
            #expect(!device.text.contains(String(repeating: "9", count: 201)), "a long build is cut")
            #expect(device.text.contains("/end-activity") && device.text.contains(#"data-method="DELETE""#))
            #expect(try await server.internalClient.get("/admin/devices/x", viewer).status == 404)
        }
    }

    @Test func anEmptyPageOfActivitiesOffersTheNextOne() async throws {
        var stubs = Self.stubs()
        let next = ActivityChoice.Cursor(device: StubPeople.id, match: Samples.match)
        stubs.people.listed = { _, _, _ in ActivityPage([], next: next) }
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            let page = try await server.internalClient.get("/admin/activities?state=ended&match=ipl-final", viewer)
            let query = "state=ended&amp;match=ipl-final&amp;after=\(StubPeople.id).ipl-final"
            #expect(page.text.contains(#"href="/admin/activities?\#(query)""#), "\(page.text)")
            #expect(page.text.contains("None of these activities fits.") && !page.text.contains("No activity fits."))
        }
    }

    @Test func aSearchContinuesAndAnOrderNamesItsStreams() async throws {
        try await withServer(Self.stubs()) { server in
            let viewer = try await server.token(.viewer)
            let found = try await server.internalClient.get("/admin/devices?q=\(StubPeople.print)", viewer)
            #expect(found.text.contains("/admin/devices/\(StubPeople.id)"))
            #expect(found.text.contains("/admin/devices?q=\(StubPeople.print)&amp;after=7"))
            let all = try await server.internalClient.get("/admin/streams", viewer)
            #expect(!all.text.contains("/streams/disconnect"), "all streams are never ended at once")
            #expect(all.text.contains("203.0.113.0/24") && !all.text.contains("203.0.113.9"))
            let chosen = try await server.internalClient.get("/admin/streams?match=ipl-final", viewer)
            #expect(chosen.text.contains("/streams/disconnect"))
            #expect(chosen.text.contains("&quot;filter&quot;:{&quot;match&quot;:&quot;ipl-final&quot;}"))
        }
    }
}
