// The actor over a scripted network: order of storing and sending, deadlines, restarts and cancellation.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(1))) struct LiveScoreClientTests {
    private static let follow = "/v1/devices/me/follows/m1"

    @Test func aChangeIsStoredBeforeItIsSentAndTheCredentialBeforeItIsUsed() async throws {
        let rig = LiveRig()
        let running = Task { await rig.client.run() }
        defer { running.cancel() }
        try await rig.next(.get, "/v1/client-config").answer(200)
        await rig.client.follow("m1")
        #expect(rig.stored.follows.keys.contains("m1"))
        await rig.client.describe(ClientRig.device)
        let registration = try await rig.next(.post, "/v1/devices")
        #expect(rig.stored.registrationKey == registration.request.headers["idempotency-key"])
        registration.answer(201, #"{"credential":"ssd1.a"}"#)
        let change = try await rig.next(.put, Self.follow)
        #expect(change.request.headers["authorization"] == "Bearer ssd1.a")
        #expect(rig.credentials.value.with { $0 } == "ssd1.a")
        #expect(rig.stored.registrationKey == nil)
        change.answer(200, #"{"matchId":"m1","channelId":"c1"}"#)
        // The client may have read the list before the next line or not.
        try await rig.answerReads(follows: #"{"matchId":"m1","channelId":"c1"}"#)
        #expect(await rig.client.follows["m1"]?.channelID == "c1")
        #expect(await rig.client.pendingChanges.isEmpty)
    }

    @Test func aRequestWithoutAnAnswerIsCancelledAndRepeated() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.follow("m1")
        let lost = try await rig.next(.put, Self.follow)
        try await rig.clock.hasWaiter(within: ClientLimits.requestTime)
        rig.clock.advance(by: ClientLimits.requestTime)
        try await lost.cancellation()
        try await rig.clock.hasWaiter(within: ClientLimits.firstWait)
        #expect(rig.transport.isIdle)
        rig.clock.advance(by: ClientLimits.firstWait)
        let repeated = try await rig.next(.put, Self.follow)
        #expect(repeated.request == lost.request)
    }

    @Test func retryAfterIsObeyedAlsoAfterTheNetworkReturns() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.follow("m1")
        try await rig.next(.put, Self.follow).answer(503, headers: ["retry-after": "40"])
        try await rig.clock.hasWaiter(within: .seconds(40), atLeast: .seconds(40))
        await rig.client.networkReturned()
        #expect(rig.transport.isIdle)
        rig.clock.advance(by: .seconds(40))
        _ = try await rig.next(.put, Self.follow)
    }

    @Test func aPendingChangeSurvivesTheEndOfTheApp() async throws {
        let first = LiveRig()
        let running = try await first.register()
        await first.client.follow("m1", FollowChoices(moments: [.result]))
        let lost = try await first.next(.put, Self.follow)
        running.cancel()
        await running.value
        try await lost.cancellation()

        let second = LiveRig(after: first)
        let again = Task { await second.client.run() }
        defer { again.cancel() }
        let repeated = try await second.next(.put, Self.follow)
        #expect(repeated.request == lost.request)
    }

    @Test func aSecondRunOfTheSameClientRepeatsTheRequest() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        await rig.client.follow("m1")
        let lost = try await rig.next(.put, Self.follow)
        running.cancel()
        await running.value
        try await lost.cancellation()
        let again = Task { await rig.client.run() }
        defer { again.cancel() }
        let repeated = try await rig.next(.put, Self.follow)
        #expect(repeated.request == lost.request)
    }

    @Test func aBackgroundPushEndsWhenEverythingIsSent() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        async let isDone = rig.client.receiveBackgroundPush()
        try await rig.answerReads()
        let isComplete = await isDone
        #expect(isComplete)

        async let isDoneAgain = rig.client.receiveBackgroundPush()
        try await rig.next(.post, "/v1/devices/me/reconcile").fail(.offline)
        let isCompleteAgain = await isDoneAgain
        #expect(!isCompleteAgain)
    }

    @Test func aBackgroundPushEndsBeforeTheSystemEndsTheApp() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        async let isDone = rig.client.receiveBackgroundPush()
        let slow = try await rig.next(.post, "/v1/devices/me/reconcile")
        try await rig.clock.hasWaiter(within: ClientLimits.backgroundTime, atLeast: ClientLimits.backgroundTime)
        rig.clock.advance(by: .seconds(19))
        slow.answer(200)
        // Its own deadline would end it 39 seconds after the push.
        _ = try await rig.next(.get, "/v1/devices/me/follows")
        rig.clock.advance(by: ClientLimits.backgroundTime - .seconds(19))
        let isComplete = await isDone
        #expect(!isComplete)

        let push = Task { await rig.client.receiveBackgroundPush() }
        try await rig.clock.hasWaiter(within: ClientLimits.backgroundTime, atLeast: ClientLimits.backgroundTime)
        push.cancel()
        #expect(await !push.value)
    }

    @Test func aBackgroundPushWaitsForTheUpdateOfAnActivity() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        rig.host.emit(.started(ObservedActivity(id: "x", matchID: "m1", token: "ab", revision: 5)))
        try await rig.next(.put, "/v1/devices/me/activities/x").answer(200)
        try await rig.next(.post, "/v1/devices/me/telemetry").answer(204, "")
        rig.host.listed.with { $0 = [ObservedActivity(id: "x", matchID: "m1", token: "ab", revision: 5)] }
        async let isDone = rig.client.receiveBackgroundPush()
        let update = #"{"updates":[{"activityId":"x","contentState":\#(SampleMatch.json(6))}]}"#
        try await rig.next(.post, "/v1/devices/me/reconcile").answer(200, update)
        try await rig.next(.get, "/v1/devices/me/follows").answer(200, #"{"items":[]}"#)
        #expect(await isDone)
        #expect(!rig.host.updates.isEmpty)
    }

    @Test func permissionsOfTheSystemReplaceThoseOfTheApp() async throws {
        let first = LiveRig()
        let running = Task { await first.client.run() }
        try await first.next(.get, "/v1/client-config").answer(200)
        first.host.emit(.allowed(liveActivities: false, frequentPushes: false))
        await first.client.describe(ClientRig.device)
        let registration = try await first.next(.post, "/v1/devices")
        let body = String(decoding: registration.request.body ?? Data(), as: UTF8.self)
        registration.answer(201, #"{"credential":"ssd1.a"}"#)
        // The event may arrive after the description: then a change follows, before or after the reads.
        var expected: Set = ["/v1/devices/me/reconcile", "/v1/devices/me/follows"]
        if !body.contains(#""liveActivitiesEnabled":false"#) { expected.insert("/v1/devices/me") }
        while !expected.isEmpty {
            let exchange = try await first.transport.next()
            try #require(expected.remove(exchange.request.path) != nil, "\(exchange.request.path)")
            exchange.answer(200, #"{"items":[]}"#)
        }
        running.cancel()
        await running.value
        #expect(first.stored.description?.liveActivitiesEnabled == false)
        #expect(first.stored.description?.frequentPushesEnabled == false)

        let second = LiveRig(after: first)
        await second.client.describe(ClientRig.device)
        #expect(await second.client.pendingChanges.isEmpty)
    }

    @Test func theNoticesEndWithTheClient() async {
        var rig: LiveRig? = LiveRig()
        let notices = rig?.client.notices
        rig = nil
        guard let notices else { return }
        for await _ in notices {}
    }

    @Test func aRefusedFollowIsANotice() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.follow("m1")
        try await rig.next(.put, Self.follow).answer(404, #"{"type":"/v1/problems/match-not-found"}"#)
        for await notice in rig.client.notices {
            guard case .followRefused(let match, let refusal) = notice else { continue }
            #expect(match == "m1")
            #expect(refusal == .unknownMatch)
            break
        }
        #expect(await rig.client.follows.isEmpty)
    }

    @Test func anActivityStartsOnTheChannelAndEndsWithTheFollow() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.follow("a")
        try await rig.next(.put, "/v1/devices/me/follows/a").answer(200, #"{"matchId":"a","channelId":"c1"}"#)
        for await notice in rig.client.notices where notice == .followsChanged { break }
        async let started = rig.client.startActivity(of: "a")
        try await rig.next(.get, "/v1/matches/a").answer(200, SampleMatch.detail(5))
        let activity = try await started
        #expect(activity.channelID == "c1")
        #expect(rig.host.started.with { $0.map(\.channelID) } == ["c1"])
        let report = try await rig.next(.put, "/v1/devices/me/activities/activity")
        let body = String(decoding: report.request.body ?? Data(), as: UTF8.self)
        #expect(body.contains(#""channelId":"c1""#))
        report.answer(200)
        try await rig.next(.post, "/v1/devices/me/telemetry").answer(204, "")
        let second = Task { try await rig.client.startActivity(of: "a") }
        try await rig.next(.get, "/v1/matches/a").answer(200, SampleMatch.detail(5))
        await #expect(throws: ActivityStartError.alreadyRunning) { try await second.value }
        await rig.client.unfollow("a")
        let ended = try await rig.host.ends.next()
        #expect(ended == "activity")
        try await rig.next(.delete, "/v1/devices/me/follows/a").answer(204, "")
        let end = try await rig.next(.delete, "/v1/devices/me/activities/activity")
        #expect(end.request.query.contains { $0.name == "reason" && $0.value == "unfollowed" })
    }

    @Test func aStartWaitsForTheChannelOfANewFollow() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.follow("a")
        try await rig.next(.put, "/v1/devices/me/follows/a").answer(200, #"{"matchId":"a"}"#)
        for await notice in rig.client.notices where notice == .followsChanged { break }
        async let started = rig.client.startActivity(of: "a")
        try await rig.next(.get, "/v1/matches/a").answer(200, SampleMatch.detail(5))
        // The first answers come before the server has created the channel.
        let follows = "/v1/devices/me/follows"
        try await rig.next(.get, follows).answer(200, #"{"items":[{"matchId":"a"}]}"#)
        try await rig.clock.hasWaiter(within: ClientLimits.channelPoll)
        rig.clock.advance(by: ClientLimits.channelPoll)
        try await rig.next(.get, follows).answer(200, #"{"items":[{"matchId":"a","channelId":"c1"}]}"#)
        for await notice in rig.client.notices where notice == .followsChanged {
            if await rig.client.follows["a"]?.channelID != nil { break }
        }
        try await rig.clock.hasWaiter(within: ClientLimits.channelPoll)
        rig.clock.advance(by: ClientLimits.channelPoll)
        #expect(try await started.channelID == "c1")
    }

    @Test func eventsOfTheHostAreReported() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        rig.host.emit(.pushToStartToken("abcd"))
        try await rig.next(.put, "/v1/devices/me/push-tokens/pushToStart").answer(200)
        rig.host.emit(.started(ObservedActivity(id: "x", matchID: "m1", token: "ab", isStartedByPush: true)))
        let update = "{\"currentRev\":7,\"staleDate\":1795000600,\"contentState\":\(SampleMatch.json(7))}"
        try await rig.next(.put, "/v1/devices/me/activities/x").answer(200, update)
        let drawn = try await rig.host.updates.next()
        #expect(drawn.id == "x" && drawn.revision == 7)
        rig.host.emit(.shows(activityID: "x", revision: 7))
        let receipts = try await rig.next(.post, "/v1/devices/me/telemetry")
        let body = String(decoding: receipts.request.body ?? Data(), as: UTF8.self)
        #expect(body.contains(#""rev":7"#) && body.contains(#""kind":"revApplied""#))
        receipts.answer(204, "")
        rig.host.emit(.shows(activityID: "x", revision: 8))
        try await rig.clock.hasWaiter(within: .milliseconds(ClientLimits.telemetrySpacing))
        #expect(rig.transport.isIdle)
        rig.clock.advance(by: .milliseconds(ClientLimits.telemetrySpacing))
        _ = try await rig.next(.post, "/v1/devices/me/telemetry")
    }

    @Test func aLockedStoreDelaysEverythingUntilTheForeground() async throws {
        let first = LiveRig()
        let running = try await first.register()
        running.cancel()
        await running.value
        first.credentials.isLocked.with { $0 = true }
        let second = LiveRig(after: first)
        let again = Task { await second.client.run() }
        defer { again.cancel() }
        await second.client.describe(ClientRig.device)
        #expect(second.transport.isIdle)
        second.credentials.isLocked.with { $0 = false }
        await second.client.enterForeground()
        let reads = try await second.next(.post, "/v1/devices/me/reconcile")
        #expect(reads.request.headers["authorization"] == "Bearer ssd1.a")
    }
}
