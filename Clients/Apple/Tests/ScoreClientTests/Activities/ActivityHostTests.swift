// The host over a system that behaves as ActivityKit does: each activity once, its origin, its end, cancellation.

import Foundation
import LiveSurface
import Testing

@testable import ScoreActivityKit
@testable import ScoreClient

/// Reads the events of a host in a task of its own.
private struct EventReader: Sendable {
    private let events = WaitingQueue<ActivityEvent>()
    private let all = Locked<[ActivityEvent]>([])
    let task: Task<Void, Never>

    init(_ host: some ActivityHost) {
        task = Task { [events, all] in
            for await event in host.events() {
                all.with { $0.append(event) }
                events.put(event)
            }
        }
    }

    /// The events until one that is expected, and that one.
    @discardableResult
    func until(_ expected: ActivityEvent) async throws -> [ActivityEvent] {
        while try await events.next() != expected {}
        return all.with { $0 }
    }
}

@Suite(.timeLimit(.minutes(1))) struct ActivityHostTests {
    private static let start = ActivityStart(
        attributes: LiveActivityAttributes(matchId: "m", teams: [], format: "t20", channelId: "c1", deepLink: ""),
        state: SampleMatch.display(4),
        channelID: "c1",
        staleAt: 0
    )

    @Test func anActivityThatRanBeforeTheLaunchIsObserved() async throws {
        let system = FakeSystem()
        let activity = system.push(ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 3))
        system.push(ObservedActivity(id: "over", matchID: "n", phase: .ended))
        let reader = EventReader(ActivitySystemHost(system))
        let expected = ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 3, isStartedByPush: true)
        try await reader.until(.started(expected))
        try await activity.revisions.hasObservers(1)
        activity.show(5)
        try await reader.until(.shows(activityID: "x", revision: 5))
        activity.tokens.emit("cd")
        let seen = try await reader.until(.token(activityID: "x", "cd"))
        #expect(!seen.contains { if case .started(let activity) = $0 { activity.id == "over" } else { false } })
        reader.task.cancel()
    }

    @Test func anActivityIsObservedOnceHoweverOftenItIsNamed() async throws {
        let system = FakeSystem()
        let host = ActivitySystemHost(system)
        let first = system.push(ObservedActivity(id: "x", matchID: "m"))
        let reader = EventReader(host)
        try await system.updates.hasObservers(1)
        system.updates.emit(first)
        _ = await host.activities()
        // Announcements are in order: those of the first activity are done when the second one is reported.
        system.push(ObservedActivity(id: "y", matchID: "n"))
        let seen = try await reader.until(.started(ObservedActivity(id: "y", matchID: "n", isStartedByPush: true)))
        let starts = seen.filter { if case .started(let activity) = $0 { activity.id == "x" } else { false } }
        #expect(starts.count == 1)
        #expect(first.tokens.count <= 1)
        reader.task.cancel()
    }

    @Test func theOriginOfAnActivityIsKnownBeforeItsFirstEvent() async throws {
        let system = FakeSystem()
        let host = ActivitySystemHost(system)
        let reader = EventReader(host)
        try await system.updates.hasObservers(1)
        let activity = try await host.start(Self.start)
        #expect(activity.channelID == "c1" && !activity.isStartedByPush)
        let seen = try await reader.until(.started(activity))
        #expect(seen.count { if case .started = $0 { true } else { false } } == 1)
        #expect(await host.activities() == [activity])
        reader.task.cancel()
    }

    @Test func aRefusalIsThrownAndAScheduledStartIsPending() async throws {
        let system = FakeSystem()
        let host = ActivitySystemHost(system)
        system.refusal.with { $0 = .notInForeground }
        await #expect(throws: ActivityStartError.notInForeground) { try await host.start(Self.start) }
        system.refusal.with { $0 = nil }
        var later = Self.start
        later.startAt = 1
        #expect(try await host.start(later).phase == .pending)
    }

    @Test func aRemovalByThePersonIsADismissalAndOneByTheAppIsNot() async throws {
        let system = FakeSystem()
        let host = ActivitySystemHost(system)
        let activities = ["a", "b", "c"].map { system.push(ObservedActivity(id: $0, matchID: $0)) }
        let reader = EventReader(host)
        for activity in activities { try await activity.phases.hasObservers(1) }
        activities[0].change(to: .dismissed)
        try await reader.until(.ended(activityID: "a", isDismissed: true))
        await host.end("b")
        try await reader.until(.ended(activityID: "b", isDismissed: false))
        // The system removes an ended activity from the screen hours later.
        activities[2].change(to: .ended)
        try await reader.until(.ended(activityID: "c", isDismissed: false))
        activities[2].change(to: .dismissed)
        for activity in activities {
            try await activity.phases.hasObservers(0)
            try await activity.tokens.hasObservers(0)
        }
        reader.task.cancel()
    }

    @Test func staleContentStartTokensAndPermissionsAreReported() async throws {
        let system = FakeSystem()
        system.startTokens.emit("aa")
        system.permissions.emit(ActivityPermission(liveActivities: true, frequentPushes: false))
        let activity = system.push(ObservedActivity(id: "x", matchID: "m"))
        let reader = EventReader(ActivitySystemHost(system))
        activity.change(to: .stale)
        try await reader.until(.stale(activityID: "x"))
        system.startTokens.emit("bb")
        try await system.startTokens.hasObservers(1)
        system.permissions.emit(ActivityPermission(liveActivities: false, frequentPushes: true))
        let seen = try await reader.until(.allowed(liveActivities: false, frequentPushes: true))
        #expect(seen.contains(.allowed(liveActivities: true, frequentPushes: false)))
        reader.task.cancel()
    }

    @Test func theEndOfTheReaderEndsEveryObservation() async throws {
        let system = FakeSystem()
        let activity = system.push(ObservedActivity(id: "x", matchID: "m"))
        let host = ActivitySystemHost(system)
        let reader = EventReader(host)
        try await activity.tokens.hasObservers(1)
        try await activity.revisions.hasObservers(1)
        try await activity.phases.hasObservers(1)
        reader.task.cancel()
        try await activity.tokens.hasObservers(0)
        try await activity.revisions.hasObservers(0)
        try await activity.phases.hasObservers(0)
        try await system.updates.hasObservers(0)
        try await system.startTokens.hasObservers(0)
        try await system.permissions.hasObservers(0)
        // A later run of the client observes again.
        let again = EventReader(host)
        try await again.until(.started(ObservedActivity(id: "x", matchID: "m", isStartedByPush: true)))
        again.task.cancel()
    }

    @Test func aClientReportsTheChannelThatThePushHasNamed() async throws {
        let system = FakeSystem()
        let rig = LiveRig(host: ActivitySystemHost(system))
        let running = try await rig.register()
        defer { running.cancel() }
        system.push(ObservedActivity(id: "x", matchID: "m", channelID: "c7", revision: 2))
        let report = try await rig.next(.put, "/v1/devices/me/activities/x")
        let body = String(decoding: report.request.body ?? Data(), as: UTF8.self)
        #expect(body.contains(#""channelId":"c7""#) && body.contains(#""startedBy":"push""#))
        #expect(!body.contains(#""token""#))
    }

    @Test func onlyANewerStateIsDrawnWithItsTimestamp() async {
        let system = FakeSystem()
        let activity = system.push(ObservedActivity(id: "x", matchID: "m", token: "ab", revision: 5))
        let host = ActivitySystemHost(system)
        await host.update("x", to: SampleMatch.display(5), staleAt: 0, timestamp: 100)
        await host.update("x", to: SampleMatch.display(4), staleAt: 0, timestamp: 101)
        await host.update("y", to: SampleMatch.display(9), staleAt: 0, timestamp: 102)
        #expect(activity.observed.revision == 5 && activity.timestamps.with { $0 }.isEmpty)
        await host.update("x", to: SampleMatch.display(6), staleAt: 0, timestamp: 103)
        await host.update("x", to: SampleMatch.display(7), staleAt: 0, timestamp: nil)
        #expect(activity.observed.revision == 7 && activity.timestamps.with { $0 } == [103, nil])
    }
}
