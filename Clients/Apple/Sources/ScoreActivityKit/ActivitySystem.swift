// The part of ActivityKit that has no logic: ActivityKit implements it on an iPhone, a simulation in tests.

internal import LiveSurface
internal import ScoreClient

/// The system that shows activities.
protocol ActivitySystem: Sendable {
    /// One activity.
    associatedtype Item: SystemActivity

    /// The activities that the system lists now, also ended ones.
    var activities: [Item] { get }

    /// Starts an activity.
    func request(_ start: ActivityStart) throws(ActivityStartError) -> Item

    /// Calls a function for each activity that exists or starts, until the task is cancelled.
    func eachActivity(_ body: @escaping @Sendable (Item) async -> Void) async

    /// Calls a function for each push-to-start token, hexadecimal digits, until the task is cancelled.
    func eachStartToken(_ body: @escaping @Sendable (String) async -> Void) async

    /// Calls a function for the permissions of the person and each change of them, until the task is cancelled.
    func eachPermission(_ body: @escaping @Sendable (ActivityPermission) async -> Void) async
}

/// The permissions of the person.
struct ActivityPermission: Sendable, Hashable {
    var liveActivities: Bool
    var frequentPushes: Bool
}

/// One activity of the system.
protocol SystemActivity: Sendable {
    /// ActivityKit's id.
    var id: String { get }

    /// The activity now; `isStartedByPush` is always false, since the system does not name the origin.
    var observed: ObservedActivity { get }

    /// Calls a function for each token, hexadecimal digits, until the task is cancelled; never for one on a channel.
    func eachToken(_ body: @escaping @Sendable (String) async -> Void) async

    /// Calls a function for the revision of each new content that this app can decode, until the task is cancelled.
    func eachRevision(_ body: @escaping @Sendable (Int64) async -> Void) async

    /// Calls a function for each phase, until the function returns false or the task is cancelled.
    ///
    /// - Returns: Whether the function has returned false.
    func eachPhase(while body: @escaping @Sendable (ObservedActivity.Phase) async -> Bool) async -> Bool

    /// Draws a state; with the timestamp of its publication, where the system takes one, older pushes have no effect.
    func update(to state: LiveActivityAttributes.ContentState, staleAt: Int64, timestamp: Int64?) async

    /// Ends the activity and removes it at once.
    func end() async
}
