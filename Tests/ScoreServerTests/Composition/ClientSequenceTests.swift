// One rule for the sequence numbers of a device, over the public API with the real store.

import FollowService
import Postgres
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct ClientSequenceTests {
    /// A resource with a change and another one; `SEQ` stands for the number.
    struct Resource: Sendable, CustomTestStringConvertible {
        let method: String
        let path: String
        let change: String
        let other: String

        var testDescription: String { "\(method) \(path)" }
    }

    private static let (first, second) = (String(repeating: "ab", count: 40), String(repeating: "cd", count: 40))
    private static let activity = """
        {"matchId":"ipl-final","token":"\(first)","apnsEnvironment":"sandbox",\
        "startedAtMs":1790000000000,"clientSeq":SEQ}
        """

    static let resources = [
        Resource(
            method: "PUT",
            path: "/v1/devices/me/push-tokens/alert",
            change: #"{"token":"\#(first)","apnsEnvironment":"sandbox","clientSeq":SEQ}"#,
            other: #"{"token":"\#(second)","apnsEnvironment":"sandbox","clientSeq":SEQ}"#
        ),
        Resource(
            method: "PUT",
            path: "/v1/devices/me/push-tokens/pushToStart",
            change: #"{"token":"\#(first)","apnsEnvironment":"sandbox","clientSeq":SEQ}"#,
            other: #"{"token":"\#(first)","apnsEnvironment":"production","clientSeq":SEQ}"#
        ),
        Resource(
            method: "PUT",
            path: "/v1/devices/me/follows/ipl-final",
            change: #"{"surfaces":{"alerts":["wicket"]},"clientSeq":SEQ}"#,
            other: #"{"surfaces":{"alerts":["result"]},"clientSeq":SEQ}"#
        ),
        Resource(
            method: "PUT",
            path: "/v1/devices/me/follows",
            change: #"{"follows":[{"matchId":"ipl-final"}],"clientSeq":SEQ}"#,
            other: #"{"follows":[{"matchId":"ipl-final"},{"matchId":"old-final"}],"clientSeq":SEQ}"#
        ),
        Resource(
            method: "PUT",
            path: "/v1/devices/me/activities/A-1",
            change: activity,
            other: activity.replacing(first, with: second)
        ),
        Resource(
            method: "PATCH",
            path: "/v1/devices/me",
            change: #"{"alertsEnabled":false,"clientSeq":SEQ}"#,
            other: #"{"quietHours":{"from":"22:30","until":"07:00"},"clientSeq":SEQ}"#
        ),
    ]

    @Test("C15: one rule holds for late changes of every resource", arguments: resources)
    func oneRuleHoldsForEveryResource(resource: Resource) async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            func send(_ body: String, _ sequence: String) async throws -> WireAnswer {
                let json = body.replacing("SEQ", with: sequence)
                return try await stores.client.send(resource.method, resource.path, phone, json: json)
            }
            for number in ["0", "-1", "9007199254740992", "9223372036854775807", "1.5"] {
                #expect(try await send(resource.change, number).status == 422, "\(number)")
            }
            let written = try await send(resource.change, "5")
            #expect(written.status < 300)
            let repeated = try await send(resource.change, "5")
            #expect(repeated.status == 200, "the same change is answered as before")
            for (body, number) in [(resource.other, "5"), (resource.change, "4"), (resource.other, "4")] {
                let refused = try await send(body, number)
                #expect(refused.status == 409 && refused.problem == "stale-client-sequence", "\(body) \(number)")
                #expect(refused.json["clientSeq"]?.int == 5)
            }
            #expect(try await send(resource.change, "5").status == 200, "nothing has changed")
            #expect(try await send(resource.other, "6").status < 300)
            #expect(try await send(resource.change, "5").status == 409)
            #expect(try await send(resource.change, "9007199254740991").status < 300)
        }
    }

    @Test(arguments: ["/v1/devices/me/push-tokens/alert", "/v1/devices/me/follows/ipl-final"])
    func aRemovalHasANumberOfItsOwn(path: String) async throws {
        let body =
            path.hasSuffix("alert")
            ? #"{"token":"\#(Self.first)","apnsEnvironment":"sandbox","clientSeq":5}"# : #"{"clientSeq":5}"#
        try await withStore { stores in
            let phone = try await stores.register()
            #expect(try await stores.client.send("PUT", path, phone, json: body).status == 201)
            func remove(_ sequence: String) async throws -> Int {
                try await stores.client.send("DELETE", "\(path)?clientSeq=\(sequence)", phone).status
            }
            let statuses = try await [
                remove("0"), remove("9007199254740992"), remove("4"), remove("5"), remove("6"), remove("6"),
            ]
            #expect(statuses == [400, 400, 409, 409, 204, 204])
            let late = body.replacing(":5}", with: ":6}")
            #expect(try await stores.client.send("PUT", path, phone, json: late).status == 409)
        }
    }

    @Test func aRejectedTokenIsNotAnotherChange() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let body = #"{"token":"\#(Self.first)","apnsEnvironment":"sandbox","clientSeq":5}"#
            let path = "/v1/devices/me/push-tokens/alert"
            #expect(try await stores.client.send("PUT", path, phone, json: body).status == 201)
            try await stores.pool.withConnection { try $0.script("update device set alert_token = null") }
            #expect(try await stores.client.send("PUT", path, phone, json: body).status == 200)
            #expect(try await stores.client.send("DELETE", path + "?clientSeq=5", phone).status == 409)
        }
    }

    @Test func aDismissalBeforeTheRegistrationIsKept() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let start = "/v1/devices/me/push-tokens/pushToStart"
            let token = #"{"token":"\#(Self.first)","apnsEnvironment":"sandbox","clientSeq":1}"#
            #expect(try await stores.client.send("PUT", start, phone, json: token).status == 201)
            let follow = "/v1/devices/me/follows/ipl-final"
            #expect(try await stores.client.send("PUT", follow, phone, json: #"{"clientSeq":2}"#).status == 201)
            let path = "/v1/devices/me/activities/A-1"
            #expect(try await stores.client.send("DELETE", path + "?clientSeq=4&reason=dismissed", phone).status == 204)
            for sequence in ["3", "5"] {
                let body = Self.activity.replacing("SEQ", with: sequence)
                let late = try await stores.client.send("PUT", path, phone, json: body)
                #expect(late.status == 409 && late.problem == "conflict", "it has ended")
            }
            #expect(try await stores.startCount() == 0, "nothing is started by push again")
            let rows = Statement("select count(*) from activity")
            #expect(try await stores.pool.query(rows) { try $0.int(0) } == [0])
            let another = Self.activity.replacing("SEQ", with: "6")
            let next = "/v1/devices/me/activities/A-2"
            #expect(try await stores.client.send("PUT", next, phone, json: another).status == 201)
        }
    }

    @Test func dismissalsBeforeTheRegistrationAreBounded() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            for number in 1...20 {
                let path = "/v1/devices/me/activities/A-\(number)?clientSeq=\(number)&reason=dismissed"
                #expect(try await stores.client.send("DELETE", path, phone).status == 204)
            }
            let kept = Statement("select count(*) from device, jsonb_object_keys(early_ends)")
            #expect(try await stores.pool.query(kept) { try $0.int(0) } == [16])
            let forgotten = Self.activity.replacing("SEQ", with: "30")
            let path = "/v1/devices/me/activities/A-"
            #expect(try await stores.client.send("PUT", path + "4", phone, json: forgotten).status == 201)
            #expect(try await stores.client.send("PUT", path + "5", phone, json: forgotten).status == 409)
        }
    }

    @Test func aFollowNamesTheTeamAsARequestMayNameIt() async throws {
        try await withStore { stores in
            let phone = try await stores.register()
            let path = "/v1/devices/me/follows/ipl-final"
            let put = try await stores.client.send("PUT", path, phone, json: #"{"teamIntent":"CSK","clientSeq":1}"#)
            #expect(put.status == 201)
            let team = try #require(put.json["teamIntent"]?.string)
            let list = try await stores.client.get("/v1/devices/me/follows", phone)
            #expect(list.json["items"]?.list.first?["teamIntent"]?.string == team)
            let again = #"{"teamIntent":"\#(team)","clientSeq":1}"#
            #expect(try await stores.client.send("PUT", path, phone, json: again).status == 200, "the same team")
            let none = try await stores.client.send("PUT", path, phone, json: #"{"clientSeq":2}"#)
            #expect(none.status == 200 && none.json["teamIntent"] == nil)
            let stale = try await stores.client.send("PUT", path, phone, json: again)
            #expect(stale.status == 409 && stale.json["current"]?["matchId"]?.string == "ipl-final")
        }
    }
}
