// Decides, match by match, which publication goes out, when, and at which priority.

public import ScoreTypes

/// The pacing of one match: newest wins, nothing older, nothing unchanged, ordinary updates ten seconds apart.
public struct MatchPacing: Sendable {
    /// Least distance of ordinary updates of one activity, in domain time.
    public static let ordinaryDistance: Duration = .seconds(10)
    /// Least distance of any two publications of a match towards APNs, in domain time.
    public static let distanceMin: Duration = .seconds(1)
    /// How long an alert still rides on newer states, in domain time.
    public static let alertAgeMax: Duration = .seconds(60)
    /// How long a picture counts as shown, in domain time: with a keep-alive twenty minutes after a change that showed
    /// nothing new, an activity is still told something every half hour.
    public static let unchangedMax: Duration = .seconds(300)
    /// Real floor of that for an alert under way: a fan-out takes its time however fast the clock runs.
    static let alertAgeFloor: Duration = .seconds(10)
    /// How many told alerts are remembered; a match has fewer moments than that.
    public static let toldMax = 512

    /// What waits for its time.
    public private(set) var waiting: PushPublication?
    /// How many publications a newer one replaced before they went out.
    public private(set) var supersededCount = 0
    /// How many publications showed nothing new.
    public private(set) var unchangedCount = 0

    private var launched: Launched?
    private var riding: Riding?
    private var told: [String] = []
    private var budget = PriorityBudget()

    /// Nothing launched yet.
    public init() {}

    /// What became of an offered publication.
    public enum Decision: Sendable {
        case launch(LaunchPlan)
        /// Nothing goes out before this moment of domain time.
        case wait(until: Duration)
        /// Nothing waits.
        case idle
    }

    /// Takes a publication and says what to do now; an older one than the newest known is ignored.
    public mutating func offer(_ publication: PushPublication, at now: Duration) -> Decision {
        let newest = max(launched?.revision ?? .min, waiting?.revision.number ?? .min)
        guard publication.revision.number > newest else { return due(at: now) }
        var next = publication
        if let waiting {
            supersededCount += 1
            next.inherit(from: waiting)
        }
        // Put right at once: whoever has not been reached must not hear of it.
        if let riding, !next.lets(stand: riding.key) {
            self.riding = nil
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
        return .launch(plan(next, at: now))
    }

    private func earliest(for next: PushPublication) -> Duration {
        guard let launched else { return .zero }
        let soon = launched.at + Self.distanceMin
        return next.isOrdinary ? max(soon, launched.at + Self.ordinaryDistance) : soon
    }

    private func isUnchanged(_ next: PushPublication, at now: Duration) -> Bool {
        guard let launched, next.isOrdinary, now - launched.at < Self.unchangedMax else { return false }
        return next.stateHash == launched.stateHash
            && (next.alertKey == nil || next.alertKey == launched.alertKey)
    }

    private mutating func plan(_ next: PushPublication, at now: Duration) -> LaunchPlan {
        var plain = PushPriority.five
        if next.priority == .ten, budget.spend(at: now) { plain = .ten }
        if let key = next.alertKey, let alert = next.alert, !told.contains(key) {
            told.append(key)
            if told.count > Self.toldMax { told.removeFirst() }
            riding = Riding(
                key: key,
                alert: alert,
                reach: next.alertReach,
                revision: next.alertRevision ?? next.revision.number,
                priority: plain,
                at: now
            )
        }
        if let ride = riding, now - ride.at >= Self.alertAgeMax { riding = nil }
        launched = Launched(
            revision: next.revision.number,
            stateHash: next.stateHash,
            alertKey: next.alertKey,
            at: now
        )
        return LaunchPlan(publication: next, priority: plain, riding: riding)
    }

    private struct Launched {
        let revision: Int64
        let stateHash: UInt64
        let alertKey: String?
        let at: Duration
    }
}

/// A publication that goes out, with what the budget left of its priority and the alert that rides on it.
public struct LaunchPlan: Sendable {
    /// What goes out.
    public let publication: PushPublication
    /// Priority of requests without the alert.
    public let priority: PushPriority
    /// The alert for those who have not had it; nil when there is none.
    public let riding: Riding?
}

/// An alert on its way: it rides on the newest state until everybody has had it, or it is a minute old.
public struct Riding: Sendable {
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
        let ageMax = clock.real(MatchPacing.alertAgeMax, floor: MatchPacing.alertAgeFloor)
        return (clock.domain - at) / clock.speed < ageMax
    }
}

extension PushPublication {
    /// Paced and dropped when unchanged: everything that nobody needs at once.
    var isOrdinary: Bool { cause == .ordinary && priority == .five && alert == nil && !isFinal }

    /// Whether an alert may still be told.
    fileprivate func lets(stand key: String) -> Bool { standingAlerts?.contains(key) ?? true }

    /// Takes over what a replaced publication still had to say.
    fileprivate mutating func inherit(from older: PushPublication) {
        if alert == nil, let olderAlert = older.alert, let key = older.alertKey, lets(stand: key) {
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
