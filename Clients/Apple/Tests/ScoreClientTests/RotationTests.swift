// Rotation of the credential while servers change: another server, an older one, and one that has forgotten it.

import Foundation
import Testing

@testable import ScoreClient

@Suite struct RotationTests {
    private static func rig() -> ClientRig {
        var rig = ClientRig(seed: 1)
        rig.server.hasRotation = true
        rig.launch()
        rig.feed(.followed(match: "a", FollowChoices()))
        rig.settleOrFail()
        rig.feed(.rotationRequested)
        return rig
    }

    /// The rotation reached a server; its answer is lost.
    private static func lostAnswer() -> ClientRig {
        var rig = Self.rig()
        guard let flight = rig.flight else { return rig }
        rig.flight = nil
        _ = rig.server.answer(flight.request, at: rig.now.wall)
        rig.feed(.failed(id: flight.id, .interrupted))
        return rig
    }

    @Test func theSameServerRepeatsItsAnswer() {
        var rig = Self.lostAnswer()
        rig.settleOrFail()
        #expect(rig.credential == "ssd1.rotated.0")
        #expect(rig.server.credentials.contains("ssd1.rotated.0"))
    }

    @Test func anotherServerRotatesOnceMoreWhileTheOldCredentialIsValid() {
        var rig = Self.lostAnswer()
        rig.server.forgetRotationKeys()
        rig.settleOrFail()
        rig.server.expireOldCredentials()
        rig.feed(.followed(match: "b", FollowChoices()))
        rig.settleOrFail()
        #expect(rig.server.follows["b"]?.body != nil)
        #expect(rig.sent.filter { $0.path == "/v1/devices" }.count == 1)
    }

    @Test func anExpiredCredentialLeadsToANewRegistrationWithEverything() {
        var rig = Self.lostAnswer()
        let key = rig.state.record.rotationKey
        rig.server.expireOldCredentials()
        rig.feed(.token(.alert, "abcd"))
        _ = rig.takeSent()
        rig.settleOrFail()
        let sent = rig.takeSent()
        #expect(sent.filter { $0.path.hasSuffix("/rotate") }.map { $0.headers["idempotency-key"] } == [key])
        #expect(sent.filter { $0.path == "/v1/devices" }.count == 1)
        #expect(rig.state.record.rotationKey == nil)
        #expect(rig.server.follows["a"]?.body != nil)
        #expect(rig.server.tokens["alert"]?.text == "abcd")
    }

    @Test func anOlderServerKeepsTheCredential() {
        var rig = Self.rig()
        let credential = rig.credential
        rig.server.hasRotation = false
        rig.settleOrFail()
        #expect(rig.credential == credential)
        #expect(rig.state.record.rotationKey == nil)
        rig.feed(.followed(match: "b", FollowChoices()))
        rig.settleOrFail()
        #expect(rig.server.follows["b"]?.body != nil)
    }

    @Test func aRotationInProgressIsRepeatedWithItsKey() {
        var rig = Self.rig()
        let key = rig.flight?.request.headers["idempotency-key"]
        let problem = #"{"type":"/v1/problems/idempotency-in-progress","retryAfterMs":2500}"#
        rig.answer(ClientResponse(status: 409, body: Data(problem.utf8)))
        #expect(rig.flight == nil)
        rig.pass(.seconds(2))
        #expect(rig.flight == nil)
        rig.pass(.seconds(1))
        #expect(rig.flight?.request.headers["idempotency-key"] == key)
    }

    @Test func aCredentialThatCannotBeStoredIsUsedAndStoredLater() {
        var rig = Self.rig()
        rig.isStoreLocked = true
        rig.deliver()
        #expect(rig.credential != "ssd1.rotated.0")
        rig.feed(.followed(match: "b", FollowChoices()))
        #expect(rig.flight?.request.headers["authorization"] == "Bearer ssd1.rotated.0")
        rig.isStoreLocked = false
        rig.feed(.enteredForeground)
        #expect(rig.credential == "ssd1.rotated.0")
    }

    @Test func anOldCredentialIsReplacedOnceAMonth() {
        var rig = Self.rig()
        rig.settleOrFail()
        for _ in 0..<3 {
            _ = rig.takeSent()
            rig.pass(.milliseconds(ClientLimits.credentialAge - 1000))
            rig.feed(.enteredForeground)
            rig.settleOrFail()
            let sent = rig.takeSent()
            #expect(sent.contains { $0.path.hasSuffix("/rotate") } == false)
            rig.pass(.seconds(2))
            rig.feed(.enteredForeground)
            rig.settleOrFail()
            let later = rig.takeSent()
            #expect(later.filter { $0.path.hasSuffix("/rotate") }.count == 1)
        }
    }

    /// The route fails for good: 500, or 501 of a server that does not have it.
    @Test(arguments: [500, 501, 503]) func aRotationThatFailsDelaysNoChange(status: Int) {
        var rig = Self.rig()
        let key = rig.flight?.request.headers["idempotency-key"]
        rig.feed(.followed(match: "b", FollowChoices()))
        var failures = 0
        for _ in 0..<200 where failures < 10 {
            if rig.flight?.request.path.hasSuffix("/rotate") == true {
                rig.answer(ClientResponse(status: status))
                failures += 1
            } else if rig.flight != nil {
                rig.deliver()
            } else {
                rig.pass(.seconds(5))
            }
            if failures == 2 { #expect(rig.server.follows["b"]?.body != nil, "the change precedes the repetition") }
        }
        #expect(rig.server.follows["b"]?.body != nil)
        #expect(failures == (status == 501 ? 1 : 10))
        rig.settleOrFail()
        #expect(rig.credential == "ssd1.rotated.0" || status == 501)
        let keys = rig.sent.filter { $0.path.hasSuffix("/rotate") }.map { $0.headers["idempotency-key"] }
        #expect(Set(keys) == [key], "a repetition has the same key")
    }
}
