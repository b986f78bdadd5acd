// A day of faults is the same for every reader of its script or its seed.

import Foundation
import HTTP2
import ScoreTypes
import Testing

@testable import Simulators

@Suite(.timeLimit(.minutes(1)))
struct ScriptTests {
    @Test func theFirstMatchingRuleDecides() throws {
        let script = try APNsScript(
            json: Array(
                #"""
                {"rules": [
                  {"do": "answer", "status": 410, "reason": "Unregistered", "deadSinceMs": 5, "token": "00ff"},
                  {"do": "goAway", "at": 7},
                  {"do": "delay", "milliseconds": 20, "every": 5, "alert": false},
                  {"do": "refuse", "from": 20, "through": 21, "broadcast": true},
                  {"do": "cut", "priority": 10, "from": 30},
                  {"do": "cutAfter", "at": 41}, {"do": "silenceAfter", "at": 42},
                  {"do": "deliverLater", "milliseconds": 5, "at": 43}
                ]}
                """#.utf8
            )
        )
        #expect(script.interference(with: arrival(1)) == nil)
        #expect(script.interference(with: arrival(7)) == .goAway)
        #expect(script.interference(with: arrival(10)) == .delay(.milliseconds(20)))
        #expect(script.interference(with: arrival(10, hasAlert: true)) == nil)
        #expect(script.interference(with: arrival(21)) == nil)
        #expect(script.interference(with: arrival(21, isBroadcast: true)) == .refuse)
        #expect(script.interference(with: arrival(22, isBroadcast: true)) == nil)
        #expect(script.interference(with: arrival(31, priority: 10)) == .cut)
        #expect(script.interference(with: arrival(41)) == .cutAfter)
        #expect(script.interference(with: arrival(42)) == .silenceAfter)
        #expect(script.interference(with: arrival(43)) == .deliverLater(.milliseconds(5)))
        let dead = APNsInterference.answer(status: 410, reason: "Unregistered", deadSince: 5)
        #expect(script.interference(with: arrival(7, token: [0, 255, 1])) == dead)
    }

    @Test(arguments: [
        ("[]", "rules"), (#"{"rules":[{"do":"explode"}]}"#, "rule 1"),
        (#"{"rules":[{"do":"cut"},{"do":"answer","status":99,"reason":"x"}]}"#, "rule 2"),
        (#"{"rules":[{"do":"delay"}]}"#, "milliseconds"), (#"{"rules":[{"do":"cut","share":2}]}"#, "share"),
        (#"{"rules":[{"do":"cut","token":"0g"}]}"#, "token"),
    ])
    func scriptErrorsNameTheExpectedValue(text: String, word: String) {
        let error = #expect(throws: APNsScriptError.self) { try APNsScript(json: Array(text.utf8)) }
        #expect(error?.description.contains(word) == true)
    }

    @Test func aSeedRepeatsTheDay() {
        for seed in UInt64(1)...50 {
            let (one, two) = (APNsScript.drawn(from: seed), APNsScript.drawn(from: seed))
            #expect(one == two)
            for number in UInt64(1)...200 {
                #expect(one.interference(with: arrival(number)) == two.interference(with: arrival(number)))
            }
        }
        #expect(APNsScript.drawn(from: 1) != APNsScript.drawn(from: 2))
    }

    @Test func aShareAppliesAboutAsOften() {
        let script = APNsScript(rules: [APNsScriptRule(act: .refuse, share: 0.1)], seed: 3)
        let met = (UInt64(1)...10_000).count { script.interference(with: arrival($0)) != nil }
        #expect((850...1150).contains(met))
    }

    @Test func theSinkAnswersEveryRequest() async throws {
        let identity = try TLSIdentity.selfSigned(commonName: "sink", addresses: ["127.0.0.1"])
        let sink = try await APNsSink.start(identity: identity)
        let loop = EventLoop(name: "provider")
        let post = await ApplePost(port: sink.port, certificate: identity.certificatePEM, on: loop)
        let body = [UInt8](repeating: UInt8(ascii: "x"), count: 4_000)
        for _ in 0..<50 {
            let answer = await post.send(AppleRequest(path: "/3/device/00", headers: [], body: body))
            #expect(answer.status == 200)
        }
        #expect(sink.answered == 50)
        await sink.stop()
        loop.stop()
    }

    @Test func unknownTokensCreateAPhone() async throws {
        let rig = try await AppleRig { $0.takesUnknownTokens = true }
        let token = try AppleRig.token(9)
        let jwt = rig.jwt()
        #expect(await rig.post.send(rig.push(to: token, jwt: jwt)).status == 200)
        #expect(rig.simulator.statistics.accepted == 1)
        let alert = rig.push(to: token, jwt: jwt).with("apns-topic", AppleRig.bundle).with("apns-push-type", "alert")
        #expect(await rig.post.send(alert).status == 200)
        await rig.stop()
    }

    private func arrival(
        _ number: UInt64,
        token: [UInt8] = [1, 2],
        isBroadcast: Bool = false,
        priority: Int = 5,
        hasAlert: Bool = false
    ) -> APNsArrival {
        APNsArrival(
            number: number,
            connection: 1,
            isBroadcast: isBroadcast,
            recipient: token,
            priority: priority,
            hasAlert: hasAlert,
            revision: nil
        )
    }
}
