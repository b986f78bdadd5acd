// Turns what the system shows into events, each activity once, until its task is cancelled.

internal import ScoreClient

/// The observation of one reader of events.
struct ActivityObserver<System: ActivitySystem>: Sendable {
    let system: System
    let registry: ActivityRegistry<System.Item>
    let writer: AsyncStream<ActivityEvent>.Continuation

    /// Observes until the task is cancelled.
    func run() async {
        let (reader, announced) = await registry.open()
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await system.eachStartToken { writer.yield(.pushToStartToken($0)) } }
            group.addTask {
                await system.eachPermission {
                    writer.yield(.allowed(liveActivities: $0.liveActivities, frequentPushes: $0.frequentPushes))
                }
            }
            group.addTask { await system.eachActivity { await registry.announce($0) } }
            // An activity is announced by the list, by an update and by its start. Its id is never used again.
            var observed: Set<String> = []
            for await activity in announced where observed.insert(activity.id).inserted {
                group.addTask { await observe(activity) }
            }
            group.cancelAll()
        }
        await registry.close(reader)
    }

    /// Observes one activity until it is over.
    private func observe(_ activity: System.Item) async {
        let first = await registry.observed(activity)
        guard first.isRunning else { return }
        writer.yield(.started(first))
        await withTaskGroup(of: Void.self) { group in
            group.addTask { await activity.eachToken { writer.yield(.token(activityID: activity.id, $0)) } }
            group.addTask {
                await activity.eachRevision { writer.yield(.shows(activityID: activity.id, revision: $0)) }
            }
            let isOver = await activity.eachPhase { await takePhase($0, of: activity.id) }
            if isOver { group.cancelAll() }
        }
    }

    /// Reports a phase; the result says whether the activity still runs.
    private func takePhase(_ phase: ObservedActivity.Phase, of id: String) async -> Bool {
        switch phase {
        case .active, .pending: return true
        case .stale:
            writer.yield(.stale(activityID: id))
            return true
        case .ended, .dismissed:
            // Only the first of the two phases shows the reason: the system also dismisses an ended activity later.
            let isByPerson = phase == .dismissed
            let isDismissed = isByPerson ? await !registry.isEndedHere(id) : false
            writer.yield(.ended(activityID: id, isDismissed: isDismissed))
            return false
        }
    }
}
