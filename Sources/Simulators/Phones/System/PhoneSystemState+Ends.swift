// Ends of activities: by push, by the app, by the person and by the system's own limits.

import LiveSurface
import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    /// The person removes an activity from the screen.
    mutating func dismiss(_ id: String, at now: PhoneTime) -> [PhoneEffect] {
        if let index = activities.firstIndex(where: { $0.id == id && $0.isVisible }) {
            remove(index, byPerson: true, at: now)
        }
        return finish(now)
    }

    /// The app ends an activity and removes it at once.
    mutating func end(_ id: String, at now: PhoneTime) -> [PhoneEffect] {
        if let index = activities.firstIndex(where: { $0.id == id && $0.phase != .dismissed }) {
            remove(index, byPerson: false, at: now)
        }
        return finish(now)
    }

    /// The app draws a state; its host draws none that is not newer than the screen.
    mutating func update(
        _ id: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?,
        at now: PhoneTime
    ) -> [PhoneEffect] {
        let isOpen: (SimulatedActivity) -> Bool = { $0.id == id && $0.isRunning && $0.content.rev < state.rev }
        guard let index = activities.firstIndex(where: isOpen) else { return finish(now) }
        let taken = release.takesTimestamps ? timestamp : nil
        if activities[index].draw(state, staleDate: staleAt, timestamp: taken) {
            journal.note(.drew(activity: id, revision: state.rev, isBack: false), at: now)
            emit(.shows(activityID: id, revision: state.rev))
        }
        return finish(now)
    }

    /// The person changes the permission of Live Activities: switched off, all of them end.
    mutating func allowActivities(_ isAllowed: Bool, at now: PhoneTime) -> [PhoneEffect] {
        guard isAllowed != allowsActivities else { return finish(now) }
        allowsActivities = isAllowed
        if !isAllowed { removeAll(byPerson: false, at: now) }
        emitPermissions()
        return finish(now)
    }

    /// The person changes the permission of frequent pushes; that ends all activities.
    mutating func allowFrequentPushes(_ isAllowed: Bool, at now: PhoneTime) -> [PhoneEffect] {
        guard isAllowed != allowsFrequentPushes else { return finish(now) }
        allowsFrequentPushes = isAllowed
        removeAll(byPerson: false, at: now)
        emitPermissions()
        return finish(now)
    }

    private mutating func emitPermissions() {
        emit(.allowed(liveActivities: allowsActivities, frequentPushes: allowsFrequentPushes))
    }

    mutating func removeAll(byPerson: Bool, at now: PhoneTime) {
        for index in activities.indices where activities[index].phase != .dismissed {
            remove(index, byPerson: byPerson, at: now)
        }
    }

    /// Removes an activity from the screen; the app learns of the end once.
    mutating func remove(_ index: Int, byPerson: Bool, at now: PhoneTime) {
        let wasOver = activities[index].phase == .ended
        activities[index].remove(real: now.real)
        let activity = activities[index]
        removedCard = RemovedCard(
            activityID: activity.id,
            match: activity.attributes.matchId,
            revision: activity.content.rev,
            isByPerson: byPerson,
            isFinal: wasOver
        )
        journal.note(.removed(activity: activity.id, byPerson: byPerson), at: now)
        if !wasOver { leave(index, isDismissed: byPerson) }
    }

    /// An end by push or by the limit of eight hours: the card stays.
    mutating func concludeEnd(_ index: Int, at now: PhoneTime) {
        journal.note(.ended(activity: activities[index].id), at: now)
        leave(index, isDismissed: false)
    }

    /// Ends the updates of an activity, and reports its end to the app.
    private mutating func leave(_ index: Int, isDismissed: Bool) {
        let activity = activities[index]
        if let token = activity.token { retire(token) }
        if case .channel(let channel) = activity.subscription {
            let isShared = activities.contains { $0.countsForLimit && $0.subscription == activity.subscription }
            if !isShared { effects.append(.unsubscribe(channel)) }
        }
        emit(.ended(activityID: activity.id, isDismissed: isDismissed))
    }
}
