// An erasure that the server has not confirmed survives losses and the end of the app.

import Testing

@testable import ScoreClient

@Suite struct ErasureTests {
    private static func methods(_ requests: [ClientRequest]) -> [String] {
        requests.map { "\($0.method.rawValue) \($0.path)" }
    }

    @Test func anErasureSurvivesTheEndOfTheApp() {
        var rig = ClientRig(seed: 1)
        rig.launch()
        rig.feed(.followed(match: "m1", FollowChoices()))
        rig.settleOrFail()
        rig.feed(.erased)
        rig.crash()
        rig.delayed = []
        rig.settleOrFail()
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        #expect(rig.server.credentials.isEmpty && rig.credential == nil)
        #expect(rig.notices.contains(.erased))
        rig.feed(.described(ClientRig.device))
        rig.settleOrFail()
        #expect(rig.server.credentials.count == 1 && rig.server.follows.isEmpty, "a new device without follows")
    }

    @Test func aRegistrationWithoutAnAnswerIsRepeatedAndErased() throws {
        var rig = ClientRig(seed: 2)
        rig.launch()
        while let flight = rig.flight, flight.request.path != "/v1/devices" { rig.deliver() }
        let registration = try #require(rig.flight)
        _ = rig.server.answer(registration.request, at: rig.now.wall)
        rig.flight = nil
        rig.feed(.failed(id: registration.id, .timedOut))
        rig.feed(.erased)
        rig.crash()
        rig.settleOrFail()
        #expect(Self.methods(rig.sent).contains("DELETE /v1/devices/me"))
        #expect(rig.server.credentials.isEmpty, "the device that the lost answer made is erased")
    }

    @Test func aDeviceThatWasNeverRegisteredIsErasedAtOnce() {
        var rig = ClientRig(seed: 3)
        rig.feed(.launched)
        while rig.flight != nil { rig.deliver() }
        rig.feed(.erased)
        rig.settleOrFail()
        #expect(rig.notices.contains(.erased))
        #expect(!Self.methods(rig.sent).contains { $0.contains("/v1/devices") })
    }

    /// No push ends an activity on a channel, and an activity that stays would be reported by the next device.
    @Test(arguments: [204, 401]) func anErasureEndsTheActivities(status: Int) {
        var rig = ClientRig(seed: 4)
        rig.activities = [
            ObservedActivity(id: "x", matchID: "m", channelID: "c1"),
            ObservedActivity(id: "y", matchID: "n", token: "ab"),
        ]
        rig.launch()
        rig.settleOrFail()
        rig.feed(.erased)
        #expect(rig.hostActions.isEmpty)
        rig.answer(ClientResponse(status: status))
        #expect(rig.hostActions == [.endActivity(id: "x"), .endActivity(id: "y")])
    }

    @Test func anErasureWithoutADeviceEndsTheActivities() {
        var rig = ClientRig(seed: 5)
        rig.activities = [ObservedActivity(id: "x", matchID: "m", channelID: "c1")]
        rig.feed(.launched)
        while rig.flight != nil { rig.deliver() }
        rig.feed(.erased)
        #expect(rig.hostActions == [.endActivity(id: "x")])
    }

    @Test func anErasureRemovesTheSharedSnapshots() {
        var rig = ClientRig(seed: 6)
        rig.state = ClientState(record: ClientRecord(), sharesSurfaces: true)
        rig.launch()
        rig.feed(.followed(match: "m", FollowChoices(surfaces: [.widget])))
        rig.settleOrFail()
        rig.refreshes = []
        rig.feed(.erased)
        rig.answer(ClientResponse(status: 204))
        #expect(rig.refreshes == [[]])
    }
}
