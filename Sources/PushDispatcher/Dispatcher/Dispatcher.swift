// Brings each publication to every activity: paced per match, sent by the lane, recorded by bucket.

internal import HTTP2
internal import Logging
public import ScoreTypes
internal import Synchronization

/// The way of publications to Apple, for one environment.
public actor Dispatcher {
    /// Repeats of an end for those who did not take it, after its first sending; domain time (PUBLICATION section 3).
    static let endRepeats: [Duration] = [.seconds(60), .seconds(300), .seconds(900), .seconds(1_800)]
    /// Real floor of those waits.
    static let endRepeatFloor = Duration.seconds(1)
    /// Real floor between two publications of a match, whatever the clock's speed.
    static let pacingFloor = Duration.milliseconds(20)
    /// How often the provider token is looked at.
    static let tokenInterval = Duration.seconds(30)
    /// Events of the lane that may wait; each is one turn's worth.
    static let eventsMax = 65_536

    struct Match {
        var pacing = MatchPacing()
        var resumed: [Bucket: Int64] = [:]
        var channels: [KnownChannel]?
        var missed: Set<MissedToken> = []
        var newest: Launch?
        var isWaiting = false
    }

    let configuration: DispatcherConfiguration
    let tokens: any TokenSource
    let progress: any ProgressStore
    let channelStore: any ChannelStore
    let clock: ServiceClock
    let desk: ProviderTokenDesk
    let management: ChannelManagement
    let log = Logger(label: "score.push")
    var matches: [MatchID: Match] = [:]
    private var book = ProgressBook()
    private var isFlushing = false
    private let loop = EventLoop(name: "push")
    private let lane = LaneHandle()
    private let events: AsyncStream<LaneEvent>
    private let emit: AsyncStream<LaneEvent>.Continuation
    private let counts = Mutex(LaneCounts())
    var making: [ChannelPurpose: Task<ChannelID, any Error>] = [:]

    /// Makes a dispatcher; `run` sets it going.
    ///
    /// - Parameters:
    ///   - configuration: Apple's doors, the key, the app.
    ///   - tokens: Where the activity tokens are.
    ///   - progress: Where it is recorded what was sent.
    ///   - channels: Where the channels are remembered.
    ///   - providerTokens: Where all nodes share the provider token.
    ///   - clock: Paces publications in domain time.
    public init(
        configuration: DispatcherConfiguration,
        tokens: any TokenSource,
        progress: any ProgressStore,
        channels: any ChannelStore,
        providerTokens: any ProviderTokenStore,
        clock: ServiceClock
    ) {
        self.configuration = configuration
        self.tokens = tokens
        self.progress = progress
        channelStore = channels
        self.clock = clock
        desk = ProviderTokenDesk(
            key: configuration.key,
            scope: ProviderTokenScope(
                environment: configuration.environment,
                keyID: configuration.keyID,
                teamID: configuration.teamID
            ),
            store: providerTokens,
            clock: clock,
            jitter: Double.random(in: 0...1)
        )
        management = ChannelManagement(configuration)
        (events, emit) = AsyncStream.makeStream(of: LaneEvent.self, bufferingPolicy: .bufferingNewest(Self.eventsMax))
    }

    /// Sends until cancelled.
    public func run() async {
        openLane()
        await withDiscardingTaskGroup { group in
            group.addTask { await self.keepToken() }
            for await event in events {
                await take(event)
                if Task.isCancelled { break }
            }
            group.cancelAll()
        }
        await flush()
        onLane { $0.close() }
        loop.stop()
        management.stop()
    }

    /// Takes the newest publication of a match; returns when it is on its way, or waits for its time.
    public func publish(_ publication: PushPublication) async {
        let match = publication.match
        if matches[match] == nil { matches[match] = Match() }
        guard let decision = matches[match]?.pacing.offer(publication, at: clock.domain) else { return }
        await follow(decision, of: match)
    }

    /// A token that came in after its bucket was walked.
    public nonisolated func late(match: MatchID, device: DeviceID, generation: Int32, knownRevision: Int64) {
        onLane { $0.late(match, device, generation: generation, knownRevision: knownRevision) }
    }

    nonisolated func onLane(_ body: @escaping @Sendable (Lane) -> Void) {
        let lane = lane
        if !loop.execute({ loop in lane.withLane(of: loop, body) }) {
            log.error("the push loop is full; what was handed over is found again by the next publication")
        }
    }

    var laneCounts: LaneCounts { counts.withLock { $0 } }

    private func openLane() {
        let (configuration, tokens, clock, emit) = (configuration, tokens, clock, emit)
        let seed = UInt64.random(in: .min ... .max)
        let lane = lane
        loop.execute { [self] loop in
            lane.open(
                Lane(
                    loop: loop,
                    configuration: configuration,
                    source: tokens,
                    clock: clock,
                    seed: seed,
                    emit: { emit.yield($0) },
                    share: { counts in self.counts.withLock { $0 = counts } }
                )
            )
        }
    }

    private func keepToken() async {
        while !Task.isCancelled {
            do {
                let token = try await desk.current()
                onLane { $0.use(token) }
            } catch {
                log.error("no provider token", metadata: ["error": "\(error)"])
            }
            try? await Task.sleep(for: Self.tokenInterval)
        }
    }

    // MARK: Launching

    private func follow(_ decision: MatchPacing.Decision, of match: MatchID) async {
        switch decision {
        case .idle: return
        case .wait(let until):
            guard matches[match]?.isWaiting == false else { return }
            matches[match]?.isWaiting = true
            let wait = clock.real(until - clock.domain, floor: Self.pacingFloor)
            Task { [weak self] in
                try? await Task.sleep(for: wait)
                await self?.comeDue(match)
            }
        case .launch(let plan): await launch(plan)
        }
    }

    private func comeDue(_ match: MatchID) async {
        matches[match]?.isWaiting = false
        guard let decision = matches[match]?.pacing.due(at: clock.domain) else { return }
        await follow(decision, of: match)
    }

    private func launch(_ plan: LaunchPlan) async {
        let match = plan.publication.match
        let launch: Launch
        do throws(PayloadError) { launch = try Launch(plan: plan, at: clock.monotonic) } catch {
            log.error("not sent", metadata: ["match.id": "\(match)", "error": "\(error)"])
            return
        }
        matches[match]?.newest = launch
        await broadcast(launch)
        let resumed = await resume(match)
        onLane { $0.offer(launch, resumed: resumed) }
        if launch.publication.isFinal { repeatEnd(of: match, launch) }
    }

    /// Takes over the buckets that are new to this node, and says where each stands.
    private func resume(_ match: MatchID) async -> [(bucket: Bucket, revision: Int64)] {
        let served = tokens.buckets(of: match)
        let known = matches[match]?.resumed ?? [:]
        let fresh = served.filter { known[$0] == nil }
        if !fresh.isEmpty {
            do {
                let taken = try await progress.resume(match, buckets: fresh)
                matches[match]?.resumed.merge(taken) { $1 }
            } catch {
                log.warning("progress not known", metadata: ["match.id": "\(match)", "error": "\(error)"])
            }
        }
        let now = matches[match]?.resumed ?? [:]
        return served.compactMap { bucket in now[bucket].map { (bucket, $0) } }
    }

    private func repeatEnd(of match: MatchID, _ launch: Launch) {
        let waits = Self.endRepeats.map { clock.real($0, floor: Self.endRepeatFloor) }
        Task { [weak self] in
            var passed = Duration.zero
            for wait in waits {
                try? await Task.sleep(for: max(.zero, wait - passed))
                passed = wait
                guard let self else { return }
                await self.endAgain(match, launch)
            }
        }
    }

    private func endAgain(_ match: MatchID, _ launch: Launch) async {
        guard matches[match]?.newest === launch else { return }
        await broadcast(launch)
        for token in matches[match]?.missed ?? [] {
            late(match: match, device: token.device, generation: token.generation, knownRevision: .min)
        }
        matches[match]?.missed = []
    }

    // MARK: Answers

    private func take(_ event: LaneEvent) async {
        switch event {
        case .completed(let match, let buckets): scheduleFlush(after: book.add(match, buckets))
        case .rejected(let rejections): await tokens.evict(rejections)
        case .missed(let match, let missed): matches[match]?.missed.formUnion(missed)
        case .broadcast(let channel, let match, let revision, let outcome):
            await settle(channel, of: match, revision: revision, outcome)
        case .tokenExpired(let token):
            do {
                let fresh = try await desk.replacement(for: token)
                onLane { $0.use(fresh) }
            } catch {
                log.error("provider token refused", metadata: ["error": "\(error)"])
            }
        case .stopped(let reason):
            log.critical("Apple refuses everything", metadata: ["reason": "\(reason.rawValue)"])
        }
    }

    private func scheduleFlush(after wait: Duration) {
        guard !isFlushing else { return }
        isFlushing = true
        Task { [weak self] in
            try? await Task.sleep(for: wait)
            await self?.flush()
        }
    }

    private func flush() async {
        isFlushing = false
        for (match, revision, buckets) in book.take() {
            do {
                let isMine = try await progress.record(
                    match: match,
                    buckets: buckets,
                    revision: revision,
                    at: clock.wall
                )
                if !isMine {
                    log.warning("fenced", metadata: ["match.id": "\(match)", "buckets": "\(buckets.count)"])
                    for bucket in buckets { matches[match]?.resumed[bucket] = nil }
                    onLane { $0.fence(match, buckets) }
                }
            } catch {
                log.warning("progress not recorded", metadata: ["match.id": "\(match)", "error": "\(error)"])
            }
        }
    }
}
