// One feed: its list of matches, the requests that all its matches share limits for, and who may poll.

internal import CurlTransfer
internal import Logging
internal import MatchEngine
internal import Providers
internal import ScoreTypes

/// Polls one feed.
actor FeedPoller {
    /// What all feeds of a node share.
    struct Surroundings: Sendable {
        let driver: TransferDriver
        let clock: ServiceClock
        let mayPoll: @Sendable (FeedID) async -> Bool
        let gained: @Sendable (FeedID) -> Void
        let makeSink: @Sendable (MatchID, FeedID) async throws -> any ReplySink
        let unfinished: @Sendable (FeedID) async throws -> [UnfinishedMatch]
        let aliases: @Sendable () -> AliasBook
        let capture: @Sendable (FeedCapture) -> Void
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
    var breaker = CircuitBreaker(FeedBreaker.rules)
    var budget: HourlyBudget?
    /// What the provider has asked for; only an operator's word ends it early.
    var quiet = QuietTime()
    var opening = SessionState()
    /// What must stand in no log and on no console.
    var secrets: KnownSecrets
    /// Who waits for an opening that is under way; nil when none is.
    var openers: [CheckedContinuation<Void, Never>]?
    /// Who waits for the answer to a request that somebody else has sent already.
    var flights: [FlightKey: [CheckedContinuation<FetchOutcome, Never>]] = [:]
    var list = FixtureList()
    var schedule = PollSchedule()
    /// The matches that are polled.
    var followed: [MatchID: FollowedMatch] = [:]
    var comebacks = Comebacks()
    /// What webhooks brought and no loop has taken yet.
    var pushed: [MatchID: PushedNews] = [:]
    /// When the provider told of a match by itself last, by the monotonic clock.
    var notices: [MatchID: Duration] = [:]
    /// What the list said when it was written down last.
    var announced: [MatchID: Fixture] = [:]
    /// Matches that have not ended, of which the list says nothing: their own address tells whether they are gone.
    var unlisted = UnlistedMatches()
    /// Matches that the provider did not know any more when they were polled, and lists no more.
    var vanished: Set<MatchID> = []
    var isAnnouncing = false
    /// Whether the list was read since the last announcement began.
    var isListNews = false
    private var duty: (answer: Bool, at: Duration)?
    private var isPaused = false
    private let listSignal = WakeSignal()
    private var listTurn = ListTurn()

    init(_ feed: FeedConfiguration, in surroundings: Surroundings) {
        self.feed = feed
        self.surroundings = surroundings
        metrics = FeedMetrics(feed: feed.id)
        facts = FeedStatus(feed: feed.id)
        secrets = KnownSecrets(feed.credentials)
        let clock = surroundings.clock
        // Plans count real hours: a scaled clock would spend one in a minute, and asks nobody who has plans.
        let usual = clock.speed == 1 ? feed.adapter.provider.hourlyRequests : nil
        budget = (feed.hourlyRequests ?? usual).map { HourlyBudget(requests: $0, now: clock.monotonic) }
    }

    nonisolated var clock: ServiceClock { surroundings.clock }

    /// Polls the list, and each match that is due in a task of its own, until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            while !Task.isCancelled {
                guard await maySend() else {
                    _ = await listSignal.sleep(Self.standbyInterval)
                    continue
                }
                listTurn.begins(now: clock.monotonic)
                let reading = await refresh()
                listTurn.ended(reading, clock: clock)
                let turn = schedule.turn(list.fixtures + unlisted.fixtures, followed: followed, clock: clock)
                for match in turn.ends {
                    followed[match]?.end = .displaced
                    followed[match]?.signal.fire()
                }
                for fixture in turn.begins {
                    let found = FollowedMatch(fixture, at: clock.wall)
                    followed[fixture.match] = found
                    group.addTask { await self.follow(fixture, signal: found.signal) }
                }
                isListNews = true
                if !isAnnouncing {
                    isAnnouncing = true
                    group.addTask { await self.prepare() }
                }
                await restUntilListIsDue()
            }
        }
    }

    private func restUntilListIsDue() async {
        while !Task.isCancelled {
            let wait = listTurn.wait(now: clock.monotonic)
            guard wait > .zero, await listSignal.sleep(wait) else { return }
        }
    }

    /// Whether this node may send requests to the feed now.
    func maySend() async -> Bool {
        let now = clock.monotonic
        let known = duty.flatMap { now - $0.at < Self.dutyHolds ? $0.answer : nil }
        let answer: Bool
        // A pause is no end of the duty: somebody has to go on with the feed's matches.
        if let known { answer = known } else { answer = await surroundings.mayPoll(feed.id) }
        if known == nil {
            if answer && duty?.answer != true { surroundings.gained(feed.id) }
            duty = (answer, now)
        }
        facts.activity = isPaused ? .paused : answer ? .polling : .standby
        if !answer { standBy() }
        return answer && !isPaused
    }

    /// Lets go of what the next holder of the duty goes on with, and of what only a holder has to show.
    private func standBy() {
        (announced, vanished, unlisted) = ([:], [], UnlistedMatches())
        // What was counted here says nothing of the feed by the time that the duty comes back.
        breaker.reset()
        facts.pollInterval = nil
        metrics.standsBy()
    }

    /// Whether another node may have written the matches meanwhile.
    var hasLostDuty: Bool { duty?.answer == false }

    /// Ends the polling of a match.
    func finished(_ fixture: Fixture, isGone: Bool) {
        let match = fixture.match
        let found = followed.removeValue(forKey: match)
        comebacks.forget(match)
        pushed[match] = nil
        notices[match] = nil
        announced[match] = nil
        let entry = found?.entry ?? fixture
        // It is polled again as soon as there is a place.
        if found?.end == .displaced { return schedule.displaced(entry, isStill: found?.isStill == true) }
        unlisted.forget(match)
        schedule.finish(entry, isGone: isGone)
    }

    func setPaused(_ isPaused: Bool) {
        guard self.isPaused != isPaused else { return }
        self.isPaused = isPaused
        wakeAll()
    }

    /// Asks for everything at once, also while the provider wants to be left alone: an operator's word.
    func pollNow() {
        quiet.lift()
        opening.lift()
        wakeAll()
    }

    private func wakeAll() {
        comebacks.forgetAll()
        wakeList()
        for found in followed.values { found.signal.fire() }
    }

    /// Wakes those that waited for the breaker; they ask within one interval of a match in play, not all at once.
    func comeBack() {
        let span = clock.real(feed.cadence.live, floor: Cadence.liveFloor)
        comebacks.spread(followed.keys, over: span, now: clock.monotonic, jitter: surroundings.jitter)
        wakeList()
        for found in followed.values { found.signal.fire() }
    }

    func resetBreaker() {
        breaker.reset()
        metrics.breakerIs(breaker.gauge)
        opening.lift()
        wakeAll()
    }

    /// Takes what the provider has told by itself; without it the match is only asked for at once.
    ///
    /// Returns false when the match is not polled; the list is then read again soon, as it may be new.
    func notice(_ id: ProviderMatchID, _ push: ProviderPush?) -> Bool {
        let match = surroundings.aliases().match(id, of: feed.adapter.provider)
        facts.lastNotice = clock.wall
        guard let found = followed[match] else {
            listTurn.notice()
            listSignal.fire()
            return false
        }
        notices[match] = clock.monotonic
        comebacks.forget(match)
        if let push { pushed[match, default: PushedNews()].take(push) }
        found.signal.fire()
        return true
    }

    func report() -> FeedStatus {
        var report = facts
        if isPaused { report.activity = .paused }
        report.breaker = breaker.state
        report.matches = followed.keys.sorted()
        report.budgetLeft = budget?.left(now: clock.monotonic)
        report.isOpen = opening.session != nil
        report.upcoming = announced.count
        return report
    }

    /// Has the list read at once.
    func wakeList() {
        listTurn.order()
        listSignal.fire()
    }

    func place(_ match: MatchID?, _ more: Logger.Metadata = [:]) -> Logger.Metadata {
        var metadata = more
        metadata["feed"] = "\(feed.id)"
        if let match { metadata["match"] = "\(match)" }
        return metadata
    }
}
