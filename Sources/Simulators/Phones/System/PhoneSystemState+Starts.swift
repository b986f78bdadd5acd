// Starts of activities, by push and by the app.

import Foundation
import LiveSurface
import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    // MARK: By push

    mutating func start(_ push: ActivityPush, at now: PhoneTime) {
        if let reason = refusal(of: push, at: now) { return drop(reason, push, now) }
        guard let subscription = subscription(of: push.start) else { return drop(.unsupported, push, now) }
        let push = asRead(push)
        guard let attributes = push.start.attributes, let content = push.content else {
            return drop(.undecodable, push, now)
        }
        guard startBudget.spend(SimulatorLimits.startsPerHour, at: now.domain) else {
            return drop(.tooManyStarts, push, now)
        }
        let activity = SystemActivity(
            id: drawActivityID(),
            attributes: attributes,
            content: content,
            subscription: subscription,
            isStartedByPush: true,
            timestamp: push.timestamp,
            staleDate: push.staleDate.map { $0 &* 1000 },
            at: now.real
        )
        add(activity, at: now)
        sound(push.alert, of: attributes.matchId, isStart: true, now)
        runInBackground(.startedActivity, at: now)
        observe(activity.id)
    }

    /// The rule that refuses a start by push, silently.
    private func refusal(of push: ActivityPush, at now: PhoneTime) -> PhoneDrop? {
        if !release.startsByPush { return .unsupported }
        if !allowsActivities { return .switchedOff }
        if push.start.attributesType != model.attributesType { return .wrongType }
        if push.timestamp &- date(now) / 1000 > SimulatorLimits.timestampAheadSeconds { return .tooFarAhead }
        // iOS presents nothing without an alert (Teak, APNSwift 232).
        if push.alert?.title?.isEmpty != false { return .noAlert }
        return hasRoomForActivity ? nil : .tooManyActivities
    }

    private func subscription(of start: ActivityPush.Start) -> SystemActivity.Subscription? {
        if let channel = start.channel {
            guard release.hasChannels, !start.wantsToken else { return nil }
            return ChannelID(channel).map { .channel($0) }
        }
        return start.wantsToken || !release.startNamesSubscription ? .token : SystemActivity.Subscription.none
    }

    private var hasRoomForActivity: Bool {
        otherActivities + activities.count(where: \.countsForLimit) < SimulatorLimits.activitiesOfApp
    }

    /// Reports an activity to the app's process when that runs.
    private mutating func observe(_ id: String) {
        guard hasReader, let index = activities.firstIndex(where: { $0.id == id }) else { return }
        activities[index].isObserved = true
        emit(.started(activities[index].observed))
    }

    // MARK: By the app

    /// Starts an activity for the app's process.
    mutating func start(
        _ start: ActivityStart,
        at now: PhoneTime
    ) -> (result: Result<ObservedActivity, ActivityStartError>, effects: [PhoneEffect]) {
        if let error = refusal(of: start) { return (.failure(error), finish(now)) }
        var activity = SystemActivity(
            id: drawActivityID(),
            attributes: start.attributes,
            content: start.state,
            subscription: start.channelID.flatMap(ChannelID.init).map { .channel($0) } ?? .token,
            isStartedByPush: false,
            staleDate: release.hasStaleDates ? start.staleAt : nil,
            at: now.real
        )
        if let begins = start.startAt, begins > date(now), release.schedulesStarts {
            (activity.begins, activity.phase) = (begins, .pending)
        }
        add(activity, at: now)
        return (.success(activity.observed), finish(now))
    }

    private func refusal(of start: ActivityStart) -> ActivityStartError? {
        if !allowsActivities { return .denied }
        if app != .foreground { return .notInForeground }
        if start.channelID != nil, !release.hasChannels { return .unsupported }
        let encoder = JSONEncoder()
        let sizes = [try? encoder.encode(start.attributes).count, try? encoder.encode(start.state).count]
        if sizes.reduce(0, { $0 + ($1 ?? .max / 4) }) > SimulatorLimits.devicePayloadBytes { return .tooLarge }
        return hasRoomForActivity ? nil : .tooManyOfApp
    }

    // MARK: Both

    private mutating func add(_ activity: SystemActivity, at now: PhoneTime) {
        activities.append(activity)
        firstActivityAt = firstActivityAt ?? now.domain
        let channel: ChannelID?
        if case .channel(let id) = activity.subscription { channel = id } else { channel = nil }
        journal.note(
            .started(
                activity: activity.id,
                match: activity.attributes.matchId,
                byPush: activity.isStartedByPush,
                onChannel: channel != nil
            ),
            at: now
        )
        if activity.phase != .pending { subscribe(activities.count - 1, at: now) }
    }

    /// Begins the updates of an activity that is active: by its channel at once, by a token when that is known.
    mutating func subscribe(_ index: Int, at now: PhoneTime) {
        switch activities[index].subscription {
        case .none: break
        case .channel(let channel): effects.append(.subscribe(channel))
        case .token:
            // A killed app gets no token for an activity that a push started (Apple forum 834934).
            guard app != .ended(byPerson: true), case .after(let delay) = model.faults.activityToken else { return }
            activities[index].tokenDue = now.domain + delay
        }
    }
}
