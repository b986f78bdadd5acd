// Registration and rotation survive an interruption at each of their steps; after a 409 the newer change remains.

import Foundation
import Testing

@testable import ScoreClient

@Suite struct CredentialTests {
    /// Runs to the n-th request, loses it, ends the app, and starts it again.
    @Test(arguments: 0..<8) func aRegistrationSurvivesAnEndAtEachRequest(step: Int) {
        for isAnswered in [false, true] {
            var rig = ClientRig(seed: UInt64(step))
            rig.launch()
            rig.feed(.followed(match: "a", FollowChoices()))
            for _ in 0..<step { rig.deliver() }
            if isAnswered, let flight = rig.flight { _ = rig.server.answer(flight.request, at: rig.now.wall) }
            rig.crash()
            rig.settleOrFail()
            #expect(rig.server.credentials.count == 1)
            #expect(rig.server.follows["a"]?.body != nil)
        }
    }

    @Test func theAppMayEndBetweenCredentialAndRecord() {
        var rig = ClientRig(seed: 1)
        rig.launch()
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.deliver()
        let before = rig.stored
        rig.deliver()
        rig.stored = before
        rig.crash()
        rig.settleOrFail()
        #expect(rig.server.credentials.count == 1)
        #expect(rig.server.follows["a"]?.body != nil)
    }

    @Test func aLockedStoreMakesNoSecondDevice() {
        var rig = ClientRig(seed: 2)
        rig.launch()
        rig.settleOrFail()
        rig.isStoreLocked = true
        rig.crash()
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.isStoreLocked = false
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        #expect(rig.server.credentials.count == 1)
        #expect(rig.server.follows["a"]?.body != nil)
    }

