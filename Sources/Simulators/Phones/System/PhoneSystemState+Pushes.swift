// Pushes: what the system does with one that has arrived.

import LiveSurface
import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    /// Handles a push of APNs; `read` is its payload.
    mutating func receive(
        _ push: DeliveredPush,
        _ read: PhonePush,
        for token: PushToken?,
        at now: PhoneTime
    ) -> [PhoneEffect] {
        guard isReachable else {
            store(push, for: token, at: now)
            return finish(now)
        }
        switch read {
        case .activity(let activityPush):
            if activityPush.event == .start {
                if token != nil, token == startToken, !model.faults.isStartTokenStale {
                    start(activityPush, at: now)
                } else {
                    drop(.noRecipient, activityPush, now)
                }
            } else {
                update(activityPush, push, for: token, at: now)
            }
        case .notification(let notification) where token != nil && token == alertToken:
            present(notification, push, at: now)
        case .background where token != nil && token == alertToken: wakeApp(at: now)
        case .widgets where token != nil && token == widgetToken: reloadWidgets(at: now)
        case .notification, .background, .widgets: journal.note(.dropped(.noRecipient, revision: nil), at: now)
        case .unreadable: journal.note(.dropped(.unreadable, revision: nil), at: now)
        }
        return finish(now)
    }

    private mutating func store(_ push: DeliveredPush, for token: PushToken?, at now: PhoneTime) {
        if let channel = push.channel {
            undelivered.miss(channel)
        } else if let token, undelivered.store(push, for: token) {
            journal.note(.storedAtAPNs, at: now)
        }
    }

    // MARK: Updates and ends

    private mutating func update(
        _ push: ActivityPush,
        _ delivered: DeliveredPush,
        for token: PushToken?,
        at now: PhoneTime
    ) {
        let isRecipient: (SimulatedActivity) -> Bool = { activity in
            if let channel = delivered.channel { return activity.subscription == .channel(channel) }
            return token != nil && activity.token == token
        }
        let recipients = activities.indices.filter { activities[$0].countsForLimit && isRecipient(activities[$0]) }
        guard !recipients.isEmpty else { return drop(.noRecipient, push, now) }
        let arrival = AlertArrival(of: delivered)
        for index in recipients {
            // An end is never delayed, so that no card of a finished match stays.
            if delivered.priority == 10, push.event == .update, !spendUpdate(now) {
                delay(push, index, arrival, now)
            } else {
                apply(push, index, arrival, now)
            }
        }
    }

    private var updatesPerHour: Int {
        allowsFrequentPushes ? model.faults.frequentUpdatesPerHour : model.faults.updatesPerHour
    }

    private mutating func spendUpdate(_ now: PhoneTime) -> Bool { updateBudget.spend(updatesPerHour, at: now.domain) }

    /// Delays or drops an urgent update beyond the budget.
    private mutating func delay(_ push: ActivityPush, _ index: Int, _ arrival: AlertArrival, _ now: PhoneTime) {
        let revision = push.content?.rev ?? 0
        activities[index].withheldRevision = max(activities[index].withheldRevision, revision)
        guard random.unit() < SimulatorLimits.delayedShare, let free = updateBudget.nextFree(updatesPerHour) else {
            return drop(.overBudget, push, now)
        }
        if let before = activities[index].delayed { drop(.superseded, before.push, now) }
        activities[index].delayed = (free, push, arrival)
        journal.note(.delayed(activity: activities[index].id, revision: revision), at: now)
    }

    /// Applies an update that was delayed.
    mutating func applyDelayed(_ index: Int, at now: PhoneTime) {
        guard let delayed = activities[index].delayed, delayed.due <= now.domain else { return }
        guard spendUpdate(now) else {
            let free = updateBudget.nextFree(updatesPerHour) ?? now.domain + SimulatorLimits.budgetSpan
            activities[index].delayed?.due = free
            return
        }
        activities[index].delayed = nil
        apply(delayed.push, index, delayed.arrival, now)
    }

    private mutating func apply(_ push: ActivityPush, _ index: Int, _ arrival: AlertArrival, _ now: PhoneTime) {
        let push = release.hasStaleDates && model.knowsNewestLayout ? push : asRead(push)
        let outcome = activities[index].apply(push, date: date(now), real: now.real)
        let activity = activities[index]
        let revision = activity.content.rev
        switch outcome {
        case .kept(let reason): return drop(reason, push, now)
        case .unchanged: journal.note(.unchanged(activity: activity.id, revision: revision), at: now)
        case .drawn, .wentBack:
            let isBack = outcome == .wentBack(overApp: false)
            journal.note(.drew(activity: activity.id, revision: revision, isBack: isBack), at: now)
            if outcome == .wentBack(overApp: true) {
                journal.note(.replacedNewerDrawingOfApp(activity: activity.id, revision: revision), at: now)
            }
            emit(.shows(activityID: activity.id, revision: revision))
        }
        sound(push.alert, of: activity.attributes.matchId, arrival, now)
        if activity.phase == .ended { concludeEnd(index, at: now) }
    }

    /// The push as an app one version older or the oldest iOS reads it: neither knows the newest members.
    func asRead(_ push: ActivityPush) -> ActivityPush {
        var content = model.knowsNewestLayout || push.isInFirstLayout ? push.content : nil
        if !model.knowsNewestLayout { content?.progress = nil }
        return ActivityPush(
            event: push.event,
            timestamp: push.timestamp,
            content: content,
            isInFirstLayout: push.isInFirstLayout,
            alert: push.alert,
            staleDate: release.hasStaleDates ? push.staleDate : nil,
            dismissalDate: push.dismissalDate,
            start: push.start
        )
    }

    // MARK: Notifications

    private mutating func present(_ notification: NotificationPush, _ push: DeliveredPush, at now: PhoneTime) {
        if !allowsNotifications {
            journal.note(.dropped(.notificationsOff, revision: nil), at: now)
        } else if notification.alert.hasKeys && !model.knowsNewestLayout {
            journal.note(.dropped(.noText, revision: nil), at: now)
        } else {
            let isCorrection = centre.present(notification, collapseID: push.collapseID, AlertArrival(of: push))
            if isCorrection {
                let text = notification.alert.body ?? ""
                journal.note(.corrected(match: notification.match ?? "", text: text), at: now)
            }
            if notification.isActive {
                let title = notification.alert.title ?? ""
                journal.note(.alert(match: notification.match ?? "", title: title), at: now)
            }
        }
        if notification.wakesApp { wakeApp(at: now) }
    }

    /// Sounds the alert of an update, or of a start, which has no arrival.
    mutating func sound(_ alert: AlertText?, of match: String, _ arrival: AlertArrival?, _ now: PhoneTime) {
        guard let alert, let title = alert.title, !title.isEmpty else { return }
        if alert.hasKeys && !model.knowsNewestLayout {
            return journal.note(.dropped(.noText, revision: nil), at: now)
        }
        centre.present(alert, of: match, arrival)
        journal.note(.alert(match: match, title: title), at: now)
    }

    mutating func drop(_ reason: PhoneDrop, _ push: ActivityPush, _ now: PhoneTime) {
        journal.note(.dropped(reason, revision: push.content?.rev), at: now)
    }
}
