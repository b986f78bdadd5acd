// A system of activities that knows what ActivityKit knows: no channel, no origin, no reason of an end.

import Foundation
import LiveSurface
import ScoreClient

@testable import ScoreActivityKit

/// Values that each observer gets; the newest one is repeated for a new observer, as ActivityKit does.
final class Broadcast<Element: Sendable>: Sendable {
    private struct State {
        var newest: Element?
        var observers: [Int: AsyncStream<Element>.Continuation] = [:]
        var lastID = 0
    }

    private let state = Locked(State())
    private let repeatsNewest: Bool
    /// The number of observers after each change of it.
    let counts = WaitingQueue<Int>()

    init(repeatsNewest: Bool = true) { self.repeatsNewest = repeatsNewest }

    var count: Int { state.with { $0.observers.count } }

    func emit(_ element: Element) {
        let observers = state.with { state in
            if repeatsNewest { state.newest = element }
            return state.observers.values
        }
        for observer in observers { observer.yield(element) }
    }

    func observe() -> AsyncStream<Element> {
        let (stream, writer) = AsyncStream.makeStream(of: Element.self)
        let (id, newest, count) = state.with { state in
            state.lastID += 1
            state.observers[state.lastID] = writer
            return (state.lastID, state.newest, state.observers.count)
        }
        writer.onTermination = { [weak self] _ in self?.remove(id) }
        if let newest { writer.yield(newest) }
        counts.put(count)
        return stream
    }

    private func remove(_ id: Int) {
        counts.put(
            state.with { state in
                state.observers[id] = nil
                return state.observers.count
            }
        )
    }

    /// Returns when there are so many observers.
    func hasObservers(_ number: Int) async throws {
        while count != number { _ = try await counts.next() }
    }
}

/// One activity; the test changes it.
final class FakeActivity: SystemActivity, Sendable {
    let id: String
    let tokens = Broadcast<String>()
    let revisions = Broadcast<Int64>(repeatsNewest: false)
    let phases = Broadcast<ObservedActivity.Phase>()
    /// The timestamps of the states that the app has drawn.
    let timestamps = Locked<[Int64?]>([])
    private let activity: Locked<ObservedActivity>

    init(_ activity: ObservedActivity) {
        id = activity.id
        self.activity = Locked(activity)
        if let token = activity.token { tokens.emit(token) }
        phases.emit(activity.phase)
    }

    var observed: ObservedActivity { activity.with { $0 } }

    func change(to phase: ObservedActivity.Phase) {
        activity.with { $0.phase = phase }
        phases.emit(phase)
    }

    func show(_ revision: Int64) {
        activity.with { $0.revision = revision }
        revisions.emit(revision)
    }

    func eachToken(_ body: @escaping @Sendable (String) async -> Void) async {
        for await token in tokens.observe() { await body(token) }
    }

    func eachRevision(_ body: @escaping @Sendable (Int64) async -> Void) async {
        for await revision in revisions.observe() { await body(revision) }
    }

    func eachPhase(while body: @escaping @Sendable (ObservedActivity.Phase) async -> Bool) async -> Bool {
        for await phase in phases.observe() {
            guard await body(phase) else { return true }
        }
        return false
    }

    func update(to state: LiveActivityAttributes.ContentState, staleAt: Int64, timestamp: Int64?) async {
        timestamps.with { $0.append(timestamp) }
        show(state.rev)
    }

    /// A removal looks as if the person had done it.
    func end() async { change(to: .dismissed) }
}

/// A system whose activities the test and the host start.
final class FakeSystem: ActivitySystem, Sendable {
    let listed = Locked<[FakeActivity]>([])
    let updates = Broadcast<FakeActivity>(repeatsNewest: false)
    let startTokens = Broadcast<String>()
    let permissions = Broadcast<ActivityPermission>()
    let refusal = Locked<ActivityStartError?>(nil)

    var activities: [FakeActivity] { listed.with { $0 } }

    /// An activity that a push starts.
    @discardableResult
    func push(_ activity: ObservedActivity) -> FakeActivity {
        let activity = FakeActivity(activity)
        listed.with { $0.append(activity) }
        updates.emit(activity)
        return activity
    }

    func request(_ start: ActivityStart) throws(ActivityStartError) -> FakeActivity {
        if let refusal = refusal.with({ $0 }) { throw refusal }
        return push(
            ObservedActivity(
                id: "started-\(activities.count)",
                matchID: start.attributes.matchId,
                phase: start.startAt == nil ? .active : .pending,
                channelID: start.attributes.channelId,
                revision: start.state.rev
            )
        )
    }

    func eachActivity(_ body: @escaping @Sendable (FakeActivity) async -> Void) async {
        let updates = updates.observe()
        for activity in activities { await body(activity) }
        for await activity in updates { await body(activity) }
    }

    func eachStartToken(_ body: @escaping @Sendable (String) async -> Void) async {
        for await token in startTokens.observe() { await body(token) }
    }

    func eachPermission(_ body: @escaping @Sendable (ActivityPermission) async -> Void) async {
        for await permission in permissions.observe() { await body(permission) }
    }
}
