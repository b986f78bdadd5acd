// Decides, match by match, which publication goes out, when, and at which priority.

public import ScoreTypes

/// The pacing of one match: newest wins, nothing older, nothing unchanged, ordinary updates ten seconds apart.
public struct MatchPacing: Sendable {
    /// What waits for its time.
    public private(set) var waiting: PushPublication?
    /// How many publications a newer one replaced before they went out.
    public private(set) var supersededCount = 0
    /// How many publications showed nothing new.
    public private(set) var unchangedCount = 0

    private var last: LastPublication?
    private var activeAlert: ActiveAlert?
    private var announcedKeys: [String] = []
    private var budget = PriorityBudget()

    /// Nothing launched yet.
    public init() {}

    /// What became of an offered publication.
    public enum Decision: Sendable {
        case publish(PublicationPlan)
        /// Nothing goes out before this moment of domain time.
        case wait(until: Duration)
        /// Nothing waits.
        case idle
    }

    /// Takes a publication and says what to do now; an older one than the newest known is ignored.
    public mutating func offer(_ publication: PushPublication, at now: Duration) -> Decision {
        let newest = max(last?.revision ?? .min, waiting?.revision.number ?? .min)
        guard publication.revision.number > newest else { return due(at: now) }
        var next = publication
        if let waiting {
            supersededCount += 1
            next.inherit(from: waiting)
        }
        // Put right at once: whoever has not been reached must not hear of it.
        if let activeAlert, !next.allows(activeAlert.key) {
            self.activeAlert = nil
            if next.cause == .ordinary { next.cause = .correction }
        }
        waiting = next
        return due(at: now)
    }

    /// Says what to do at a moment of domain time.
    public mutating func due(at now: Duration) -> Decision {
        guard let next = waiting else { return .idle }
        let moment = earliest(for: next)
        guard now >= moment else { return .wait(until: moment) }
        waiting = nil
        guard !isUnchanged(next, at: now) else {
            unchangedCount += 1
            return .idle
        }
        return .publish(plan(next, at: now))
    }

    private func earliest(for next: PushPublication) -> Duration {
        guard let last else { return .zero }
        let soon = last.at + PushLimits.publicationDistance
        return next.isOrdinary ? max(soon, last.at + PushLimits.ordinaryDistance) : soon
    }

    private func isUnchanged(_ next: PushPublication, at now: Duration) -> Bool {
        guard let last, next.isOrdinary, now - last.at < PushLimits.unchangedAge else { return false }
        return next.stateHash == last.stateHash
            && (next.alertKey == nil || next.alertKey == last.alertKey)
    }

    private mutating func plan(_ next: PushPublication, at now: Duration) -> PublicationPlan {
        var plain = PushPriority.five
        if next.priority == .ten, budget.spend(at: now) { plain = .ten }
        if let key = next.alertKey, let alert = next.alert, !announcedKeys.contains(key) {
            announcedKeys.append(key)
            if announcedKeys.count > PushLimits.announcedAlerts { announcedKeys.removeFirst() }
            activeAlert = ActiveAlert(
                key: key,
                alert: alert,
                reach: next.alertReach,
                revision: next.alertRevision ?? next.revision.number,
                priority: plain,
                at: now
            )
        }
        if let ride = activeAlert, now - ride.at >= PushLimits.alertAge { activeAlert = nil }
        last = LastPublication(
            revision: next.revision.number,
            stateHash: next.stateHash,
            alertKey: next.alertKey,
            at: now
        )
        return PublicationPlan(publication: next, priority: plain, activeAlert: activeAlert)
    }

    private struct LastPublication {
        let revision: Int64
        let stateHash: UInt64
        let alertKey: String?
        let at: Duration
    }
}

/// A publication that goes out, with what the budget left of its priority and the alert that rides on it.
public struct PublicationPlan: Sendable {
    /// What goes out.
    public let publication: PushPublication
    /// Priority of requests without the alert.
    public let priority: PushPriority
    /// The alert for those who have not had it; nil when there is none.
    public let activeAlert: ActiveAlert?
}

/// An alert on its way: it rides on the newest state until everybody has had it, or it is a minute old.
public struct ActiveAlert: Sendable {
    /// Names the moment.
    public let key: String
    /// The words.
    public let alert: PushAlert
    /// Whom it is for.
    public let reach: AlertReach
    /// The revision at which the moment was first told.
    public let revision: Int64
    /// Priority of requests with the alert.
    public let priority: PushPriority
    /// When it was launched, in domain time.
    public let at: Duration

    /// Whether it may still be told, even if nothing newer has gone out.
    func isNews(by clock: ServiceClock) -> Bool {
        let ageMax = clock.real(PushLimits.alertAge, floor: PushLimits.alertAgeFloor)
        return (clock.domain - at) / clock.speed < ageMax
    }
}

extension PushPublication {
    /// Paced and dropped when unchanged: everything that nobody needs at once.
    var isOrdinary: Bool { cause == .ordinary && priority == .five && alert == nil && !isFinal }

    /// Whether an alert may still be told.
    fileprivate func allows(_ key: String) -> Bool { standingAlerts?.contains(key) ?? true }

    /// Takes over what a replaced publication still had to say.
    fileprivate mutating func inherit(from older: PushPublication) {
        if alert == nil, let olderAlert = older.alert, let key = older.alertKey, allows(key) {
            alert = olderAlert
            alertKey = older.alertKey
            alertRevision = older.alertRevision ?? older.revision.number
            alertReach = older.alertReach
            priority = max(priority, older.priority)
        }
        if cause == .ordinary { cause = older.cause }
        if older.isFinal { isFinal = true }
    }
}
