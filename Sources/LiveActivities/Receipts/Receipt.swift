// Phones report to any node; the owner of a phone's bucket judges the report.

public import FollowService
public import ScoreTypes

/// A phone's report of the revision that one of its activities shows.
public struct Receipt: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// The activity, with the revision on the screen and the newest one that APNs accepted for it.
    public let activity: ShownActivity
    /// When the phone showed it, by the clock of the server that received the report.
    public let observedAt: Instant

    /// Describes a report.
    public init(device: DeviceID, activity: ShownActivity, observedAt: Instant) {
        self.device = device
        self.activity = activity
        self.observedAt = observedAt
    }

    /// Names the row that the report is about.
    var key: ReceiptKey { ReceiptKey(match: activity.match, device: device) }
}

/// Names an activity as the store does: a device has one for each match.
struct ReceiptKey: Sendable, Hashable {
    let match: MatchID
    let device: DeviceID
}

/// An activity that a phone has reported as ended.
struct EndedActivity: Sendable, Hashable {
    let device: DeviceID
    let activity: ActivityID
}

/// A message of the node that a phone called to the node that owns the phone's bucket.
enum ReceiptMessage: Sendable, Hashable {
    case receipt(Receipt)
    case ended(EndedActivity)

    /// The phone.
    var device: DeviceID {
        switch self {
        case .receipt(let receipt): receipt.device
        case .ended(let activity): activity.device
        }
    }

    /// The message as one line; ids contain no spaces.
    var line: String {
        switch self {
        case .ended(let activity): return "\(activity.device) \(activity.activity)"
        case .receipt(let receipt):
            let activity = receipt.activity
            return """
                \(receipt.device) \(activity.match) \(activity.activityID) \(activity.shown) \(activity.accepted) \
                \(activity.startedAt.milliseconds) \(receipt.observedAt.milliseconds)
                """
        }
    }

    /// Reads a line; nil when it has another form.
    init?(line: some StringProtocol) {
        let parts = line.split(separator: " ").map { String($0) }
        if parts.count == 2, let device = DeviceID(parts[0]), let activity = ActivityID(parts[1]) {
            self = .ended(EndedActivity(device: device, activity: activity))
            return
        }
        guard parts.count == 7, let device = DeviceID(parts[0]), let match = MatchID(parts[1]),
            let activity = ActivityID(parts[2]), let shown = Int64(parts[3]), let accepted = Int64(parts[4]),
            let startedAt = Int64(parts[5]), let observedAt = Int64(parts[6])
        else { return nil }
        let showing = ShownActivity(
            activityID: activity,
            match: match,
            shown: shown,
            accepted: accepted,
            startedAt: Instant(milliseconds: startedAt)
        )
        self = .receipt(
            Receipt(device: device, activity: showing, observedAt: Instant(milliseconds: observedAt))
        )
    }
}
