// One feed: its list of matches, the requests that all its matches share limits for, and who may poll.

internal import Logging
internal import ScoreTypes

/// Polls one feed.
actor FeedPoller {
    /// What all feeds of a node share.
    struct Surroundings: Sendable {
        let driver: TransferDriver
        let clock: ServiceClock
        let mayPoll: @Sendable (FeedID) async -> Bool
        let makeSink: @Sendable (MatchID, FeedID) async throws -> any ReplySink
        let jitter: @Sendable () -> Double
        let logger: Logger
    }

    /// How long an answer about the duty holds, in real time: a write without the duty is refused by its fence anyway.
    static let dutyHolds: Duration = .milliseconds(500)
    /// Real time between looks while this node may not poll, or the feed is paused.
    static let standbyInterval: Duration = .seconds(1)

    nonisolated let feed: FeedConfiguration
    nonisolated let surroundings: Surroundings
    nonisolated let metrics: FeedMetrics
    var facts: FeedStatus
    private var breaker = CircuitBreaker()
    private var budget: HourlyBudget?
    private var duty: (answer: Bool, at: Duration)?
    private var isPaused = false
    private var schedule = PollSchedule()
    private var signals: [MatchID: WakeSignal] = [:]
    private let listSignal = WakeSignal()

    init(_ feed: FeedConfiguration, in surroundings: Surroundings) {
        self.feed = feed
        self.surroundings = surroundings
        metrics = FeedMetrics(feed: feed.id)
        facts = FeedStatus(feed: feed.id)
        budget = feed.hourlyRequests.map { HourlyBudget(requests: $0, now: surroundings.clock.monotonic) }
    }

    nonisolated var clock: ServiceClock { surroundings.clock }

    /// Polls the list, and each match that is due in a task of its own, until cancelled.
    func run() async {
        var list = FixtureList()
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard await maySend() else {
                    _ = await listSignal.sleep(Self.standbyInterval)
                    continue
                }
                let wait = await refresh(&list)
                for fixture in schedule.due(list.fixtures, polled: Set(signals.keys), clock: clock) {
                    let signal = WakeSignal()
                    signals[fixture.match] = signal
                    group.addTask { await self.follow(fixture, signal: signal) }
                }
                _ = await listSignal.sleep(wait)
            }
        }
    }

    /// Whether this node may send requests to the feed now.
    func maySend() async -> Bool {
        let now = clock.monotonic
        let known = duty.flatMap { now - $0.at < Self.dutyHolds ? $0.answer : nil }
        let answer: Bool
        if let known { answer = known } else { answer = await surroundings.mayPoll(feed.id) }
        if known == nil { duty = (answer, now) }
        facts.activity = isPaused ? .paused : answer ? .polling : .standby
        return answer && !isPaused
    }

    /// Whether another node may have written the matches meanwhile.
    var hasLostDuty: Bool { duty?.answer == false }

    /// Sends one request within the limits that all matches of the feed share.
    func fetch(_ request: ProviderRequest?, of match: MatchID?, etag: String?) async -> FetchOutcome {
        guard let request else { return .refused(wait: Self.standbyInterval) }
        let admission = breaker.admit(now: clock.monotonic, patience: probeInterval)
        if case .refused(let wait) = admission { return .refused(wait: wait) }
        if let wait = budget?.take(now: clock.monotonic) {
            breaker.abandon()
            return .refused(wait: wait)
        }
        facts.requests += 1
        let outcome: FetchOutcome
        do throws(TransferError) {
            let reply = try await surroundings.driver.perform(feed.transfer(request, etag: etag))
            outcome = FetchOutcome(reply, now: clock.wall)
            note(reply, outcome)
        } catch {
            guard let failure = FetchOutcome(error) else {
                breaker.abandon()
                return .refused(wait: Self.standbyInterval)
            }
            outcome = failure
        }
        if case .failed(let failure) = outcome {
            failed(failure, match)
        } else {
            record(isSuccess: true)
        }
        return outcome
    }

    /// Notes a reply that could not be read.
    func unreadable(_ error: AdapterError, _ match: MatchID?) {
        let label: FetchLabel = error == .notJSON ? .badJson : .badSchema
        metrics.requested(label)
        metrics.quarantined(label.rawValue)
        facts.unreadable += 1
        facts.lastFailure = clock.wall
        facts.lastFailureReason = "\(label.rawValue) \(error)"
        surroundings.logger.warning("reply refused", metadata: place(match, ["reason": "\(error)"]))
    }

    /// Ends the polling of a match.
    func finished(_ match: MatchID) {
        signals[match] = nil
        schedule.finish(match)
    }

    func setPaused(_ isPaused: Bool) {
        self.isPaused = isPaused
        pollNow()
    }

    func pollNow() {
        listSignal.fire()
        for signal in signals.values { signal.fire() }
    }

    func resetBreaker() {
        breaker.reset()
        metrics.breakerIs(breaker.gauge)
        pollNow()
    }

    func report() -> FeedStatus {
        var report = facts
        if isPaused { report.activity = .paused }
        report.breaker = breaker.state
        report.matches = signals.keys.sorted()
        return report
    }

    func place(_ match: MatchID?, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
        var metadata = more
        metadata["feed"] = "\(feed.id)"
        if let match { metadata["match"] = "\(match)" }
        return metadata
    }

    private var probeInterval: Duration {
        Cadence.real(
            CircuitBreaker.probeInterval,
            floor: CircuitBreaker.probeFloor,
            clock: clock,
            jitter: surroundings.jitter()
        )
    }

    private func refresh(_ list: inout FixtureList) async -> Duration {
        let request = feed.adapter.listRequests(ProviderSession(), at: clock.wall).first
        let outcome = await fetch(request, of: nil, etag: list.etag)
        switch outcome {
        case .refused(let wait): return max(wait, Cadence.liveFloor)
        case .failed(let failure):
            return list.backoff.failed(retryAfter: failure.retryAfter, clock: clock, jitter: surroundings.jitter())
        case .notModified: metrics.requested(.notModified)
        case .body(let body, let etag):
            do throws(AdapterError) {
                list.fixtures = try feed.adapter.fixtures(ProviderReplies([.list: body]), ProviderSession())
                list.etag = etag
                metrics.requested(.ok)
            } catch {
                unreadable(error, nil)
                return list.backoff.failed(retryAfter: nil, clock: clock, jitter: surroundings.jitter())
            }
        }
        list.backoff.succeeded()
        return feed.cadence.waitForFixtures(clock: clock, jitter: surroundings.jitter())
    }

    private func note(_ reply: Reply, _ outcome: FetchOutcome) {
        facts.bytes += reply.body.count
        guard outcome.isUsable else { return }
        facts.lastSuccess = clock.wall
        metrics.answered(in: reply.duration, bytes: reply.body.count, at: clock.wall)
    }

    private func failed(_ failure: FetchFailure, _ match: MatchID?) {
        facts.lastFailure = clock.wall
        facts.lastFailureReason = failure.label.rawValue + (failure.status.map { " \($0)" } ?? "")
        metrics.requested(failure.label)
        let reason = facts.lastFailureReason ?? ""
        surroundings.logger.warning("request failed", metadata: place(match, ["reason": "\(reason)"]))
        if failure.countsAgainstFeed { record(isSuccess: false) } else { record(isSuccess: true) }
    }

    private func record(isSuccess: Bool) {
        let before = breaker.gauge
        breaker.record(isSuccess: isSuccess, now: clock.monotonic, reopensAfter: probeInterval)
        guard breaker.gauge != before else { return }
        metrics.breakerIs(breaker.gauge)
        surroundings.logger.warning("breaker changed", metadata: place(nil, ["state": "\(breaker.gauge)"]))
        // Who waits for the breaker need not wait for its own turn.
        if breaker.gauge == 0 { pollNow() }
    }
}

/// The provider's list of matches as last read.
private struct FixtureList {
    var fixtures: [Fixture] = []
    var etag: String?
    var backoff = Backoff()
}
