// An app reports that an activity ended, or the server ends it and sends a push.

public import ScoreTypes

/// An app's report that an activity ended.
public struct ActivityEnd: Sendable, Hashable {
    /// The device that showed it.
    public let device: DeviceID
    /// ActivityKit's id.
    public let activityID: ActivityID
    /// Why.
    public let reason: EndReason
    /// The device's count of its changes.
    public let clientSequence: Int64

    /// Describes an end.
    public init(device: DeviceID, activityID: ActivityID, reason: EndReason, clientSequence: Int64) {
        self.device = device
        self.activityID = activityID
        self.reason = reason
        self.clientSequence = clientSequence
    }
}

/// The result of an app's report.
public enum ActivityEndOutcome: Sendable, Hashable {
    /// It was written, or had been before.
    case ended
    /// A newer registration of this activity is stored, with this count.
    case outdated(clientSequence: Int64)
    /// The device has no such activity.
    case unknown
}

/// An activity that the server ends; the push to the phone is yet to be sent.
public struct EndingActivity: Sendable, Hashable {
    /// The match that it shows.
    public let match: MatchID
    /// The device that shows it.
    public let device: DeviceID
    /// The registration that the push goes to.
    public let generation: Int32
    /// The APNs environment of its token or channel.
    public let environment: PushEnvironment
    /// The content state that it decodes.
    public let variant: ActivityVariant
    /// How it is reached; an activity on a channel ends with the channel's broadcast.
    public let route: ActivityRoute
    /// Why it ends.
    public let reason: EndReason
}

/// Key of a row that an app names by its activity's id.
struct DeviceActivityKey: BatchKey {
    let device: DeviceID
    let activityID: ActivityID

    var sortNumber: UInt64 { DeviceKey(device).sortNumber }

    static func < (left: DeviceActivityKey, right: DeviceActivityKey) -> Bool {
        if left.device != right.device { return DeviceKey(left.device) < DeviceKey(right.device) }
        return left.activityID < right.activityID
    }
}

extension ActivityEnd: BatchedCall {
    var key: DeviceActivityKey { DeviceActivityKey(device: device, activityID: activityID) }

    func outcome(supersededBy newer: ActivityEnd, with outcome: ActivityEndOutcome) -> ActivityEndOutcome { outcome }
}
