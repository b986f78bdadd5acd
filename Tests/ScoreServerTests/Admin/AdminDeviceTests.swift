// Operators find devices and list activities; no answer has a token, a secret or an id of ActivityKit.

import FollowService
import LiveActivities
import MatchSamples
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct AdminDeviceTests {
    private static let api = "/admin/api/v1"

    @Test func aDeviceIsFoundByItsIDAndByAFingerprint() async throws {
        var stubs = TestDependencies()
        stubs.people.known = [StubPeople.id: .sample()]
        stubs.people.searched.next = 512
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            func find(_ query: String) async throws -> WireAnswer {
                try await server.internalClient.get(Self.api + "/devices?" + query, viewer)
            }
            let byID = try await find("id=\(StubPeople.id)")
            #expect(byID.json["items"]?.list.map { $0["device"]?.string } == [StubPeople.id.description])
            #expect(try await find("id=00000000-0000-4000-8000-000000000000").json["items"]?.list == [])
            let found = try await find("fingerprint=\(StubPeople.print.uppercased())")
            #expect(found.json["items"]?.list.first?["kind"]?.string == "alert")
            #expect(found.json["nextAfter"]?.int == 512)
            for wrong in [
                "", "id=x", "fingerprint=0123", "fingerprint=0123456789ag", "fingerprint=0123456789ab&after=1024",
            ] {
                #expect(try await find(wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test func anActivityIsShownWithFingerprintsOnly() async throws {
        var stubs = TestDependencies()
        stubs.people.known = [StubPeople.id: .sample(activities: [.sample(accepted: 9, shown: 4)])]
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            let answer = try await server.internalClient.get(Self.api + "/devices/\(StubPeople.id)", viewer)
            let activity = try #require(answer.json["activities"]?.list.first)
            #expect(activity["accepted"]?.int == 9 && activity["confirmed"]?.int == 4 && activity["lag"]?.int == 5)
            #expect(activity["token"]?.string == "039058c6f2c0" && !answer.text.contains("secret"))
            #expect(answer.json["appBuild"]?.string == "42" && answer.json["lastReceiptAt"]?.string != nil)
            #expect(try await server.internalClient.get(Self.api + "/devices/x", viewer).status == 404)
        }
    }

    @Test func activitiesAreChosenByLagOverSeveralPages() async throws {
        var stubs = TestDependencies()
        let all = (1...10).map { ActivityView.sample(UInt64($0), accepted: 20, shown: $0.isMultiple(of: 3) ? 5 : 20) }
        stubs.people.listed = { choice, cursor, limit in
            #expect(choice == ActivityChoice(.match(Samples.match), state: .active))
            let rest = all.drop { view in cursor.map { view.activity.device.low <= $0.device.low } ?? false }
            let page = Array(rest.prefix(limit))
            return ActivityPage(page, next: page.count < limit ? nil : page.last?.cursor)
        }
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            func page(_ query: String) async throws -> WireAnswer {
                let path = Self.api + "/activities?match=ipl-final&state=active&"
                return try await server.internalClient.get(path + query, viewer)
            }
            func numbers(_ answer: WireAnswer) -> [String] {
                (answer.json["items"]?.list ?? []).compactMap { $0["device"]?.string.map { String($0.suffix(2)) } }
            }
            let first = try await page("confirmedLagGt=10&limit=2")
            #expect(numbers(first) == ["03", "06"])
            let after = try #require(first.json["nextAfter"]?.string)
            let second = try await page("confirmedLagGt=10&limit=2&after=\(after)")
            #expect(numbers(second) == ["09"] && second.json["nextAfter"] == nil)
            #expect(numbers(try await page("confirmedLagGt=15&limit=200")) == [])
            let plain = try await page("limit=4")
            #expect(numbers(plain) == ["01", "02", "03", "04"])
            #expect(plain.json["nextAfter"]?.string == "00000000-0000-0001-0000-000000000004.ipl-final")
            for wrong in ["after=x", "limit=201", "confirmedLagGt=-1"] {
                #expect(try await page(wrong).status == 400, "\(wrong)")
            }
        }
    }

    @Test func aListNeedsASubject() throws {
        let device = StubPeople.id
        let cases: [(String, ActivityList.Subject?)] = [
            ("", .stuck(nil, after: "")), ("match=m", .stuck(MatchID(unchecked: "m"), after: "")),
            ("state=stuck&after=ab", .stuck(nil, after: "ab")),
            ("match=m&state=all", .listed(ActivityChoice(.match(MatchID(unchecked: "m"))), after: nil)),
            ("match=m&confirmedLagGt=3", .listed(ActivityChoice(.match(MatchID(unchecked: "m"))), after: nil)),
            ("device=\(device)", .listed(ActivityChoice(.device(device)), after: nil)),
            ("state=ending", .listed(ActivityChoice(.ending, state: .ending), after: nil)),
            ("state=active", nil), ("state=happy&match=m", nil), ("device=\(device)&state=stuck", nil),
            ("device=x", nil), ("match=x%20y", nil),
        ]
        for (query, subject) in cases {
            #expect((try? ActivityList(QueryFields(query)))?.subject == subject, "\(query)")
        }
    }
}
