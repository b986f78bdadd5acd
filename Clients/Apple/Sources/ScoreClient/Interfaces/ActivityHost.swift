// The interface to Live Activities: ActivityKit on an iPhone, a simulation elsewhere.

public import LiveSurface

/// Shows Live Activities.
public protocol ActivityHost: Sendable {
    /// The events of activities, from the first call on; ends when its reader is cancelled.
    func events() -> AsyncStream<ActivityEvent>

    /// The activities that the system lists now, also ended ones.
    func activities() async -> [ObservedActivity]

    /// Starts an activity.
    ///
    /// - Throws: `ActivityStartError` when the system refuses it.
    func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity

    /// Draws a state that is newer than the one on the screen; an unknown activity is ignored.
    ///
    /// - Parameters:
    ///   - activityID: The activity.
    ///   - state: The state.
    ///   - staleAt: The time from which it counts as stale, in milliseconds since 1970.
    ///   - timestamp: The `aps.timestamp` of the state's publication, in seconds since 1970, with which a system that
    ///     takes one ignores older pushes; nil when the server named none.
    func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async

    /// Ends an activity and removes it from the screen at once; an unknown activity is ignored.
    func end(_ activityID: String) async
}

/// An event of the system.
public enum ActivityEvent: Sendable, Hashable {
    /// A new push-to-start token; hexadecimal digits.
    case pushToStartToken(String)
    /// An activity that the app or a push has started.
    case started(ObservedActivity)
    /// A new token of an activity; hexadecimal digits.
    case token(activityID: String, String)
    /// The revision that an activity shows.
    case shows(activityID: String, revision: Int64)
    /// An activity whose stale date has passed without newer content.
    case stale(activityID: String)
    /// An activity that is over; `isDismissed` when the person removed it.
    case ended(activityID: String, isDismissed: Bool)
    /// The permissions of the person.
    case allowed(liveActivities: Bool, frequentPushes: Bool)
}

/// An activity as the system lists it.
public struct ObservedActivity: Sendable, Hashable, Codable {
    /// The states of ActivityKit.
    public enum Phase: String, Sendable, Hashable, Codable { case active, stale, pending, ended, dismissed }

    /// ActivityKit's id.
    public var id: String
    /// The match that it shows.
    public var matchID: String
    /// ActivityKit's state.
    public var phase: Phase
    /// The token, hexadecimal digits; nil before it is known and for an activity on a channel.
    public var token: String?
    /// The channel, when the attributes or the start name it.
    public var channelID: String?
    /// The revision on the screen.
    public var revision: Int64
    /// Whether a push started it.
    public var isStartedByPush: Bool

    /// Makes an activity.
    public init(
        id: String,
        matchID: String,
        phase: Phase = .active,
        token: String? = nil,
        channelID: String? = nil,
        revision: Int64 = 0,
        isStartedByPush: Bool = false
    ) {
        self.id = id
        self.matchID = matchID
        self.phase = phase
        self.token = token
        self.channelID = channelID
        self.revision = revision
        self.isStartedByPush = isStartedByPush
    }

    /// Whether it still takes updates.
    public var isRunning: Bool { phase != .ended && phase != .dismissed }
}

/// An activity to start.
public struct ActivityStart: Sendable, Hashable {
    /// The static part.
    public var attributes: LiveActivityAttributes
    /// The first state.
    public var state: LiveActivityAttributes.ContentState
    /// The channel to start on; nil for a token.
    public var channelID: String?
    /// The time from which the state counts as stale, in milliseconds since 1970.
    public var staleAt: Int64
    /// The time to start at, in milliseconds since 1970, where the system can; nil for now.
    public var startAt: Int64?

    /// Describes a start.
    public init(
        attributes: LiveActivityAttributes,
        state: LiveActivityAttributes.ContentState,
        channelID: String? = nil,
        staleAt: Int64,
        startAt: Int64? = nil
    ) {
        self.attributes = attributes
        self.state = state
        self.channelID = channelID
        self.staleAt = staleAt
        self.startAt = startAt
    }
}

/// The reason for which no activity was started.
public enum ActivityStartError: Error, Sendable, Hashable {
    /// The app has as many activities as the system or the server allows: end one first.
    case tooManyOfApp
    /// The system has as many activities as it allows: repeat later.
    case tooManyOfSystem
    /// The app is not in the foreground: repeat there.
    case notInForeground
    /// The person has switched Live Activities off: use alerts.
    case denied
    /// Attributes and state are too large.
    case tooLarge
    /// The match has an activity already, or one is being started.
    case alreadyRunning
    /// The match was unfollowed during the start, by the person or by the server: do nothing.
    case unfollowed
    /// This device has no Live Activities, or none on channels.
    case unsupported
    /// This system starts no activity at a later time: follow the match, and a push starts it.
    case cannotSchedule
    /// The app lacks `NSSupportsLiveActivities`: a defect of the app.
    case notEntitled
    /// The system failed: repeat later.
    case systemFailure
    /// The match could not be read first.
    case unreadable(ClientError)
}

/// A host for devices without Live Activities.
public struct NoActivityHost: ActivityHost {
    /// Makes the host.
    public init() {}

    /// A stream without events.
    public func events() -> AsyncStream<ActivityEvent> { AsyncStream { _ in } }

    /// No activity.
    public func activities() async -> [ObservedActivity] { [] }

    /// Refuses every start.
    ///
    /// - Throws: `ActivityStartError.unsupported`.
    public func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity {
        throw .unsupported
    }

    /// Does nothing.
    public func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {}

    /// Does nothing.
    public func end(_ activityID: String) async {}
}
