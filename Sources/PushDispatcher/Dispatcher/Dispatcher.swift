// Sends each publication to every follower: by one broadcast to channels, by one request to each activity token.

internal import HTTP2
internal import Logging
public import ScoreTypes

/// Connects lanes, channels, starts and ends. Values decide; the threads of the lanes send the requests.
public actor Dispatcher {
    struct MatchState {
        var pacing = MatchPacing()
        var encoded: EncodedPublication?
        var served = ServedBuckets()
        var isResuming = false
        var exceptions = MissedActivities()
        var firstRequests = FirstRequests()
        var reportedSuperseded = 0
        var reportedUnchanged = 0
        var reportedLowered: [PriorityBudget.Span: Int] = [:]
    }

    let configuration: DispatcherConfiguration
    nonisolated let tokens: any TokenSource
    let progress: any ProgressStore
    let clock: ServiceClock
    let observer: (any DispatchObserver)?
    let idKey: [UInt8]
    nonisolated let lanes: [any LaneThread]
    let outbox = LaneOutbox()
    /// The channels of this node's matches.
    public nonisolated let channels: ChannelDirectory
    let providers: ProviderTokenCache
    let log = Logger(label: "score.push")
    let environments: [PushEnvironment]
    var metrics = PushMetrics()
    /// Signed provider tokens that are counted in the metrics.
    var reportedMinted: [PushEnvironment: Int] = [:]
    var matches: [MatchID: MatchState] = [:]
    var tracker = ProgressTracker()
    var isFlushing = false
    var lastFlush: Duration
    var nextFlushTry: Duration = .zero
    var starts = StartSchedule()
    /// The node is shutting down: starts are refused.
    var isLeaving = false
    /// The channels of starts without a result, by ticket.
    var startChannels: [UInt64: ChannelID] = [:]
    var endRetries: EndRetrySchedule
    let unrecorded = UnrecordedSends()
    /// When each environment last had an open connection.
    var lastReachable: [PushEnvironment: Duration] = [:]
    let startedAt: Duration
    var ends: [UInt64: EndRetrySchedule.PendingEnd] = [:]
    var notices = NotificationPages()
    /// The callers that wait for APNs' answer to one request, by ticket.
    var awaited: [UInt64: CheckedContinuation<DirectedResult?, Never>] = [:]
    var lastTicket: UInt64 = 0
    /// Answers since the start of the node.
    var answered: [PushEnvironment: (accepted: Int, rejected: Int, failed: Int)] = [:]
    /// Requests that expired since the start of the node.
    var expired: [PushEnvironment: Int] = [:]
    var roundTrips: [PushEnvironment: RoundTrips] = [:]
    var paused: Set<PushEnvironment> = []
    /// Whether starts are sent; an operator can switch them off.
    public internal(set) var startsAreAllowed = true
    var quarantines: [PushEnvironment: QuarantineGuard] = [:]
    var lastSlowTick: Duration = .zero

    /// Makes the dispatcher and its threads; `run` gets the provider tokens, without which nothing is sent.
    ///
    /// - Parameters:
    ///   - configuration: APNs endpoints, app and key.
    ///   - tokens: The activity tokens in memory.
    ///   - progress: The store of progress by bucket.
    ///   - channels: The store of channels.
    ///   - providerTokens: The store of the shared provider token.
    ///   - clock: Wall time for APNs, domain time for pacing.
    ///   - observer: Receives the results of starts, ends and notifications; nil for none.
    ///   - attempts: Receives single attempts, on the lanes' threads; nil for none.
    ///   - idKey: Secret bytes shared by all nodes; the same push then has the same `apns-id` on every node.
    ///   - maySend: Whether this node's term is valid; called before each burst, on the lanes' threads.
    ///   - broadcasts: Whether this node sends the broadcasts of a match; must return at once.
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
        self.configuration = configuration
        self.tokens = tokens
        self.progress = progress
        self.clock = clock
        self.observer = observer
        self.idKey = idKey
        environments = configuration.environments.keys.sorted { $0.code < $1.code }
        (lastFlush, startedAt) = (clock.monotonic, clock.monotonic)
        endRetries = EndRetrySchedule(clock: clock)
        var chance = SplitMix64(seed: configuration.seed ?? .random(in: 0 ... .max))
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
            return configuration.thread(setting)
        }
        self.lanes = lanes
        let providers = ProviderTokenCache(
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
            attempts: attempts,
            token: { await providers.token(for: $0) },
            send: { push, environment in lanes[0].send([push], in: environment) }
        )
    }

    deinit {
        for lane in lanes { lane.stop() }
    }

    /// Runs provider tokens, pacing, progress and repetitions until cancelled; then ends the connections and threads.
    public func run() async {
        await withTaskGroup(of: Void.self) { group in
            group.addTask { for await _ in self.outbox.signals { await self.digest() } }
            group.addTask { await self.repeatedly(every: PushLimits.tick) { await self.tick() } }
            group.addTask { await self.repeatedly(every: PushLimits.channelTick) { await self.channels.tick() } }
            group.addTask { await self.repeatedly(every: PushLimits.tokenTick) { await self.renewProviderTokens() } }
        }
        // Waits of a cancelled task return at once, so that the grace period needs a task of its own.
        await Task { await self.drain() }.value
        for lane in lanes { lane.stop() }
        // The end of the process frees the memory of OpenSSL, which a thread would still use.
        for lane in lanes { await lane.ended() }
    }

    /// Starts nothing new, and waits for the current buckets and open requests for `PushLimits.shutdownGrace`.
    ///
    /// Then all that was sent is recorded, so that the successor repeats none of it: open requests count as ambiguous.
    /// At last requests that were never sent are reported as refused, so that the successor plans their starts again.
    private func drain() async {
        isLeaving = true
        await channels.leave()
        for lane in lanes { lane.leave() }
        let deadline = clock.monotonic + PushLimits.shutdownGrace
        repeat {
            for lane in lanes { lane.measure() }
            try? await Task.sleep(for: PushLimits.tick)
            await digest()
        } while clock.monotonic < deadline
            && environments.map { outbox.gauges(of: $0) }.contains { $0.streamsInUse > 0 || $0.bucketsUnderWay > 0 }
        for lane in lanes { await lane.abandon() }
        await digest()
        await recordAll()
        for lane in lanes { await lane.returnWaiting() }
        await digest()
        await refuseWaitingStarts()
    }

    /// Records completed buckets and broadcasts, for `PushLimits.shutdownRecording` at most.
    private func recordAll() async {
        let end = clock.monotonic + PushLimits.shutdownRecording
        while clock.monotonic < end {
            // A cancelled task's failure has set a pause.
            nextFlushTry = .zero
            await flush()
            await channels.recordBroadcasts()
            let areBroadcastsRecorded = await channels.isRecorded
            if tracker.isEmpty, areBroadcastsRecorded { return }
            try? await Task.sleep(for: PushLimits.tick)
        }
    }

    /// Takes a publication; returns once the lanes have it, or it waits for its time.
    public func publish(_ publication: PushPublication) async {
        let match = publication.match
        let decision = matches[match, default: MatchState()].pacing.offer(publication, at: clock.domain)
        await carryOut(decision, for: match)
    }

    /// Reads the served buckets of a match again; called after buckets were claimed or lost.
    public func bucketsChanged(of match: MatchID) async {
        guard matches[match]?.encoded != nil else { return }
        await offer(match)
    }

    /// Forgets a finished match after its last repetition.
    public func forget(_ match: MatchID) async {
        matches[match] = nil
        tracker.forget(match)
        starts.forget(match)
        endRetries.forget(match)
        await channels.forget(match)
        for lane in lanes { lane.forget(match) }
    }

    func carryOut(_ decision: MatchPacing.Decision, for match: MatchID) async {
        countPacing(of: match)
        guard case .publish(let plan) = decision else { return }
        do throws(PayloadError) {
            let encoded = try EncodedPublication(plan: plan, key: idKey)
            metrics.planned(encoded.kind, isUrgent: encoded.activeAlert != nil)
            metrics.payload(encoded.kind, byteCount: encoded.body(withAlert: encoded.activeAlert != nil).count)
            let before = matches[match]?.encoded?.revision
            log.debug("push.fanout", metadata: encoded.logFields(after: before))
            matches[match]?.exceptions.published(after: before)
            matches[match]?.encoded = encoded
            // Neither channels nor new buckets, which may wait for their store, delay the buckets already served.
            distribute(match)
            await channels.publish(encoded)
            await takeOver(match)
        } catch {
            metrics.payloadTooLarge(plan.publication.isFinal ? .end : .update)
            log.error("publication too large", metadata: ["match.id": "\(match)", "error": "\(error)"])
        }
    }

    /// Sends the newest publication to the lanes with the served buckets; takes over new buckets.
    func offer(_ match: MatchID) async {
        if await !takeOver(match) { distribute(match) }
    }

    /// Takes over new buckets and releases others; false if none changed.
    @discardableResult
    func takeOver(_ match: MatchID) async -> Bool {
        let buckets = tokens.buckets(of: match)
        guard let (fresh, gone) = matches[match]?.served.difference(from: buckets) else { return false }
        matches[match]?.served.release(gone)
        var owed: [DeviceID] = []
        if !fresh.isEmpty, matches[match]?.isResuming != true { owed = await resume(match, Array(fresh)) }
        distribute(match, evenWithoutBuckets: !gone.isEmpty)
        for device in owed {
            if let token = tokens.newest(of: match, device: device) { late(token) }
        }
        return true
    }

    /// A lane that never had a bucket keeps early tokens until it has one; a lane that had buckets must learn of none.
    private func distribute(_ match: MatchID, evenWithoutBuckets: Bool = false) {
        guard let encoded = matches[match]?.encoded, let served = matches[match]?.served.revisions,
            evenWithoutBuckets || !served.isEmpty
        else { return }
        for (index, lane) in lanes.enumerated() {
            let share = served.filter { Int($0.key.number) % lanes.count == index }
                .map { (bucket: $0.key, revision: $0.value) }
            lane.perform { $0.forEach { $0.offer(encoded, resumed: share) } }
        }
    }

    /// Takes over buckets; returns the devices that are owed the recorded revision.
    private func resume(_ match: MatchID, _ buckets: [Bucket]) async -> [DeviceID] {
        matches[match]?.isResuming = true
        defer { matches[match]?.isResuming = false }
        do {
            let taken = try await progress.resume(match, buckets: buckets.sorted())
            let owed = try await progress.owed(match, buckets: taken.keys.sorted())
            matches[match]?.served.take(taken)
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
        for (span, count) in state.pacing.lowered {
            metrics.lowered(count - (state.reportedLowered[span] ?? 0), span)
        }
        matches[match]?.reportedUnchanged = state.pacing.unchangedCount
        matches[match]?.reportedLowered = state.pacing.lowered
    }

    private nonisolated func repeatedly(every interval: Duration, _ body: @Sendable () async -> Void) async {
        while !Task.isCancelled {
            await body()
            try? await Task.sleep(for: interval)
        }
    }
}
