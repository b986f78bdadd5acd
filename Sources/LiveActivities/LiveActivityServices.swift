// The services of this target belong together: all of them run on a node that pushes, and none on one that does not.

public import FollowService
internal import Logging
public import MatchJournal
public import Postgres
public import PushDispatcher
public import ScoreTypes

/// The services that keep Live Activities; a node without a signing key has none.
public struct LiveActivityServices: Sendable {
    /// The settings of an operator.
    public struct Configuration: Sendable {
        /// APNs endpoints, app and key.
        public var dispatcher: DispatcherConfiguration
        /// The Swift name of the product's own attributes in the app.
        public var attributesType: String
        /// The URL scheme of the app, for deep links.
        public var deepLinkScheme: String
        /// The category of notifications that the app registers; nil for `surface-update`.
        public var notificationCategory: String?
        /// Whether channels of Apple's list without a record are deleted; another system may serve the same app.
        public var deletesUnknownChannels: Bool
        /// Secret bytes that all nodes share; request ids are derived from them.
        public var requestIDKey: [UInt8]

        /// Describes the services.
        public init(
            dispatcher: DispatcherConfiguration,
            attributesType: String,
            deepLinkScheme: String,
            notificationCategory: String? = nil,
            deletesUnknownChannels: Bool = false,
            requestIDKey: [UInt8] = []
        ) {
            self.dispatcher = dispatcher
            self.attributesType = attributesType
            self.deepLinkScheme = deepLinkScheme
            self.notificationCategory = notificationCategory
            self.deletesUnknownChannels = deletesUnknownChannels
            self.requestIDKey = requestIDKey
        }

        /// The APNs environments that are pushed to, in a fixed order.
        var environments: [PushEnvironment] { dispatcher.environments.keys.sorted { $0.code < $1.code } }
    }

    /// One of the services, to be run for as long as the node runs.
    public struct Part: Sendable {
        /// Its name in logs.
        public let name: String
        /// Runs it until cancelled.
        public let run: @Sendable () async -> Void
    }

    /// Sends the pushes.
    public let dispatcher: Dispatcher
    /// Ends activities before their match.
    public let ending: ActivityEnding
    /// Ends silent activities.
    public let sweep: SilentActivitySweep
    let audience: Audience
    let notifier: MomentNotifier
    let widgets: WidgetReloader
    let channels: ChannelMaintenance
    private let ownership: BucketOwnership

    /// Makes the services; nothing is sent before they run.
    ///
    /// - Parameters:
    ///   - configuration: The settings.
    ///   - stores: The stores of followers, over the node's own connections.
    ///   - progress: The store of fan-out progress, over connections of its own.
    ///   - publications: The newest states of matches.
    ///   - membership: The node's term and leases.
    ///   - ownership: The buckets that this node sends for.
    ///   - receipts: The receipts of phones; stuck activities are started again.
    ///   - clock: Wall time for APNs, domain time for pacing.
    ///   - attempts: Receives single requests, on the dispatcher's threads; nil for none.
    public init(
        _ configuration: Configuration,
        stores: FollowerStores,
        progress: ProgressRecords,
        publications: PublicationCache,
        membership: Membership,
        ownership: BucketOwnership,
        receipts: ReceiptMonitor,
        clock: ServiceClock,
        attempts: (any AttemptObserver)? = nil
    ) {
        let recorder = OutcomeRecorder(stores: stores, clock: clock)
        let dispatcher = Dispatcher(
            configuration: configuration.dispatcher,
            tokens: stores.arenas,
            progress: progress,
            channels: stores.channels,
            providerTokens: stores.providerTokens,
            clock: clock,
            observer: recorder,
            attempts: attempts,
            idKey: configuration.requestIDKey,
            maySend: { ownership.maySend },
            broadcasts: { ownership.broadcasts($0) }
        )
        self.dispatcher = dispatcher
        self.ownership = ownership
        ending = ActivityEnding(
            stores: stores,
            dispatcher: dispatcher,
            publications: publications,
            recorder: recorder
        )
        sweep = SilentActivitySweep(ending: ending, clock: clock)
        audience = Audience(
            ending: ending,
            ownership: ownership,
            receipts: receipts,
            clock: clock,
            configuration: configuration
        )
        let scheme = configuration.deepLinkScheme
        notifier = MomentNotifier(
            audience: stores.alertAudience,
            dispatcher: dispatcher,
            buckets: { ownership.buckets },
            term: { ownership.maySend ? membership.term : nil },
            clock: clock,
            form: NotificationForm(scheme: scheme, category: configuration.notificationCategory)
        )
        widgets = WidgetReloader(stores.widgetAudience, dispatcher, ownership, clock, scheme: scheme)
        channels = ChannelMaintenance(
            records: stores.channels,
            dispatcher: dispatcher,
            membership: membership,
            configuration: configuration,
            clock: clock
        )
    }

    /// The services in the order in which they start.
    public var parts: [Part] {
        [
            Part(name: "dispatcher") { [dispatcher] in await dispatcher.run() },
            Part(name: "bucket changes") { await followBuckets() },
            Part(name: "audience") { [audience] in await audience.run() },
            Part(name: "notifications") { [notifier] in await notifier.run() },
            Part(name: "widgets") { [widgets] in await widgets.run() },
            Part(name: "channels") { [channels] in await channels.run() },
        ]
    }

    /// Why this node could not manage channels, in one sentence; nil if Apple accepted its last requests.
    public var channelProblem: String? { channels.problem }

    /// Sends the newest state of a match to phones; returns when the dispatcher has it.
    public func publish(_ publication: Publication) async {
        await audience.prepare(for: publication)
        await dispatcher.publish(publication.push)
        notifier.announce(publication)
        widgets.note(publication)
    }

    /// Stops or resumes starts, renewals and ends of a match that an operator holds or releases.
    public func updateHold(of head: JournalHead) async { await audience.updateHold(of: head) }

    /// Passes changes of bucket ownership on until cancelled.
    func followBuckets() async {
        for await _ in ownership.changes {
            await audience.bucketsChanged()
            await notifier.bucketsChanged()
        }
    }
}