    /// The rotation's request is lost, or the app ends, before or after the server has changed the credential.
    @Test(arguments: [false, true], [false, true]) func aRotationRepeatsItsKey(isApplied: Bool, crashes: Bool) {
        var rig = ClientRig(seed: 3)
        rig.launch()
        rig.settleOrFail()
        rig.feed(.rotationRequested)
        let first = rig.flight?.request
        #expect(first?.path == "/v1/devices/me/credential/rotate")
        if crashes { rig.crash() } else { rig.lose() }
        for _ in 0..<8 where rig.flight?.request.path != first?.path {
            if rig.flight == nil { rig.pass(.seconds(2)) } else { rig.deliver() }
        }
        #expect(rig.flight?.request.headers["idempotency-key"] == first?.headers["idempotency-key"])
        rig.answer(ClientResponse(status: 200, body: Data("{\"credential\":\"ssd1.new\"}".utf8)))
        #expect(rig.credential == "ssd1.new")
        #expect(rig.state.record.rotationKey == nil)
        if isApplied { rig.feed(.followed(match: "a", FollowChoices())) }
        if isApplied { #expect(rig.flight?.request.headers["authorization"] == "Bearer ssd1.new") }
    }

    @Test func aServerWithoutRotationIsLeftAlone() {
        var rig = ClientRig(seed: 4)
        rig.launch()
        rig.settleOrFail()
        rig.feed(.rotationRequested)
        rig.settleOrFail()
        #expect(rig.sent.filter { $0.path.hasSuffix("rotate") }.count == 1)
    }

    @Test func aGreaterNumberOfAFormerInstallationIsExceeded() {
        var rig = ClientRig(seed: 5)
        rig.launch()
        rig.settleOrFail()
        rig.server.store("a", sequence: rig.now.wall + 1_000_000_000, changedAt: rig.now.wall - 5)
        rig.feed(.followed(match: "a", FollowChoices(moments: [.result])))
        rig.settleOrFail()
        #expect(rig.state.record.follows["a"]?.choices.moments == [.result])
        #expect(rig.server.follows["a"]?.sequence ?? 0 > rig.now.wall + 1_000_000_000)
    }

    @Test func aNewerFollowOfTheServerIsKept() {
        var rig = ClientRig(seed: 6)
        rig.launch()
        rig.settleOrFail()
        rig.server.store("a", sequence: rig.now.wall + 1_000_000_000, changedAt: rig.now.wall + 60_000)
        rig.feed(.followed(match: "a", FollowChoices(moments: [.result])))
        rig.settleOrFail()
        #expect(rig.state.record.follows["a"]?.choices == FollowChoices())
    }

    @Test func aNumberThatCannotBeExceededLeadsToANewDevice() {
        var rig = ClientRig(seed: 7)
        rig.launch()
        rig.settleOrFail()
        rig.server.store("a", sequence: .max, changedAt: 0)
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.deliver()
        #expect(rig.credential == nil)
        rig.server.forgetDevice()
        rig.settleOrFail()
        #expect(rig.server.follows["a"]?.body != nil)
    }

    /// The follow is in progress when the person ends it, and is answered with 401: the unfollow waits behind it.
    ///
    /// A registration must keep both changes or none; with the follow alone the new device follows the match.
    @Test func aRegistrationKeepsAnUnfollowBehindItsFollow() {
        var rig = ClientRig(seed: 9)
        rig.launch()
        rig.settleOrFail()
        rig.server.forgetDevice()
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.feed(.unfollowed(match: "a"))
        rig.settleOrFail()
        #expect(rig.server.credentials.count == 1)
        #expect(rig.server.follows["a"]?.body == nil)
        #expect(rig.state.record.follows.isEmpty)
    }

    /// An operator blocks the device for some hours: it makes no second device, and loses no change.
    @Test func aBlockedDeviceKeepsItsCredentialAndItsChanges() {
        var rig = ClientRig(seed: 12)
        rig.launch()
        rig.settleOrFail()
        let credential = rig.credential
        rig.feed(.followed(match: "a", FollowChoices()))
        let body = #"{"type":"/v1/problems/device-blocked","status":403}"#
        for _ in 0..<3 {
            rig.answer(ClientResponse(status: 403, headers: ["retry-after": "3600"], body: Data(body.utf8)))
            #expect(rig.flight == nil && rig.wake.map { $0 - rig.now.uptime >= .seconds(3600) } == true)
            rig.pass(.seconds(3601))
            #expect(rig.flight?.request.path == "/v1/devices/me/follows/a")
        }
        rig.settleOrFail()
        #expect(rig.credential == credential && rig.server.credentials.count == 1)
        #expect(rig.server.follows["a"]?.body != nil)
    }

    @Test func aRegistrationKeepsTheRemovalOfATokenBehindTheToken() {
        var rig = ClientRig(seed: 10)
        rig.launch()
        rig.settleOrFail()
        rig.server.forgetDevice()
        rig.feed(.token(.alert, "abcd"))
        rig.feed(.token(.alert, nil))
        rig.settleOrFail()
        #expect(rig.server.tokens["alert"]?.text == nil)
    }

    /// A repetition of the registration arrives after the device was erased: its credential is a new one.
    @Test func aLateRegistrationDoesNotReviveAnErasedDevice() throws {
        var rig = ClientRig(seed: 11)
        rig.launch()
        rig.deliver()
        let registration = try #require(rig.flight?.request)
        #expect(registration.path == "/v1/devices")
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.settleOrFail()
        rig.server.forgetDevice()
        _ = rig.server.answer(registration, at: rig.now.wall)
        rig.feed(.enteredForeground)
        rig.settleOrFail()
        #expect(rig.server.follows["a"]?.body != nil)
        #expect(rig.state.record.follows["a"] != nil)
    }

    @Test func anErasedDeviceSendsNothingMore() {
        var rig = ClientRig(seed: 8)
        rig.launch()
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.settleOrFail()
        rig.feed(.erased)
        rig.answer(ClientResponse(status: 204))
        #expect(rig.credential == nil)
        #expect(rig.state.record.follows.isEmpty)
        #expect(rig.flight == nil)
    }

    @Test func fingerprintsAreThoseOfTheServer() {
        let empty = SHA256Sum.bytes(of: [])
        #expect(empty.prefix(4) == [0xe3, 0xb0, 0xc4, 0x42])
        #expect(SHA256Sum.bytes(of: Array("abc".utf8)).prefix(4) == [0xba, 0x78, 0x16, 0xbf])
        #expect(TokenFingerprint.text(of: "616263") == "ba7816bf8f01")
        #expect(TokenFingerprint.text(of: "61626") == nil)
    }
}
