// Each rule of a push to a token, broken one at a time.

import ScoreTypes
import Simulators
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct DevicePushTests {
    @Test func aValidPushIsDelivered() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        let answer = await rig.post.send(rig.push(to: token, jwt: rig.jwt(), body: AppleRig.update(revision: 7)))
        #expect(answer.status == 200)
        #expect(answer.body.isEmpty)
        #expect(answer.headers["apns-id"] == AppleRig.id)
        let push = try #require(inbox.all.first)
        #expect(push.event == .update)
        #expect(push.timestamp == AppleRig.now)
        #expect(push.revision == 7)
        #expect(push.priority == 5)
        #expect(!push.hasAlert)
        #expect(push.channel == nil)
        #expect(push.body == Array(AppleRig.update(revision: 7).utf8))
        await rig.stop()
    }

    static let spoilt: [(String, @Sendable (AppleRequest) -> AppleRequest, Int, String)] = [
        ("method", { $0.with("x", nil).method("GET") }, 405, "MethodNotAllowed"),
        ("path", { $0.path("/3/devices/00") }, 404, "BadPath"),
        ("no token", { $0.path("/3/device/") }, 400, "MissingDeviceToken"),
        ("no provider token", { $0.with("authorization", nil) }, 403, "MissingProviderToken"),
        ("garbage for a provider token", { $0.with("authorization", "bearer a.b.c") }, 403, "InvalidProviderToken"),
        ("id in capitals", { $0.with("apns-id", AppleRig.id.uppercased() + "A") }, 400, "BadMessageId"),
        ("no topic", { $0.with("apns-topic", nil) }, 400, "MissingTopic"),
        ("bare topic", { $0.with("apns-topic", AppleRig.bundle) }, 400, "TopicDisallowed"),
        ("other topic", { $0.with("apns-topic", "x.push-type.liveactivity") }, 400, "TopicDisallowed"),
        ("push type", { $0.with("apns-push-type", "LiveActivity") }, 400, "InvalidPushType"),
        ("no push type", { $0.with("apns-push-type", nil) }, 400, "InvalidPushType"),
        ("priority", { $0.with("apns-priority", "7") }, 400, "BadPriority"),
        ("priority text", { $0.with("apns-priority", "high") }, 400, "BadPriority"),
        ("expiration", { $0.with("apns-expiration", "soon") }, 400, "BadExpirationDate"),
        ("collapse id", { $0.with("apns-collapse-id", String(repeating: "x", count: 65)) }, 400, "BadCollapseId"),
        ("no payload", { $0.body("") }, 400, "PayloadEmpty"),
        ("payload", { $0.body(String(repeating: "x", count: 4097)) }, 413, "PayloadTooLarge"),
        ("large payload", { $0.body(String(repeating: "x", count: 40_000)) }, 413, "PayloadTooLarge"),
        ("twice the priority", { $0.adding("apns-priority", "5") }, 400, "DuplicateHeaders"),
        ("unknown token", { $0.path("/3/device/" + String(repeating: "ab", count: 32)) }, 400, "BadDeviceToken"),
        ("no hexadecimal token", { $0.path("/3/device/xyz") }, 400, "BadDeviceToken"),
    ]

    @Test func eachBrokenRuleHasItsReason() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        for (name, spoil, status, reason) in Self.spoilt {
            let answer = await rig.post.send(spoil(right))
            #expect(answer.status == status, "\(name)")
            #expect(answer.reason == reason, "\(name)")
        }
        #expect(inbox.all.isEmpty)
        #expect(rig.simulator.statistics.refused.values.reduce(0, +) == Self.spoilt.count)
        #expect(await rig.post.send(right).status == 200)
        await rig.stop()
    }

    @Test func pushesAtTheLimitsAreAccepted() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let right = rig.push(to: token, jwt: rig.jwt())
        let padding = String(repeating: "x", count: 4096 - AppleRig.update(revision: 1).utf8.count - 9)
        let full = AppleRig.update(revision: 1).dropLast() + #","pad":"\#(padding)"}"#
        let requests = [
            right.body(String(full)), right.with("apns-priority", nil), right.with("apns-priority", "1"),
            right.with("apns-expiration", nil), right.with("apns-expiration", "1780000900"),
            right.with("apns-collapse-id", String(repeating: "x", count: 64)), right.with("apns-id", nil),
            right.path(right.path.uppercased().replacing("/3/DEVICE", with: "/3/device")),
        ]
        for request in requests {
            let answer = await rig.post.send(request)
            #expect(answer.status == 200)
            #expect(answer.headers["apns-id"]?.count == 36)
        }
        #expect(full.utf8.count == 4096)
        await rig.stop()
    }

    @Test func aDeadTokenIsReportedWithItsTime() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        let request = rig.push(to: token, jwt: rig.jwt())
        rig.simulator.unregister(token: token, at: Instant(milliseconds: 1_779_999_999_123))
        let answer = await rig.post.send(request)
        #expect(answer.status == 410)
        #expect(answer.body == #"{"reason":"Unregistered","timestamp":1779999999123}"#)
        _ = try rig.phone(1)
        #expect(await rig.post.send(request).status == 200)
        #expect(inbox.all.isEmpty)
        await rig.stop()
    }

    @Test func tooManyPushesOfAMinuteAreRefused() async throws {
        let rig = try await AppleRig { $0.pushesPerMinute = 3 }
        let (token, inbox) = try rig.phone(1)
        let (other, _) = try rig.phone(2)
        let jwt = rig.jwt()
        for _ in 1...3 { #expect(await rig.post.send(rig.push(to: token, jwt: jwt)).status == 200) }
        let refused = await rig.post.send(rig.push(to: token, jwt: jwt))
        #expect(refused.status == 429 && refused.reason == "TooManyRequests")
        #expect(inbox.all.count == 3)
        #expect(await rig.post.send(rig.push(to: other, jwt: jwt)).status == 200, "the rule is that of one token")
        rig.time.advance(by: .seconds(60))
        #expect(await rig.post.send(rig.push(to: token, jwt: jwt)).status == 200)
        await rig.stop()
    }

    @Test func alertsAreCountedByToken() async throws {
        let rig = try await AppleRig()
        let (token, _) = try rig.phone(1)
        let (other, _) = try rig.phone(2)
        let jwt = rig.jwt()
        let alert = AppleRig.update(revision: 1).replacing(
            #""event""#,
            with: #""alert":{"title":"Wicket!"},"event""#
        )
        #expect(await rig.post.send(rig.push(to: token, jwt: jwt, body: alert)).status == 200)
        #expect(rig.simulator.alertsAccepted(for: [token, other]) == [0, 0], "nothing is counted yet")
        rig.simulator.countAlerts()
        for body in [alert, alert, AppleRig.update(revision: 2)] {
            #expect(await rig.post.send(rig.push(to: token, jwt: jwt, body: body)).status == 200)
        }
        #expect(rig.simulator.alertsAccepted(for: [token, other]) == [2, 0])
        rig.simulator.countAlerts()
        #expect(rig.simulator.alertsAccepted(for: [token, other]) == [0, 0])
        await rig.stop()
    }

    @Test func aLaterPushMayOvertakeOne() async throws {
        let rig = try await AppleRig()
        let (token, inbox) = try rig.phone(1)
        await rig.simulator.interfere { $0.revision == 1 ? .deliverLater(.milliseconds(500)) : nil }
        let jwt = rig.jwt()
        for revision in 1...2 {
            let body = AppleRig.update(revision: revision)
            #expect(await rig.post.send(rig.push(to: token, jwt: jwt, body: body)).status == 200)
        }
        try await eventually("both have arrived") { inbox.all.count == 2 }
        #expect(inbox.all.map(\.revision) == [2, 1])
        await rig.stop()
    }

    @Test func kindsOfTokensAreDistinguished() async throws {
        let rig = try await AppleRig()
        let (activity, activityInbox) = try rig.phone(1)
        let (alert, alertInbox) = try rig.phone(2, .alert)
        let (start, startInbox) = try rig.phone(3, .pushToStart)
        let jwt = rig.jwt()
        #expect(await rig.post.send(rig.push(to: alert, jwt: jwt)).reason == "DeviceTokenNotForTopic")
        let notification = rig.push(to: activity, jwt: jwt, body: #"{"aps":{"alert":{"title":"Out"}}}"#)
            .with("apns-topic", AppleRig.bundle).with("apns-push-type", "alert")
        #expect(await rig.post.send(notification).reason == "DeviceTokenNotForTopic")
        #expect(await rig.post.send(notification.path("/3/device/" + alert.hexForPath)).status == 200)
        // Accepted by Apple, and nothing happens on the phone.
        #expect(await rig.post.send(rig.push(to: start, jwt: jwt)).status == 200)
        #expect(activityInbox.all.isEmpty)
        #expect(startInbox.all.isEmpty)
        #expect(alertInbox.all.map(\.event) == [.alert])
        #expect(rig.simulator.statistics.traps == ["event for another kind of token": 1])
        await rig.stop()
    }

    @Test func pushesForWidgetsHaveTheirOwnTypeTopicAndToken() async throws {
        let rig = try await AppleRig()
        let (widget, inbox) = try rig.phone(1, .widget)
        let (alert, alertInbox) = try rig.phone(2, .alert)
        let body = #"{"aps":{"content-changed":true}}"#
        let topic = AppleRig.bundle + ".push-type.widgets"
        let jwt = rig.jwt()
        let push = rig.push(to: widget, jwt: jwt, body: body)
            .with("apns-topic", topic).with("apns-push-type", "widgets")
        #expect(await rig.post.send(push).status == 200)
        #expect(inbox.all.map(\.event) == [.widgets])
        #expect(await rig.post.send(push.with("apns-topic", AppleRig.bundle)).reason == "TopicDisallowed")
        #expect(await rig.post.send(push.path("/3/device/" + alert.hexForPath)).reason == "DeviceTokenNotForTopic")
        let wake = push.with("apns-topic", AppleRig.bundle).with("apns-push-type", "background")
        #expect(await rig.post.send(wake).reason == "DeviceTokenNotForTopic")
        // Accepted by Apple, and no widget is reloaded.
        let other = rig.push(to: widget, jwt: jwt, body: #"{"aps":{"content-changed":false}}"#)
            .with("apns-topic", topic).with("apns-push-type", "widgets")
        #expect(await rig.post.send(other).status == 200)
        #expect(inbox.all.count == 1 && alertInbox.all.isEmpty)
        #expect(rig.simulator.statistics.traps == ["neither event nor alert": 1])
        await rig.stop()
    }
}

extension AppleRequest {
    fileprivate func method(_ name: String) -> AppleRequest {
        var changed = self
        changed.method = name
        return changed
    }

    fileprivate func adding(_ name: String, _ value: String) -> AppleRequest {
        var changed = self
        changed.headers.append((name, value))
        return changed
    }
}
