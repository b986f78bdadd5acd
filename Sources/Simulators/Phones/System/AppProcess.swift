// The app's half runs in a process: it sees ActivityKit and a clock, and both stand still while it is suspended.

public import LiveSurface
public import ScoreClient
import ScoreTypes
import Synchronization

/// One process of the app on a simulated phone; its `ActivityHost` is the system's ActivityKit.
///
/// After the process has ended its calls have no effect.
public final class AppProcess: ActivityHost {
    /// Counts the processes of a phone from 1.
    public let number: Int
    private let system: SimulatedPhoneSystem
    private let gate = ProcessGate()

    init(number: Int, system: SimulatedPhoneSystem) { (self.number, self.system) = (number, system) }

    /// Whether the process is neither suspended nor over.
    public var isRunning: Bool { gate.isOpen }
    /// Whether a request of the process reaches the network now.
    public var reachesNetwork: Bool { isRunning && system.isReachable }
    /// The phone's clock, which may be hours off; waits also last until the process runs again.
    public var clock: any ClientClock { ProcessClock(system: system, gate: gate) }

    func setRunning(_ isRunning: Bool) { gate.set(isRunning) }

    // MARK: ActivityHost

    /// The events of activities, from the first call on; a later call ends the stream of an earlier one.
    public func events() -> AsyncStream<ActivityEvent> { system.events(for: self) }

    /// The activities that the system lists now, also ended ones.
    public func activities() async -> [ObservedActivity] { system.listedActivities(for: self) }

    /// Starts an activity.
    ///
    /// - Throws: `ActivityStartError` when the system refuses it.
    public func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity {
        try system.start(start, for: self)
    }

    /// Draws a state that is newer than the one on the screen; an unknown activity is ignored.
    public func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {
        system.update(activityID, to: state, staleAt: staleAt, timestamp: timestamp, for: self)
    }

    /// Ends an activity and removes it from the screen at once; an unknown activity is ignored.
    public func end(_ activityID: String) async { system.end(activityID, for: self) }
}

/// The clock that a process reads.
private struct ProcessClock: ClientClock {
    let system: SimulatedPhoneSystem
    let gate: ProcessGate

    var now: ClientInstant { system.clientInstant }

    func wait(until uptime: Duration) async throws {
        try await system.schedule.wait(until: uptime)
        try await gate.waitUntilOpen()
    }
}

/// Holds the tasks of a suspended process.
private final class ProcessGate: Sendable {
    private struct State {
        var isOpen = true
        var nextID = 0
        var waiting: [Int: CheckedContinuation<Void, any Error>] = [:]
    }

    private let state = Mutex(State())

    var isOpen: Bool { state.withLock { $0.isOpen } }

    func set(_ isOpen: Bool) {
        let resumed = state.withLock { state in
            state.isOpen = isOpen
            guard isOpen else { return [CheckedContinuation<Void, any Error>]() }
            defer { state.waiting = [:] }
            return Array(state.waiting.values)
        }
        for continuation in resumed { continuation.resume() }
    }

    func waitUntilOpen() async throws {
        let id = state.withLock { state in
            state.nextID += 1
            return state.nextID
        }
        try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                let isOpen = state.withLock { state in
                    if !state.isOpen { state.waiting[id] = continuation }
                    return state.isOpen
                }
                if isOpen { continuation.resume() } else if Task.isCancelled { cancel(id) }
            }
        } onCancel: {
            cancel(id)
        }
    }

    private func cancel(_ id: Int) {
        state.withLock { $0.waiting.removeValue(forKey: id) }?.resume(throwing: CancellationError())
    }
}
