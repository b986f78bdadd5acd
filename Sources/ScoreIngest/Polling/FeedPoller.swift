// One feed: this actor sends requests, opens sinks and sleeps; `FeedState` decides what, when and for which match.

internal import CurlTransfer
internal import Logging
internal import MatchEngine
internal import Providers
internal import ScoreTypes

/// Polls one feed.
actor FeedPoller {
    /// The dependencies that all feeds of a node share.
    struct Dependencies: Sendable {
        let driver: TransferDriver
        let clock: ServiceClock
        let mayPoll: @Sendable (FeedID) async -> Bool
        let gained: @Sendable (FeedID) -> Void
        let makeSink: @Sendable (MatchID, FeedID) async throws -> any ReplySink
        let unfinished: @Sendable (FeedID) async throws -> [UnfinishedMatch]
        let aliases: @Sendable () -> AliasTable
        let capture: @Sendable (FeedCapture) -> Void
        let jitter: @Sendable () -> Double
        let logger: Logger
    }

    nonisolated let feed: FeedConfiguration
    nonisolated let dependencies: Dependencies
    var state: FeedState
    var telemetry: FeedTelemetry
    /// The secrets that must appear in no log, capture or status.
    var secrets: KnownSecrets
    /// Callers that wait for an opening that is under way.
    var openers: [CheckedContinuation<Void, Never>] = []
    /// Callers that wait for the answer to a request in flight.
    var flights: [RequestGate.Flight: [CheckedContinuation<FetchOutcome, Never>]] = [:]
    /// Wakes the tasks of the polled matches.
    private var tasks: [MatchID: WakeSignal] = [:]
    private let listSignal = WakeSignal()
    private var announcements = Announcements.idle

    /// Whether the list is gone through for announcements; a list that comes meanwhile is gone through after it.
    private enum Announcements { case idle, running, runningWithNews }

    init(_ feed: FeedConfiguration, _ dependencies: Dependencies) {
        self.feed = feed
        self.dependencies = dependencies
        state = FeedState(feed, PollContext(dependencies.clock, draw: dependencies.jitter))
        telemetry = FeedTelemetry(feed.id, dependencies.logger)
        secrets = KnownSecrets(feed.credentials)
    }

    nonisolated var clock: ServiceClock { dependencies.clock }

    /// The time of an event that is handled now.
    nonisolated var context: PollContext { PollContext(clock, draw: dependencies.jitter) }

    /// Reads the list, and polls each match that is due in a task of its own, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard await maySend() else {
                    _ = await listSignal.sleep(IngestLimits.standbyInterval)
                    continue
                }
                state.list.begins(now: clock.monotonic)
                let outcome = await readList()
                for match in handle(.listEnded(outcome)) {
                    let signal = WakeSignal()
                    tasks[match] = signal
                    group.addTask { await self.poll(match, signal) }
                }
                if !state.isDutyLost { telemetry.listEnded(outcome, next: state.list.rest(now: clock.monotonic)) }
                if announcements == .idle { group.addTask { await self.announce() } }
                announcements = announcements == .idle ? .running : .runningWithNews
                await sleepUntilListIsDue()
            }
        }
    }

    private func sleepUntilListIsDue() async {
        while !Task.isCancelled {
            let wait = state.list.wait(now: clock.monotonic)
            guard wait > .zero, await listSignal.sleep(wait) else { return }
        }
    }

    /// Whether the list has to be gone through again, as another one came.
    func announcementsEnded() -> Bool {
        announcements = announcements == .runningWithNews ? .running : .idle
        return announcements == .running
    }

    /// Handles an event of the feed, and performs what follows; returns the matches that need a task.
    @discardableResult
    func handle(_ event: FeedState.Event) -> [MatchID] {
        var starts: [MatchID] = []
        for action in state.handle(event, context) {
            switch action {
            case .dutyGained: dependencies.gained(feed.id)
            case .start(let match): starts.append(match)
            case .wake(let match): tasks[match]?.fire()
            case .wakeList: listSignal.fire()
            }
        }
        telemetry.breakerIs(state.gate.breaker.gauge)
        return starts
    }

    /// The task of a match has ended.
    func ended(_ match: MatchID) {
        tasks[match] = nil
        if tasks.isEmpty { telemetry.pollsNoMatch() }
        handle(.ended(match))
    }

    /// Whether this node may send requests to the feed now.
    func maySend() async -> Bool {
        if state.isDutyHeld(now: clock.monotonic) == nil {
            handle(.duty(await dependencies.mayPoll(feed.id)))
            if state.isDutyLost { telemetry.standBy() }
        }
        return state.activity == .polling
    }

    // MARK: Operators and webhooks

    /// Takes a push of the provider; for a match that is not polled, which may be new, the list is read soon.
    func notice(_ id: ProviderMatchID, _ push: ProviderPush?) {
        telemetry.wasPushed(at: clock.wall)
        handle(.pushed(dependencies.aliases().match(id, of: feed.adapter.provider), push))
    }

    /// The alias table has changed: matches go on under their new ids, and the list is read at once.
    func aliasesChanged() {
        handle(.renamed(dependencies.aliases()))
        state.list.order()
        listSignal.fire()
    }

    func report() -> FeedStatus {
        var report = telemetry.status
        report.activity = state.activity
        report.breaker = state.gate.breaker.state
        report.matches = state.polled
        report.budgetLeft = state.gate.budget?.left(now: clock.monotonic)
        report.isOpen = state.gate.session.session != nil
        report.upcoming = state.announcedCount
        return report
    }
}
