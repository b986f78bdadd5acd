// Hundreds of thousands of clients do not fit on a machine; a run of so many phones has an app without a client.

public import ScoreClient
public import ScoreTypes

/// A phone whose app starts the activity of one match and has no client: the run itself registers the activity.
///
/// Its `SimulatedPhoneSystem` decides what it does with a push.
public final class ActivityPhone: Sendable {
    /// The phone's iOS.
    public let system: SimulatedPhoneSystem
    private let match: MatchID

    /// Switches a phone on.
    ///
    /// - Parameters:
    ///   - number: The phone's number, different from those of other phones of the run.
    ///   - match: The match that it shows.
    ///   - release: Its iOS.
    ///   - seed: Draws its tokens and ids, different from those of other phones.
    ///   - environment: The parts that all phones share.
    public init(number: Int, match: MatchID, release: IOSRelease, seed: UInt64, environment: PhoneEnvironment) {
        self.match = match
        system = SimulatedPhoneSystem(
            number: number,
            release: release,
            seed: seed,
            environment: environment,
            app: { _, _ in }
        )
    }

    /// The activity that receives updates now; its token is nil until iOS gives one.
    public var activity: ObservedActivity? {
        system.process.flatMap { system.listedActivities(for: $0).last { $0.isRunning } }
    }

    /// Opens the app, starts the activity in place of the one that runs, and leaves the app.
    ///
    /// - Parameters:
    ///   - revision: The revision of the state that the app has read from the server; 0 for none.
    ///   - channel: The channel of its updates; nil for a token.
    /// - Throws: `ActivityStartError`, for example when the phone's iOS has no channels.
    public func startActivity(revision: Int64 = 0, channel: ChannelID? = nil) throws(ActivityStartError) {
        system.openApp()
        defer { system.leaveApp() }
        guard let process = system.process else { throw .unsupported }
        if let activity { system.end(activity.id, for: process) }
        _ = try system.start(.empty(of: match.text, revision: revision, channel: channel), for: process)
    }
}
