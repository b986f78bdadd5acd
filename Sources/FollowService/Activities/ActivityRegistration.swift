// An app registers each Live Activity with its token or channel.

public import ScoreTypes

/// How an activity is reached.
public enum ActivityRoute: Sendable, Hashable {
    /// By pushes to a token of its own.
    case token(PushToken)
    /// By the broadcast channel that it subscribed to (iOS 18).
    case channel(ChannelID)
}

/// The starter of an activity, by its name in the API.
public enum ActivityStarter: String, Sendable, Hashable, CaseIterable {
    case app, push

    /// The number as stored.
    var code: Int16 { self == .app ? 0 : 1 }
}

/// One activity as its app registers it: first, with a new token, or again.
public struct ActivityRegistration: Sendable, Hashable {
    /// The device that shows it.
    public let device: DeviceID
    /// The match that it shows.
    public let match: MatchID
    /// ActivityKit's id; a new one stands for a new activity.
    public let activityID: ActivityID
    /// The APNs environment of its token or channel.
    public let environment: PushEnvironment
    /// The content state that it decodes.
    public var variant: ActivityVariant
    /// How it is reached.
    public let route: ActivityRoute
    /// The newest revision that it shows, 0 for none.
    public let knownRev: Int64
    /// The start by the device's clock; a time outside the last twelve hours is moved to their edge.
    public let startedAt: Instant
    /// The starter.
    public let startedBy: ActivityStarter
    /// The device's count of its changes.
    public let clientSequence: Int64

    /// Describes an activity.
    public init(
        device: DeviceID,
        match: MatchID,
        activityID: ActivityID,
        environment: PushEnvironment,
        variant: ActivityVariant = .own,
        route: ActivityRoute,
        knownRev: Int64 = 0,
        startedAt: Instant,
        startedBy: ActivityStarter = .app,
        clientSequence: Int64
    ) {
        self.device = device
        self.match = match
        self.activityID = activityID
        self.environment = environment
        self.variant = variant
        self.route = route
        self.knownRev = knownRev
        self.startedAt = startedAt
        self.startedBy = startedBy
        self.clientSequence = clientSequence
    }
}

/// Why an activity ended.
public enum EndReason: String, Sendable, Hashable, CaseIterable {
    /// Reported by the app; a later registration with the same id is refused.
    case ended, dismissed, stale, unfollowed
    /// APNs refused its token for good.
    case rejected
    /// Nothing was accepted for it for half an hour.
    case silent
    /// It reached ActivityKit's eight hours.
    case expired
    /// Its match or its day's play is over.
    case over
    /// Its app no longer has it.
    case missing
    /// Its phone has registered as another device.
    case moved
    /// Its device was erased.
    case erased
    /// An operator ended it, or blocked its device.
    case `operator`

    /// The reasons that an app reports.
    public static let ofApp: [EndReason] = [.ended, .dismissed, .stale, .unfollowed]

    /// Whether the end is final; else a newer registration makes the activity active again.
    public var isFinal: Bool {
        switch self {
        case .ended, .dismissed, .stale, .unfollowed, .erased, .operator: true
        case .rejected, .silent, .expired, .over, .missing, .moved: false
        }
    }

    /// Whether the end was inferred from a rejected or moved token or a missing activity, without an end push.
    ///
    /// Then the person may have dismissed it. After an end push the phone reports `dismissed`, too.
    public var isInferred: Bool { self == .rejected || self == .missing || self == .moved }
}

/// The stored state of an activity, for a caller whose registration is outdated.
public struct StoredActivity: Sendable, Hashable {
    /// ActivityKit's id.
    public let activityID: ActivityID
    /// The number of registrations.
    public let generation: Int32
    /// The device's count with which it was stored.
    public let clientSequence: Int64
    /// The reason of its end; nil while it is active.
    public let endReason: EndReason?
}

/// The result of a registration.
public enum ActivityOutcome: Sendable, Hashable {
    /// It was written, and is active.
    case registered(generation: Int32)
    /// It was written, is active, and takes the place of another activity of the match on the device.
    case replaced(ActivityID, generation: Int32)
    /// The same call had been written before; the activity is active.
    case unchanged(generation: Int32)
    /// A registration with a greater client sequence is stored, or another one with the same.
    case outdated(StoredActivity)
    /// The activity has ended for good.
    case ended(EndReason)
    /// The device was erased, or is blocked.
    case unknownDevice

    /// The outcome of a call that did not change its row; `isRepeated` says that the row has the call's content.
    init(of call: ActivityRegistration, stored: StoredActivity, isRepeated: Bool) {
        if stored.clientSequence > call.clientSequence || stored.activityID != call.activityID {
            self = .outdated(stored)
        } else if let reason = stored.endReason {
            self = .ended(reason)
        } else {
            self = isRepeated ? .unchanged(generation: stored.generation) : .outdated(stored)
        }
    }
}

extension ActivityRegistration: BatchedCall {
    var key: DeviceMatchKey { DeviceMatchKey(match: match, device: device) }

    /// Its channel with its environment; nil on a token.
    var channel: (PushEnvironment, ChannelID)? {
        if case .channel(let channel) = route { (environment, channel) } else { nil }
    }

    func outcome(supersededBy newer: ActivityRegistration, with outcome: ActivityOutcome) -> ActivityOutcome {
        switch outcome {
        case .registered(let generation), .replaced(_, let generation), .unchanged(let generation):
            .outdated(
                StoredActivity(
                    activityID: newer.activityID,
                    generation: generation,
                    clientSequence: newer.clientSequence,
                    endReason: nil
                )
            )
        case .outdated, .ended, .unknownDevice: outcome
        }
    }
}
