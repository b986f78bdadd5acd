// Decides for each match which publication is sent, when, and at which priority.

internal import ScoreTypes

/// The pacing of one match: the newest state wins, unchanged states are dropped, updates keep their distance.
struct MatchPacing: Sendable {
    /// The publication that waits for its time.
    private(set) var waiting: PushPublication?
    /// Publications that a newer one replaced before they were sent.
    private(set) var supersededCount = 0
    /// Publications that were dropped as unchanged.
    private(set) var unchangedCount = 0

    /// Publications of priority 10 that are sent at 5, because the budget is used up.
    var lowered: [PriorityBudget.Span: Int] { budget.refused }

    private var last: LastPublication?
    private var activeAlert: ActiveAlert?
    private var announcedKeys: [String] = []
    private var budget = PriorityBudget()

    /// The result of an offered publication.
    enum Decision: Sendable {
        case publish(PublicationPlan)
        /// Nothing is sent before this moment of domain time.
        case wait(until: Duration)
        /// Nothing waits.
        case idle
    }

    /// Takes a publication and decides what to send now; one that is older than the newest known is ignored.
    mutating func offer(_ publication: PushPublication, at now: Duration) -> Decision {
        let newest = max(last?.revision ?? .min, waiting?.revision.number ?? .min)
        guard publication.revision.number > newest else { return due(at: now) }
        var next = publication
        if let waiting {
            supersededCount += 1
            next.inherit(from: waiting)
        }
        // A withdrawn alert is corrected at once; devices not yet reached never receive it.
        if let activeAlert, !next.allows(activeAlert.key) {
            self.activeAlert = nil
            if next.cause == .ordinary { next.cause = .correction }
        }
        waiting = next
        return due(at: now)
    }

    /// Decides what to send at a moment of domain time.
    mutating func due(at now: Duration) -> Decision {
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
        let infrequent: PushPriority =
            plain == .ten && budget.spendInfrequent(at: now, relevance: next.relevance) ? .ten : .five
        if let key = next.alertKey, let alert = next.alert, !announcedKeys.contains(key) {
            announcedKeys.append(key)
            if announcedKeys.count > PushLimits.announcedAlerts { announcedKeys.removeFirst() }
            activeAlert = ActiveAlert(
                key: key,
                alert: alert,
                reach: next.alertReach,
                revision: next.alertRevision ?? next.revision.number,
                second: UInt32(clamping: (next.alertedAt ?? next.committedAt).seconds),
                priority: plain,
                infrequentPriority: infrequent,
                at: now
            )
        }
        if let activeAlert, now - activeAlert.at >= PushLimits.alertAge { self.activeAlert = nil }
        last = LastPublication(
            revision: next.revision.number,
            stateHash: next.stateHash,
            alertKey: next.alertKey,
            at: now
        )
        return PublicationPlan(
            publication: next,
            priority: plain,
            infrequentPriority: infrequent,
            activeAlert: activeAlert
        )
    }

    private struct LastPublication {
        let revision: Int64
        let stateHash: UInt64
        let alertKey: String?
        let at: Duration
    }
}

/// A publication to send, with the priority that the budget allows and the active alert.
struct PublicationPlan: Sendable {
    /// The publication.
    let publication: PushPublication
    /// Priority of requests without the alert.
    let priority: PushPriority
    /// The same for devices that do not allow frequent pushes.
    var infrequentPriority = PushPriority.five
    /// The alert for devices that have not received it; nil for none.
    let activeAlert: ActiveAlert?
}

/// An alert that is sent with the newest state until every device has received it, for a minute at most.
struct ActiveAlert: Sendable {
    /// Identifies the moment.
    let key: String
    /// Title and body.
    let alert: PushAlert
    /// The devices that it is for.
    let reach: AlertReach
    /// The revision that first announced the moment.
    let revision: Int64
    /// Seconds since 1970; an activity that was registered later does not receive it.
    var second = UInt32.max
    /// Priority of requests with the alert.
    let priority: PushPriority
    /// The same for devices that do not allow frequent pushes.
    var infrequentPriority = PushPriority.five
    /// When it was first sent, in domain time.
    let at: Duration

    /// Whether it is recent enough to be sent, even if nothing newer was published.
    func isNews(by clock: ServiceClock) -> Bool {
        (clock.domain - at) / clock.speed < clock.real(PushLimits.alertAge, .alert)
    }
}

extension PushPublication {
    /// Whether it is paced, and dropped if unchanged.
    var isOrdinary: Bool { cause == .ordinary && priority == .five && alert == nil && !isFinal }

    /// Whether an alert may still be sent.
    fileprivate func allows(_ key: String) -> Bool { standingAlerts?.contains(key) ?? true }

    /// Takes over the alert, cause and end of a replaced publication.
    fileprivate mutating func inherit(from older: PushPublication) {
        if alert == nil, let olderAlert = older.alert, let key = older.alertKey, allows(key) {
            alert = olderAlert
            alertKey = older.alertKey
            alertRevision = older.alertRevision ?? older.revision.number
            alertReach = older.alertReach
            alertedAt = older.alertedAt ?? older.committedAt
            priority = max(priority, older.priority)
        }
        if cause == .ordinary { cause = older.cause }
        if older.isFinal { isFinal = true }
    }
}
