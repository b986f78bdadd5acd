// Starts of activities, by push and by the app.

import Foundation
import LiveSurface
import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    // MARK: By push

    mutating func start(_ push: ActivityPush, at now: PhoneTime) {
        if let reason = refusal(of: push, at: now) {
            if reason == .tooManyActivities { firstRefusalAt = firstRefusalAt ?? now.domain }
            return drop(reason, push, now)
        }
        guard let subscription = subscription(of: push.start) else { return drop(.unsupported, push, now) }
        let push = asRead(push)
        guard let attributes = push.start.attributes, let content = push.content else {
            return drop(.undecodable, push, now)
        }
        guard startBudget.spend(SimulatorLimits.startsPerHour, at: now.domain) else {
            return drop(.tooManyStarts, push, now)
        }
        let activity = SimulatedActivity(
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
        sound(push.alert, of: attributes.matchId, nil, now)
        runInBackground(.startedActivity, at: now)
        emit(.started(activity.observed))
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

    private func subscription(of start: ActivityPush.Start) -> SimulatedActivity.Subscription? {
        if let channel = start.channel {
            guard release.hasChannels, !start.wantsToken else { return nil }
            return ChannelID(channel).map { .channel($0) }
        }
        return start.wantsToken || !release.startNamesSubscription ? .token : SimulatedActivity.Subscription.none
    }

    private var hasRoomForActivity: Bool {
        otherActivities + activities.count(where: \.countsForLimit) < SimulatorLimits.activitiesOfApp
    }

    // MARK: By the app

    /// Starts an activity for the app's process.
    mutating func start(
        _ start: ActivityStart,
        at now: PhoneTime
    ) -> (result: Result<ObservedActivity, ActivityStartError>, effects: [PhoneEffect]) {
        if let error = refusal(of: start) {
            if error == .tooManyOfApp { firstRefusalAt = firstRefusalAt ?? now.domain }
            return (.failure(error), finish(now))
        }
        var activity = SimulatedActivity(
            id: drawActivityID(),
            attributes: start.attributes,
            content: start.state,
            subscription: start.channelID.flatMap(ChannelID.init).map { .channel($0) } ?? .token,
            isStartedByPush: false,
            staleDate: release.hasStaleDates ? start.staleAt : nil,
            at: now.real
        )
        if let begins = start.startAt, begins > date(now) { (activity.begins, activity.phase) = (begins, .pending) }
        add(activity, at: now)
        return (.success(activity.observed), finish(now))
    }

    private func refusal(of start: ActivityStart) -> ActivityStartError? {
        // The host of an app refuses what its system does not have before it requests anything.
        if start.startAt != nil, !release.schedulesStarts { return .cannotSchedule }
        if start.channelID != nil, !release.hasChannels { return .unsupported }
        if !allowsActivities { return .denied }
        if app != .foreground { return .notInForeground }
        let encoder = JSONEncoder()
        let sizes = [try? encoder.encode(start.attributes).count, try? encoder.encode(start.state).count]
        if sizes.reduce(0, { $0 + ($1 ?? .max / 4) }) > SimulatorLimits.devicePayloadBytes { return .tooLarge }
        return hasRoomForActivity ? nil : .tooManyOfApp
    }

    // MARK: Both

    private mutating func add(_ activity: SimulatedActivity, at now: PhoneTime) {
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
