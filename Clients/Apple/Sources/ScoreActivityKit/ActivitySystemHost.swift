// The host of activities over any system: all observation is here, so that it is tested without ActivityKit.

internal import LiveSurface
internal import ScoreClient

/// Observes and changes the activities of a system.
struct ActivitySystemHost<System: ActivitySystem>: ActivityHost {
    private let system: System
    private let registry = ActivityRegistry<System.Item>()

    init(_ system: System) { self.system = system }

    func events() -> AsyncStream<ActivityEvent> {
        let (stream, writer) = AsyncStream.makeStream(
            of: ActivityEvent.self,
            bufferingPolicy: .bufferingNewest(ActivityLimits.waitingEvents)
        )
        let observer = ActivityObserver(system: system, registry: registry, writer: writer)
        let observation = Task { await observer.run() }
        writer.onTermination = { _ in observation.cancel() }
        return stream
    }

    func activities() async -> [ObservedActivity] {
        var listed: [ObservedActivity] = []
        for activity in system.activities {
            // An activity that no update has named is observed from now on.
            await registry.announce(activity)
            listed.append(await registry.observed(activity))
        }
        return listed
    }

    func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity {
        let activity = try await registry.start(start, on: system)
        return await registry.observed(activity)
    }

    func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {
        guard let activity = system.activities.first(where: { $0.id == activityID }) else { return }
        // A push may have drawn a newer state since the server answered.
        guard state.rev > activity.observed.revision else { return }
        await activity.update(to: state, staleAt: staleAt, timestamp: timestamp)
    }

    func end(_ activityID: String) async {
        guard let activity = system.activities.first(where: { $0.id == activityID }) else { return }
        await registry.willEnd(activityID)
        await activity.end()
    }
}
