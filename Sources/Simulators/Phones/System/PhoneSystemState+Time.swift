// Everything that happens on a phone because time passes, and the next instant at which something does.

import ScoreClient
import ScoreTypes

extension PhoneSystemState {
    /// Handles all that is due.
    mutating func pass(_ now: PhoneTime) -> [PhoneEffect] {
        finishBootIfDue(at: now)
        performIncidents(at: now)
        suspendIfDue(at: now)
        takeDueTokens(at: now)
        for index in activities.indices { age(index, at: now) }
        return finish(now)
    }

    private mutating func age(_ index: Int, at now: PhoneTime) {
        applyDelayed(index, at: now)
        let id = activities[index].id
        if let end = activities[index].lifeEnd, end <= now.real {
            activities[index].end(dismissal: nil, date: date(now), real: now.real)
            concludeEnd(index, at: now)
        }
        guard let due = activities[index].nextDate(release), due <= date(now) else { return }
        switch activities[index].phase {
        case .pending:
            (activities[index].phase, activities[index].startedAt) = (.active, now.real)
            subscribe(index, at: now)
        case .active:
            activities[index].phase = .stale
            journal.note(.becameStale(activity: id), at: now)
            emit(.stale(activityID: id))
        case .ended: remove(index, byPerson: false, at: now)
        case .stale, .dismissed: break
        }
    }

    private mutating func performIncidents(at now: PhoneTime) {
        let due = incidents.filter { incident in self.due(of: incident).map { $0 <= now.domain } ?? false }
        guard !due.isEmpty else { return }
        incidents.removeAll { due.contains($0) }
        for timed in due.sorted(by: { $0.delay < $1.delay }) {
            // Each of these collects its effects; the last one returns them.
            let kept = effects
            effects = []
            effects = kept + perform(timed.incident, at: now)
        }
    }

    private mutating func perform(_ incident: PhoneIncident, at now: PhoneTime) -> [PhoneEffect] {
        switch incident {
        case .killApp: return killApp(at: now)
        case .openApp: return openApp(at: now)
        case .loseNetwork: return setNetwork(false, at: now)
        case .findNetwork: return setNetwork(true, at: now)
        case .reboot: return reboot(at: now)
        case .switchOffActivities: return allowActivities(false, at: now)
        case .dismissAll: removeAll(byPerson: true, at: now)
        case .endOtherActivities: otherActivities = 0
        case .replaceTokens: replaceTokens(at: now)
        }
        return finish(now)
    }

    /// The domain time of an incident; nil before its origin.
    private func due(of timed: TimedIncident) -> Duration? {
        switch timed.origin {
        case .firstRefusal: firstRefusalAt.map { $0 + timed.delay }
        case .firstActivity: firstActivityAt.map { $0 + timed.delay }
        }
    }

    /// The real time until `pass` has something to do; nil for never.
    func nextDue(from now: PhoneTime) -> Duration? {
        var next = NextDue(from: now, speed: model.speed)
        if case .background(let until) = app { next.add(real: until) }
        next.add(domain: bootEnd)
        for timed in incidents { next.add(domain: due(of: timed)) }
        if isReachable { next.add(domain: startTokenDue) }
        let offset = model.faults.clockOffset.milliseconds
        for activity in activities {
            next.add(real: activity.lifeEnd)
            next.add(wall: activity.nextDate(release).map { $0 &- offset })
            next.add(domain: activity.delayed?.due)
            if isReachable { next.add(domain: activity.tokenDue) }
        }
        return next.wait
    }
}
