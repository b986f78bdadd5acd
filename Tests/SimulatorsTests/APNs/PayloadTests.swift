// Apple answers 200 to payloads that no phone shows; the simulator reports them.

import Simulators
import Testing

@Suite(.timeLimit(.minutes(1)))
struct PayloadTests {
    private static let start = #"""
        {"aps":{"timestamp":1780000000,"event":"start","content-state":{"rev":1},"attributes-type":"A",
        "attributes":{"matchId":"m"},"alert":{"title":"MI v CSK"}}}
        """#

    @Test(arguments: [
        (#"{"aps":1}"#, "no JSON object with aps"),
        ("[]", "no JSON object with aps"),
        ("{", "no JSON object with aps"),
        (#"{"aps":{}}"#, "neither event nor alert"),
        (#"{"aps":{"event":"stop"}}"#, "unknown event"),
        (#"{"aps":{"event":"alert"}}"#, "unknown event"),
        (#"{"aps":{"event":"update","content-state":{}}}"#, "timestamp is not in seconds"),
        (AppleRig.update(revision: 1).replacing("1780000000", with: "1780000000.5"), "timestamp is not in seconds"),
        (AppleRig.update(revision: 1).replacing("1780000000", with: "1780000000000"), "timestamp is not in seconds"),
        (
            AppleRig.update(revision: 1).replacing("1780000000", with: #""1780000000""#),
            "timestamp is not in seconds"
        ),
        (AppleRig.update(revision: 1, timestamp: AppleRig.now + 8 * 3600 + 1), "timestamp too far ahead"),
        (#"{"aps":{"event":"update","timestamp":1780000000}}"#, "no content-state"),
        (#"{"aps":{"event":"update","timestamp":1780000000,"content-state":[]}}"#, "no content-state"),
        (
            #"{"aps":{"event":"update","timestamp":1780000000,"content-state":{},"dismissal-date":1}}"#,
            "dismissal-date without end"
        ),
        (
            #"{"aps":{"event":"update","timestamp":1780000000,"content-state":{},"stale-date":"x"}}"#,
            "stale-date is no whole number"
        ),
    ])
    func anUpdateThatNoPhoneShowsIsAcceptedAndDropped(body: String, trap: String) async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        #expect(await rig.post.send(rig.push(to: token, jwt: rig.jwt(), body: body)).status == 200)
        #expect(rig.simulator.statistics.traps == [trap: 1])
        #expect(inbox.all.isEmpty)
        await rig.stop()
    }

    @Test(arguments: [
        (#""attributes-type":"A","#, "start without attributes-type"),
        (#""attributes":{"matchId":"m"},"#, "start without attributes"),
        (#","alert":{"title":"MI v CSK"}"#, "start without alert"),
    ])
    func aStartRequiresAllItsParts(part: String, trap: String) async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1, .pushToStart)
        let whole = Self.start.replacing("\n", with: "")
        let jwt = rig.jwt()
        #expect(await rig.post.send(rig.push(to: token, jwt: jwt, body: whole.replacing(part, with: ""))).status == 200)
        #expect(rig.simulator.statistics.traps == [trap: 1])
        #expect(inbox.all.isEmpty)
        #expect(await rig.post.send(rig.push(to: token, jwt: jwt, body: whole)).status == 200)
        #expect(inbox.all.map(\.event) == [.start])
        #expect(inbox.all.first?.hasAlert == true)
        await rig.stop()
    }

    @Test func aPassiveNotificationIsNoAlert() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1, .alert)
        let jwt = rig.jwt()
        for level in ["active", "passive"] {
            let body = #"{"aps":{"alert":{"title":"Wicket!"},"sound":"default","interruption-level":"\#(level)"}}"#
            let push = rig.push(to: token, jwt: jwt, body: body)
                .with("apns-topic", AppleRig.bundle).with("apns-push-type", "alert")
            #expect(await rig.post.send(push).status == 200)
        }
        #expect(inbox.all.map(\.event) == [.alert, .alert])
        #expect(inbox.all.map(\.hasAlert) == [true, false])
        #expect(rig.simulator.statistics.acceptedWithAlert == 1)
        await rig.stop()
    }

    @Test func anEndWithADismissalDateIsAccepted() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        let body =
            #"{"aps":{"event":"end","timestamp":1780000000,"content-state":{"rev":9},"dismissal-date":1780014400}}"#
        #expect(await rig.post.send(rig.push(to: token, jwt: rig.jwt(), body: body)).status == 200)
        #expect(inbox.all.map(\.event) == [.end])
        #expect(rig.simulator.statistics.traps.isEmpty)
        await rig.stop()
    }
}
