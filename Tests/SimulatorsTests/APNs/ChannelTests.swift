// Channels are created on one port, sent to through another, and received by their subscribers.

import HTTP2
import ScoreTypes
import Simulators
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(1)))
struct ChannelTests {
    @Test func channelsAreCreatedReadListedAndDeleted() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 1, jwt: jwt)
        var read = AppleRequest(
            method: "GET",
            path: "/1/apps/app.score/channels",
            headers: [("authorization", jwt), ("apns-channel-id", channel.text), ("apns-request-id", AppleRig.id)]
        )
        let found = await rig.manage.send(read)
        #expect(found.status == 200)
        #expect(found.body == #"{"message-storage-policy":1,"push-type":"LiveActivity"}"#)
        #expect(found.headers["apns-request-id"] == AppleRig.id)
        let list = AppleRequest(
            method: "GET",
            path: "/1/apps/app.score/all-channels",
            headers: [("authorization", jwt)]
        )
        #expect(await rig.manage.send(list).body == #"{"channels":["\#(channel.text)"]}"#.replacing("/", with: "/"))
        read.method = "DELETE"
        #expect(await rig.manage.send(read).status == 204)
        #expect(await rig.manage.send(read).reason == "ChannelNotRegistered")
        #expect(await rig.manage.send(list).body == #"{"channels":[]}"#)
        await rig.stop()
    }

    @Test func wrongManagementRequestsAreRefused() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let right = AppleRequest(
            path: "/1/apps/app.score/channels",
            headers: [("authorization", jwt)],
            body: Array(#"{"message-storage-policy":0,"push-type":"LiveActivity"}"#.utf8)
        )
        let cases: [(AppleRequest, Int, String)] = [
            (right.with("authorization", nil), 403, "MissingProviderToken"),
            (right.path("/1/apps/app.other/channels"), 400, "TopicDisallowed"),
            (right.path("/1/apps/app.score.push-type.liveactivity/channels"), 400, "TopicDisallowed"),
            (right.path("/1/channels"), 404, "BadPath"),
            (right.path("/1/apps/app.score/all-channels"), 405, "MethodNotAllowed"),
            (right.body(""), 400, "PayloadEmpty"),
            (right.body(#"{"push-type":"LiveActivity"}"#), 400, "MissingChannelQueueSize"),
            (right.body(#"{"message-storage-policy":2,"push-type":"LiveActivity"}"#), 400, "BadRequestPayload"),
            (right.body(#"{"message-storage-policy":0,"push-type":"liveactivity"}"#), 400, "BadRequestPayload"),
            (right.with("apns-request-id", "x"), 400, "BadMessageId"),
        ]
        for (request, status, reason) in cases {
            let answer = await rig.manage.send(request)
            #expect(answer.status == status)
            #expect(answer.reason == reason)
        }
        await rig.stop()
    }

    @Test func anAppWithoutTheBroadcastCapabilityHasNoChannels() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 0, jwt: jwt)
        rig.simulator.setBroadcastCapability(false)
        let creation = AppleRequest(
            path: "/1/apps/app.score/channels",
            headers: [("authorization", jwt)],
            body: Array(#"{"message-storage-policy":0,"push-type":"LiveActivity"}"#.utf8)
        )
        let broadcast = rig.broadcast(on: channel.text, jwt: jwt)
        for answer in [await rig.manage.send(creation), await rig.post.send(broadcast)] {
            #expect(answer.status == 400)
            #expect(answer.reason == "FeatureNotEnabled")
        }
        rig.simulator.setBroadcastCapability(true)
        let answer = await rig.post.send(broadcast)
        #expect(answer.reason == "ChannelNotRegistered", "its channels were deleted for good")
        await rig.stop()
    }

    @Test func oneRequestReachesAllSubscribers() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 0, jwt: jwt)
        let inboxes = (0..<50).map { _ in Inbox() }
        for (number, inbox) in inboxes.enumerated() {
            let joined = rig.simulator.subscribe(channel: channel, subscriber: UInt64(number)) { inbox.take($0) }
            #expect(joined)
        }
        rig.simulator.unsubscribe(channel: channel, subscriber: 49)
        let answer = await rig.post.send(rig.broadcast(on: channel.text, jwt: jwt))
        #expect(answer.status == 200)
        #expect(answer.headers["apns-request-id"] == AppleRig.id)
        #expect(inboxes.map(\.all.count) == [Int](repeating: 1, count: 49) + [0])
        #expect(inboxes[0].all.first?.channel == channel)
        #expect(rig.simulator.statistics.broadcasts == 1)
        let nowhere = try #require(ChannelID("nowhere=="))
        #expect(!rig.simulator.subscribe(channel: nowhere, subscriber: 1) { _ in })
        await rig.stop()
    }

    @Test func wrongBroadcastsAreRefusedInApplesOrder() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 0, jwt: jwt)
        let right = rig.broadcast(on: channel.text, jwt: jwt)
        let cases: [(AppleRequest, Int, String)] = [
            (right.with("apns-channel-id", nil).with("apns-push-type", nil), 400, "MissingChannelId"),
            (right.with("apns-push-type", nil).with("apns-expiration", nil), 400, "MissingPushType"),
            (right.with("apns-push-type", "alert").with("apns-expiration", nil), 400, "InvalidPushType"),
            (right.with("apns-expiration", nil).with("apns-priority", "2"), 400, "BadExpirationDate"),
            (right.with("apns-priority", "2").with("apns-channel-id", "unknown=="), 400, "BadPriority"),
            (right.with("apns-channel-id", "unknown==").body(""), 400, "ChannelNotRegistered"),
            (right.with("apns-expiration", "1780000900"), 400, "BadExpirationDate"),
            (right.body(""), 400, "PayloadEmpty"),
            (right.body(String(repeating: "x", count: 5121)), 413, "PayloadTooLarge"),
            (right.path(right.path + ".push-type.liveactivity"), 400, "TopicDisallowed"),
        ]
        for (request, status, reason) in cases {
            let answer = await rig.post.send(request)
            #expect(answer.status == status)
            #expect(answer.reason == reason)
        }
        #expect(await rig.post.send(right).status == 200)
        await rig.stop()
    }

    @Test func broadcastsThatNoPhoneShowsAreDropped() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 0, jwt: jwt)
        let inbox = Inbox()
        _ = rig.simulator.subscribe(channel: channel, subscriber: 1) { inbox.take($0) }
        let padding = String(repeating: "x", count: 4100)
        let large = AppleRig.update(revision: 1).dropLast() + #","pad":"\#(padding)"}"#
        #expect(await rig.post.send(rig.broadcast(on: channel.text, jwt: jwt, body: String(large))).status == 200)
        let start = AppleRig.update(revision: 1).replacing(
            #""update""#,
            with: #""start","attributes-type":"A","attributes":{},"alert":{"title":"x"}"#
        )
        #expect(await rig.post.send(rig.broadcast(on: channel.text, jwt: jwt, body: start)).status == 200)
        #expect(inbox.all.isEmpty)
        #expect(rig.simulator.statistics.traps == ["larger than ActivityKit allows": 1, "start by broadcast": 1])
        await rig.stop()
    }

    @Test func aLaterBroadcastMayOvertakeOneAndTooManyAreRefused() async throws {
        let rig = try await AppleRig { $0.pushesPerMinute = 2 }
        let jwt = rig.jwt()
        let channel = try await rig.createChannel(policy: 0, jwt: jwt)
        let inbox = Inbox()
        _ = rig.simulator.subscribe(channel: channel, subscriber: 1) { inbox.take($0) }
        await rig.simulator.interfere { $0.revision == 1 ? .deliverLater(.milliseconds(500)) : nil }
        for revision in 1...2 {
            let body = AppleRig.update(revision: revision)
            #expect(await rig.post.send(rig.broadcast(on: channel.text, jwt: jwt, body: body)).status == 200)
        }
        #expect(await rig.post.send(rig.broadcast(on: channel.text, jwt: jwt)).reason == "TooManyRequests")
        try await eventually("both have arrived") { inbox.all.count == 2 }
        #expect(inbox.all.map(\.revision) == [2, 1])
        await rig.stop()
    }

    @Test func aPolicyOneChannelStoresItsNewestMessage() async throws {
        let rig = try await AppleRig()
        let jwt = rig.jwt()
        let stored = try await rig.createChannel(policy: 1, jwt: jwt)
        let plain = try await rig.createChannel(policy: 0, jwt: jwt)
        for revision in 1...2 {
            let request = rig.broadcast(on: stored.text, jwt: jwt, body: AppleRig.update(revision: revision))
            #expect(await rig.post.send(request.with("apns-expiration", "1780000900")).status == 200)
        }
        #expect(await rig.post.send(rig.broadcast(on: plain.text, jwt: jwt)).status == 200)
        let (early, late, other) = (Inbox(), Inbox(), Inbox())
        _ = rig.simulator.subscribe(channel: stored, subscriber: 1) { early.take($0) }
        _ = rig.simulator.subscribe(channel: plain, subscriber: 1) { other.take($0) }
        rig.time.advance(by: .seconds(901))
        _ = rig.simulator.subscribe(channel: stored, subscriber: 2) { late.take($0) }
        #expect(early.all.map(\.revision) == [2])
        #expect(late.all.isEmpty)
        #expect(other.all.isEmpty)
        await rig.stop()
    }
}
