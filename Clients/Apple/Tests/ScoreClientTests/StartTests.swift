// Starts of activities while the follow of the match changes, and two starts of one match.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(1))) struct StartTests {
    private typealias Outcome = Result<ObservedActivity, ActivityStartError>

    private static let follow = "/v1/devices/me/follows/a"

    /// A device that follows `a`, on a channel where one is named.
    private static func follower(channel: String? = nil) async throws -> (rig: LiveRig, running: Task<Void, Never>) {
        let rig = LiveRig()
        let running = try await rig.register()
        await rig.client.follow("a")
        let member = channel.map { #","channelId":"\#($0)""# } ?? ""
        try await rig.next(.put, Self.follow).answer(200, #"{"matchId":"a"\#(member)}"#)
        for await notice in rig.client.notices where notice == .followsChanged { break }
        return (rig, running)
    }

    /// Starts the activity of `a`, up to the wait for the channel or to the held start of the system.
    private static func start(_ rig: LiveRig) async throws -> Task<Outcome, Never> {
        let start = Task { () async -> Outcome in
            do throws(ActivityStartError) {
                return .success(try await rig.client.startActivity(of: "a"))
            } catch {
                return .failure(error)
            }
        }
        try await rig.next(.get, "/v1/matches/a").answer(200, SampleMatch.detail(5))
        return start
    }

    /// The activities whose report waits for the server.
    private static func reports(_ rig: LiveRig) async -> [String] {
        await rig.client.pendingChanges.compactMap { change in
            if case .reportActivity(let id, _, _, _, _, _) = change.operation { id } else { nil }
        }
    }

    @Test func aMatchThatIsUnfollowedDuringTheWaitForItsChannelHasNoStart() async throws {
        let (rig, running) = try await Self.follower()
        defer { running.cancel() }
        let start = try await Self.start(rig)
        try await rig.next(.get, "/v1/devices/me/follows").answer(200, #"{"items":[{"matchId":"a"}]}"#)
        try await rig.clock.hasWaiter(within: ClientLimits.channelPoll)
        await rig.client.unfollow("a")
        rig.clock.advance(by: ClientLimits.channelPoll)
        #expect(await start.value == .failure(.unfollowed))
        #expect(rig.host.started.with { $0 }.isEmpty)
    }

    @Test func aFollowThatTheServerRefusesDuringTheWaitHasNoStart() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        await rig.client.follow("a")
        let follow = try await rig.next(.put, Self.follow)
        let start = try await Self.start(rig)
        try await rig.clock.hasWaiter(within: ClientLimits.channelPoll)
        follow.answer(404)
        for await notice in rig.client.notices where notice == .followRefused(match: "a", .unknownMatch) { break }
        rig.clock.advance(by: ClientLimits.channelPoll)
        #expect(await start.value == .failure(.unfollowed))
        #expect(rig.host.started.with { $0 }.isEmpty)
    }

    @Test func aMatchThatWasNotFollowedStarts() async throws {
        let rig = LiveRig()
        let running = try await rig.register()
        defer { running.cancel() }
        let start = try await Self.start(rig)
        #expect(try await start.value.get().matchID == "a")
    }

    @Test("a device without frequent pushes starts on a token at once", arguments: [nil, "c1"] as [String?])
    func aDeviceWithoutFrequentPushesStartsOnAToken(channel: String?) async throws {
        let (rig, running) = try await Self.follower(channel: channel)
        defer { running.cancel() }
        var device = ClientRig.device
        device.frequentPushesEnabled = false
        await rig.client.describe(device)
        try await rig.next(.patch, "/v1/devices/me").answer(200)
        let start = try await Self.start(rig)
        _ = try await start.value.get()
        #expect(rig.host.started.with { $0.map(\.channelID) } == [nil])
    }

    @Test func twoStartsAtOnceAreOne() async throws {
        let (rig, running) = try await Self.follower(channel: "c1")
        defer { running.cancel() }
        let gate = Reply<Void, CancellationError>()
        rig.host.gate.with { $0 = gate }
        let first = try await Self.start(rig)
        try await rig.host.heldStarts.next()
        await #expect(throws: ActivityStartError.alreadyRunning) { try await rig.client.startActivity(of: "a") }
        gate.give(.success(()))
        #expect(try await first.value.get().channelID == "c1")
        #expect(rig.host.started.with { $0.count } == 1)
    }

    @Test func aStartThatHasFailedMayBeRepeated() async throws {
        let (rig, running) = try await Self.follower(channel: "c1")
        defer { running.cancel() }
        let failed = Task { try await rig.client.startActivity(of: "a") }
        try await rig.next(.get, "/v1/matches/a").answer(404)
        await #expect(throws: ActivityStartError.unreadable(.notFound)) { try await failed.value }
        let start = try await Self.start(rig)
        #expect(try await start.value.get().channelID == "c1")
    }

    @Test func anActivityWhoseMatchIsUnfollowedWhileTheSystemStartsItEnds() async throws {
        let (rig, running) = try await Self.follower(channel: "c1")
        defer { running.cancel() }
        let gate = Reply<Void, CancellationError>()
        rig.host.gate.with { $0 = gate }
        let start = try await Self.start(rig)
        try await rig.host.heldStarts.next()
        await rig.client.unfollow("a")
        try await rig.next(.delete, Self.follow).answer(204, "")
        gate.give(.success(()))
        #expect(await start.value == .failure(.unfollowed))
        #expect(try await rig.host.ends.next() == "activity")
        #expect(await Self.reports(rig).isEmpty)
    }

    @Test func anActivityThatWasReportedBeforeTheUnfollowIsNotReportedAgain() async throws {
        let (rig, running) = try await Self.follower(channel: "c1")
        defer { running.cancel() }
        let gate = Reply<Void, CancellationError>()
        rig.host.gate.with { $0 = gate }
        let start = try await Self.start(rig)
        try await rig.host.heldStarts.next()
        rig.host.emit(.started(ObservedActivity(id: "activity", matchID: "a", channelID: "c1")))
        try await rig.next(.put, "/v1/devices/me/activities/activity").answer(200)
        await rig.client.unfollow("a")
        try await rig.next(.delete, Self.follow).answer(204, "")
        try await rig.next(.delete, "/v1/devices/me/activities/activity").answer(204, "")
        gate.give(.success(()))
        #expect(await start.value == .failure(.unfollowed))
        #expect(await Self.reports(rig).isEmpty)
    }
}
