// Brings each publication to every follower: through one broadcast where phones can, through a request per token else.

internal import HTTP2
internal import Logging
public import ScoreTypes

/// The composition of lanes, channels, starts and ends; decisions are made in values, requests on the lanes' threads.
public actor Dispatcher {
    /// How often waiting work is looked at.
    static let tickInterval: Duration = .milliseconds(20)
    /// Longest time that completed buckets stay unrecorded, and the same when an alert was told.
    static let flushInterval: (ordinary: Duration, alert: Duration) = (.milliseconds(200), .milliseconds(25))
    /// How often a store that failed is asked again.
    static let storeRetryInterval: Duration = .milliseconds(250)

    /// Progress no longer waits for an environment without any connection for this long.
    static let unreachableMax: Duration = .seconds(30)

    /// Longest wait for answers at the end; a node has twenty seconds for all of its shutdown.
    static let graceMax: Duration = .seconds(3)

    struct MatchState {
        var pacing = MatchPacing()
        var launch: Launch?
        /// Buckets that this node serves, with the revision that each is recorded at.
        var resumed: [Bucket: Int64] = [:]
        var isResuming = false
        var exceptions = MissedActivities()
        var reportedSuperseded = 0
        var reportedUnchanged = 0
    }

    let configuration: DispatcherConfiguration
    nonisolated let tokens: any TokenSource
    let progress: any ProgressStore
    let clock: ServiceClock
    let observer: (any DispatchObserver)?
    let idKey: [UInt8]
    nonisolated let lanes: [Lane]
    let outbox = LaneOutbox()
    let channels: ChannelDirectory
    let providers: ProviderTokenBook
    let log = Logger(label: "score.push")
    let environments: [PushEnvironment]
    var metrics = PushMetrics()
    /// Provider tokens that the metrics know of.
    var reportedMinted: [PushEnvironment: Int] = [:]
    var matches: [MatchID: MatchState] = [:]
    var ledger = ProgressLedger()
    var isFlushing = false
    var lastFlush: Duration
    var nextFlushTry: Duration = .zero
    var starts = StartSchedule()
    var ladder: EndLadder
    let unrecorded = UnrecordedSends()
    /// When each environment last had an open connection.
    var lastReachable: [PushEnvironment: Duration] = [:]
    let startedAt: Duration
    var ends: [UInt64: EndLadder.Rung] = [:]
    var notices = NoticeBook()
    var lastTicket: UInt64 = 0
    var ring = RejectionRing()
    /// Answers since the start, by the three words.
    var answered: [PushEnvironment: (accepted: Int, rejected: Int, failed: Int)] = [:]
    /// Requests that were given up for their age since the start.
    var expired: [PushEnvironment: Int] = [:]
    var paused: Set<PushEnvironment> = []
    var breakerReasons: [PushEnvironment: APNsReason] = [:]
    var quarantines: [PushEnvironment: QuarantineGuard] = [:]
    var lastSlowTick: Duration = .zero

    /// Makes the dispatcher and its threads; nothing is sent before there is a provider token, which `run` sees to.
    ///
    /// - Parameters:
    ///   - configuration: Where and as whom to push.
    ///   - tokens: Where the fan-out finds its tokens.
    ///   - progress: Where it records how far it is.
    ///   - channels: Where channels are recorded.
    ///   - providerTokens: Where all nodes share the provider token.
    ///   - clock: Wall time for APNs, domain time for pacing.
    ///   - observer: Who hears of starts, ends and notifications.
    ///   - attempts: Who follows single requests, on the lanes' threads; nil for nobody.
    ///   - idKey: Bytes that all nodes share, for request ids; the same push then has the same id on every node.
    ///   - maySend: Whether this node may still act for its buckets; asked before each burst, on the lanes' threads.
    ///   - broadcasts: Whether this node sends the broadcasts of a match; must answer at once.
    public init(
        configuration: DispatcherConfiguration,
        tokens: any TokenSource,
        progress: any ProgressStore,
        channels: any ChannelStore,
        providerTokens: any ProviderTokenStore,
        clock: ServiceClock,
        observer: (any DispatchObserver)? = nil,
        attempts: (any AttemptObserver)? = nil,
        idKey: [UInt8] = [],
        maySend: @escaping @Sendable () -> Bool = { true },
        broadcasts: @escaping @Sendable (MatchID) -> Bool = { _ in true }
    ) {
        var system = SystemRandomNumberGenerator()
        self.init(
            configuration: configuration,
            tokens: tokens,
            progress: progress,
            channels: channels,
            providerTokens: providerTokens,
            clock: clock,
            observer: observer,
            attempts: attempts,
            idKey: idKey,
            maySend: maySend,
            broadcasts: broadcasts,
            seed: system.next(),
            thread: { LoopThread($0) }
        )
    }

    /// The same over other threads and connections than true ones, with chance that can be repeated.
    init(
        configuration: DispatcherConfiguration,
        tokens: any TokenSource,
        progress: any ProgressStore,
        channels: any ChannelStore,
        providerTokens: any ProviderTokenStore,
        clock: ServiceClock,
        observer: (any DispatchObserver)?,
        attempts: (any AttemptObserver)?,
        idKey: [UInt8],
        maySend: @escaping @Sendable () -> Bool,
        broadcasts: @escaping @Sendable (MatchID) -> Bool = { _ in true },
        seed: UInt64,
        thread: @Sendable (LaneSetting) -> any LaneThread
    ) {
        self.configuration = configuration
        self.tokens = tokens
        self.progress = progress
        self.clock = clock
        self.observer = observer
        self.idKey = idKey
        environments = configuration.environments.keys.sorted { $0.code < $1.code }
        (lastFlush, startedAt) = (clock.monotonic, clock.monotonic)
        ladder = EndLadder(clock: clock)
        var chance = SplitMix64(seed: seed)
        let (outbox, unrecorded, laneCount) = (outbox, unrecorded, max(1, configuration.lanes))
        let lanes = (0..<laneCount).map { index in
            let setting = LaneSetting(
                index: index,
                laneCount: laneCount,
                configuration: configuration,
                source: tokens,
                outbox: outbox,
                clock: clock,
                maySend: maySend,
                unrecorded: unrecorded,
                attempts: attempts,
                seed: chance.next()
            )
            return Lane(index: index, thread: thread(setting))
        }
        self.lanes = lanes
        let providers = ProviderTokenBook(
            configuration: configuration,
            store: providerTokens,
            clock: clock,
            jitter: chance.unit()
        )
        self.providers = providers
        self.channels = ChannelDirectory(
            configuration: configuration,
            store: channels,
            broadcasts: broadcasts,
            clock: clock,
            idKey: idKey,
            seed: chance.next(),
            token: { await providers.token(for: $0) },
            send: { push, environment in lanes[0].send([push], in: environment) }
        )
    }

    deinit {
        for lane in lanes { lane.stop() }
    }

    /// Works until cancelled: provider tokens, pacing, progress, repetitions; then closes the connections.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.outbox.signals { await self.digest() } }
            group.addTask { await self.repeatedly(every: Self.tickInterval) { await self.tick() } }
            group.addTask { await self.repeatedly(every: .milliseconds(100)) { await self.channels.tick() } }
            group.addTask { await self.repeatedly(every: .milliseconds(100)) { await self.renewProviderTokens() } }
        }
        // The waits of a cancelled task end at once, so that the grace needs a task of its own.
        await Task { await self.drain() }.value
        for lane in lanes { lane.stop() }
    }

    /// Begins nothing more, and waits a little for the buckets under way and for the answers of what is in the air.
    private func drain() async {
        for lane in lanes { lane.leave() }
        let deadline = clock.monotonic + Self.graceMax
        repeat {
            for lane in lanes { lane.measure() }
            try? await Task.sleep(for: Self.tickInterval)
            await digest()
        } while clock.monotonic < deadline
            && environments.map { outbox.gauges(of: $0) }.contains { $0.streamsInUse > 0 || $0.bucketsUnderWay > 0 }
        await flush()
    }

    /// Takes a publication; returns once it is handed to the lanes, or waits for its time.
    public func publish(_ publication: PushPublication) async {
        let match = publication.match
        let decision = matches[match, default: MatchState()].pacing.offer(publication, at: clock.domain)
        await carryOut(decision, for: match)
    }

    /// Looks again which buckets of a match this node serves; called after buckets were claimed or lost.
    public func bucketsChanged(of match: MatchID) async {
        guard matches[match]?.launch != nil else { return }
        await offer(match)
    }

    /// A match is over and its last repetition was made: everything about it is forgotten.
    public func forget(_ match: MatchID) async {
        matches[match] = nil
        ledger.forget(match)
        starts.forget(match)
        ladder.forget(match)
        await channels.forget(match)
        for lane in lanes { lane.forget(match) }
    }

    func carryOut(_ decision: MatchPacing.Decision, for match: MatchID) async {
        countPacing(of: match)
        guard case .launch(let plan) = decision else { return }
        do throws(PayloadError) {
            let launch = try Launch(plan: plan, key: idKey)
            metrics.planned(launch.kind, isUrgent: launch.riding != nil)
            metrics.payload(launch.kind, byteCount: launch.body(withAlert: launch.riding != nil).count)
            let before = matches[match]?.launch?.revision
            matches[match]?.exceptions.launched(after: before)
            matches[match]?.launch = launch
            // Neither channels nor new buckets, which may have to wait for their store, delay those who are served.
            hand(match)
            await channels.launch(launch)
            await takeOver(match)
        } catch {
            metrics.payloadTooLarge(plan.publication.isFinal ? .end : .update)
            log.error("publication too large", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    /// Gives the newest launch to the lanes, with the buckets that this node serves; takes over those that are new.
    func offer(_ match: MatchID) async {
        if await !takeOver(match) { hand(match) }
    }

    /// Takes over buckets that are new to this node and lets go of others; false when there were none.
    @discardableResult
    func takeOver(_ match: MatchID) async -> Bool {
        let buckets = tokens.buckets(of: match)
        let known = matches[match]?.resumed ?? [:]
        // Nearly always the same, and looked at twice a second for every match: sets are made only of what has changed.
        guard buckets.count != known.count || buckets.contains(where: { known[$0] == nil }) else { return false }
        let served = Set(buckets)
        let fresh = served.subtracting(known.keys)
        let gone = Set(known.keys).subtracting(served)
        for bucket in gone { matches[match]?.resumed[bucket] = nil }
        var owed: [DeviceID] = []
        if !fresh.isEmpty, matches[match]?.isResuming != true { owed = await resume(match, Array(fresh)) }
        guard !fresh.isEmpty || !gone.isEmpty else { return false }
        hand(match, evenWithoutBuckets: !gone.isEmpty)
        for device in owed {
            if let token = tokens.newest(of: match, device: device) { late(token) }
        }
        return true
    }

    /// Lanes that were never given a bucket keep early tokens until they are; those that had some must hear of none.
    private func hand(_ match: MatchID, evenWithoutBuckets: Bool = false) {
        guard let launch = matches[match]?.launch, let resumed = matches[match]?.resumed,
            evenWithoutBuckets || !resumed.isEmpty
        else { return }
        for lane in lanes {
            let share = resumed.filter { Int($0.key.number) % lanes.count == lane.index }
            lane.offer(launch, resumed: share.map { ($0.key, $0.value) })
        }
    }

    /// Takes buckets over; returns the devices that they were recorded without.
    private func resume(_ match: MatchID, _ buckets: [Bucket]) async -> [DeviceID] {
        matches[match]?.isResuming = true
        defer { matches[match]?.isResuming = false }
        do {
            let taken = try await progress.resume(match, buckets: buckets.sorted())
            let owed = try await progress.owed(match, buckets: taken.keys.sorted())
            for (bucket, revision) in taken { matches[match]?.resumed[bucket] = revision }
            return owed
        } catch {
            log.warning("buckets not taken over", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return []
        }
    }

    private func countPacing(of match: MatchID) {
        guard let state = matches[match] else { return }
        metrics.superseded(state.pacing.supersededCount - state.reportedSuperseded)
        metrics.unchanged(state.pacing.unchangedCount - state.reportedUnchanged)
        matches[match]?.reportedSuperseded = state.pacing.supersededCount
        matches[match]?.reportedUnchanged = state.pacing.unchangedCount
    }

    private nonisolated func repeatedly(every interval: Duration, _ body: @Sendable () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: interval)
        }
    }
}
