// The host of Live Activities that an app gives to its client, on every platform.

public import LiveSurface
public import ScoreClient

/// Live Activities by ActivityKit.
///
/// On iOS 16.1 and on systems without ActivityKit it refuses every start and reports no event: contents and their
/// updates can be read from iOS 16.2 on. Starts on a channel need iOS 18, scheduled ones iOS 26.
public struct ActivityKitHost: ActivityHost {
    private let host: any ActivityHost

    /// Makes the host.
    public init() {
        #if canImport(ActivityKit) && os(iOS)
            if #available(iOS 16.2, *) {
                host = ActivitySystemHost(ActivityKitSystem())
            } else {
                host = NoActivityHost()
            }
        #else
            host = NoActivityHost()
        #endif
    }

    /// The events of activities, from the call on; the observation ends with its reader.
    public func events() -> AsyncStream<ActivityEvent> { host.events() }

    /// The activities that the system lists now, also ended ones.
    public func activities() async -> [ObservedActivity] { await host.activities() }

    /// Starts an activity; without a time this is possible in the foreground only.
    ///
    /// - Throws: `ActivityStartError` when the system refuses it.
    public func start(_ start: ActivityStart) async throws(ActivityStartError) -> ObservedActivity {
        try await host.start(start)
    }

    /// Draws a state that is newer than the one on the screen; an unknown activity is ignored.
    ///
    /// From iOS 17.2 on no push with an older timestamp replaces the drawing. Before, one that is on its way does.
    public func update(
        _ activityID: String,
        to state: LiveActivityAttributes.ContentState,
        staleAt: Int64,
        timestamp: Int64?
    ) async {
        await host.update(activityID, to: state, staleAt: staleAt, timestamp: timestamp)
    }

    /// Ends an activity and removes it from the screen at once; an unknown activity is ignored.
    public func end(_ activityID: String) async { await host.end(activityID) }
}
