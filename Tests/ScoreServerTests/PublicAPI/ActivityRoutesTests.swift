// The registration of an activity returns a state to draw.

import MatchJournal
import MatchSamples
import Providers
import ScoreTypes
import Testing

@testable import FollowService
@testable import ScoreServer

@Suite struct ActivityRoutesTests {
    private static func stubs(
        _ device: (id: DeviceID, headers: [String: String], hash: @Sendable (DeviceID) async throws -> [UInt8]?)
    ) throws -> TestDependencies {
        var stubs = TestDependencies()
        stubs.matches.put(try Samples.view(7))
        stubs.devices.onHash = device.hash
        stubs.follows.onList = { _ in [] }
        return stubs
    }

    private static func channel(of match: MatchID, retired: Bool = false) throws -> ChannelRecord {
        ChannelRecord(
            match: match,
            environment: .sandbox,
            attributesType: "LiveActivityAttributes",
            profile: .loud,
            generation: 1,
            channel: try #require(ChannelID("dHN0LWNoYW5uZWw=")),
            createdAt: Instant(milliseconds: 0),
            retiredAt: retired ? Instant(milliseconds: 1) : nil
        )
    }

    @Test func registrationReturnsTheNewestState() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs(device)
        stubs.devices.onFind = { id in DeviceRecord(of: id, schemaVersion: 2) }
        let record = try Self.channel(of: Samples.match)
        stubs.channels.onFind = { channel, _ in channel == record.channel ? record : nil }
        stubs.activities.onRegister = { registration in
            #expect(registration.device == device.id)
            #expect(registration.knownRev == 5 && registration.startedBy == .app)
            #expect(registration.variant == .ownNewest, "the version that the device registered")
            guard case .channel(let channel) = registration.route else { return try unexpected("token") }
            #expect(channel.text == "dHN0LWNoYW5uZWw=")
            return .registered(generation: 2)
        }
        let view = try Samples.view(7)
        try await withServer(stubs) { server in
            let json = """
                {"matchId":"ipl-final","channelId":"dHN0LWNoYW5uZWw=","apnsEnvironment":"sandbox","startedAtMs":5,
                "lastAppliedRev":5,"clientSeq":1,"attributesType":"LiveActivityAttributes"}
                """
            let path = "/v1/devices/me/activities/A-1"
            let answer = try await server.publicClient.send("PUT", path, device.headers, json: json)
            #expect(answer.status == 200)
            #expect(answer.json["currentRev"]?.int == 7)
            #expect(answer.json["timestamp"]?.int == view.publication.apnsTimestamp)
            #expect(answer.json["contentState"]?.bytes == view.publication.contentState)
            let both = json.replacing(
                "\"clientSeq\"",
                with: "\"token\":\"\(String(repeating: "ab", count: 40))\",\"clientSeq\""
            )
            #expect(try await server.publicClient.send("PUT", path, device.headers, json: both).status == 422)
        }
    }

    @Test func anUnknownOrForeignChannelIsRefused() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs(device)
        let foreign = try Self.channel(of: Samples.finished)
        let retired = try Self.channel(of: Samples.match, retired: true)
        stubs.channels.onFind = { _, environment in environment == .production ? foreign : nil }
        let path = "/v1/devices/me/activities/A-1"
        @Sendable func report(
            _ server: TestServer,
            environment: String = "sandbox",
            type: String = ""
        ) async throws -> WireAnswer {
            let json = """
                {"matchId":"ipl-final","channelId":"dHN0LWNoYW5uZWw=","apnsEnvironment":"\(environment)",
                "startedAtMs":5,"clientSeq":1\(type)}
                """
            return try await server.publicClient.send("PUT", path, device.headers, json: json)
        }
        try await withServer(stubs) { server in
            for environment in ["sandbox", "production"] {
                let answer = try await report(server, environment: environment)
                #expect(answer.status == 422 && answer.problem == "validation-failed")
                #expect(answer.json["errors"]?.list.first?["pointer"]?.string == "/channelId")
            }
        }
        stubs.channels.onFind = { _, _ in retired }
        try await withServer(stubs) { server in
            let answer = try await report(server)
            #expect(answer.status == 409 && answer.problem == "conflict", "it is retired")
            let other = try await report(server, type: #","attributesType":"MobileSurfacesActivityAttributes""#)
            #expect(other.status == 422, "its activities decode another content state")
        }
    }

    @Test func thePhonesClockMayBeWrong() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs(device)
        stubs.devices.onFind = { id in DeviceRecord(of: id, schemaVersion: 2) }
        let now = stubs.clock.wall
        stubs.activities.onRegister = { registration in
            let age = now - registration.startedAt
            #expect(age > .seconds(30) && age <= .seconds(60))
            return .registered(generation: 1)
        }
        try await withServer(stubs) { server in
            for offset: Int64 in [-9 * 3_600_000, 0, 9 * 3_600_000] {
                let phone = now.milliseconds + offset
                let json = """
                    {"matchId":"ipl-final","token":"\(String(repeating: "ab", count: 40))","apnsEnvironment":"sandbox",
                    "startedAtMs":\(phone - 60_000),"sentAtMs":\(phone),"clientSeq":1}
                    """
                let path = "/v1/devices/me/activities/A-1"
                let answer = try await server.publicClient.send("PUT", path, device.headers, json: json)
                #expect(answer.status == 201)
            }
        }
    }

    @Test func endingAnActivityRequiresAKnownReason() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs(device)
        stubs.activities.onEnd = { end in
            #expect(end.activityID.text == "A-1" && end.reason == .dismissed && end.clientSequence == 4)
            return .ended
        }
        try await withServer(stubs) { server in
            let path = "/v1/devices/me/activities/A-1"
            let done = try await server.publicClient.send(
                "DELETE",
                path + "?clientSeq=4&reason=dismissed",
                device.headers
            )
            #expect(done.status == 204)
            let odd = try await server.publicClient.send("DELETE", path + "?clientSeq=4&reason=bored", device.headers)
            #expect(odd.status == 400)
        }
    }

    @Test func reconcileListsActivitiesToEndAndToUpdate() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs(device)
        stubs.activities.onReconcile = { reported in
            #expect(reported.count == 3)
            var outcome = ReconcileOutcome()
            outcome.end = [ActivityID(unchecked: "old")]
            return outcome
        }
        try await withServer(stubs) { server in
            let json = """
                {"activities":[{"activityId":"old","matchId":"ipl-final","lastAppliedRev":1},
                {"activityId":"behind","matchId":"ipl-final","lastAppliedRev":6,"state":"active"},
                {"activityId":"fresh","matchId":"ipl-final","lastAppliedRev":7}],"clientSeq":9}
                """
            let answer = try await server.publicClient.send(
                "POST",
                "/v1/devices/me/reconcile",
                device.headers,
                json: json
            )
            #expect(answer.status == 200)
            #expect(answer.json["end"]?.list == [.text("old")])
            #expect(answer.json["updates"]?.list.map { $0["activityId"]?.string } == ["behind"])
        }
    }

    @Test func reconcileEndsAnActivityOfARemovedMatch() async throws {
        let device = Samples.device()
        var stubs = try Self.stubs(device)
        stubs.activities.onReconcile = { _ in ReconcileOutcome() }
        stubs.matches.mark(MatchID(unchecked: "dropped"), removedAt: Instant(milliseconds: 1_772_380_000_000))
        try await withServer(stubs) { server in
            let json = """
                {"activities":[{"activityId":"gone","matchId":"dropped","lastAppliedRev":1},
                {"activityId":"behind","matchId":"ipl-final","lastAppliedRev":6}],"clientSeq":9}
                """
            let path = "/v1/devices/me/reconcile"
            let answer = try await server.publicClient.send("POST", path, device.headers, json: json)
            #expect(answer.status == 200)
            #expect(answer.json["end"]?.list == [.text("gone")])
            #expect(answer.json["updates"]?.list.map { $0["activityId"]?.string } == ["behind"])
        }
    }
}
