// The whole state of a poller is a value: events in, actions out.

internal import MatchEngine
internal import Providers
internal import ScoreTypes

/// The state of polling one feed: its limits, its list, and one record for each match.
///
/// ```
/// list read ──▶ records ──▶ start and displace tasks, wake matches that the list has as begun
///                      └──▶ announce matches that are ahead, remove matches that have vanished, look at one ahead
/// ```
struct FeedState: Sendable {
    /// An event of the feed as a whole.
    enum Event: Sendable {
        /// Whether this node holds the duty for the feed.
        case duty(Bool)
        /// An operator has paused the feed, or resumed it.
        case paused(Bool)
        /// An operator orders a poll of everything at once, also during a pause that the provider requested.
        case pollNow
        /// An operator has closed the breaker.
        case breakerReset
        /// The breaker has closed.
        case breakerClosed
        /// The provider has pushed something about a match; without a push the match is only polled at once.
        case pushed(MatchID, ProviderPush?)
        /// An operator orders to rebuild a match from its next reply; void on a node that does not poll it now.
        case resynced(MatchID)
        /// The alias table has changed.
        case renamed(AliasTable)
        /// The matches that the journal has as unfinished, with the alias table.
        case recalled([UnfinishedMatch], AliasTable)
        /// A reading of the list has ended.
        case listEnded(FixtureList.Outcome)
        /// The task of a match has ended.
        case ended(MatchID)
    }

    /// An action for the feed as a whole.
    enum Action: Sendable, Hashable {
        /// This node has got the duty.
        case dutyGained
        /// Begin a task that polls the match.
        case start(MatchID)
        /// Wake the task of the match.
        case wake(MatchID)
        /// Wake the task that reads the list.
        case wakeList
    }

    let feed: FeedConfiguration
    var gate: RequestGate
    var list = FixtureList()
    private(set) var matches: [MatchID: PolledMatch] = [:]
    /// Whether unfinished matches were read from the journal since this node got the duty.
    private(set) var isRecalled = false
    private var isPaused = false
    /// The last answer about the duty, and when the question was sent.
    private var duty: (isHeld: Bool, at: Duration)?

    init(_ feed: FeedConfiguration, _ context: PollContext) {
        self.feed = feed
        // Plans count real hours: a scaled clock, which polls no real provider, would spend one in a minute.
        let usual = context.clock.speed == 1 ? feed.adapter.provider.hourlyRequests : nil
        gate = RequestGate()
        gate.budget = (feed.hourlyRequests ?? usual).map { HourlyBudget(requests: $0, now: context.now) }
    }

    /// Handles an event of the feed; returns actions in order.
    mutating func handle(_ event: Event, _ context: PollContext) -> [Action] {
        switch event {
        case .duty(let isHeld):
            let isGained = isHeld && duty?.isHeld != true
            duty = (isHeld, context.now)
            if !isHeld { dutyWasLost() }
            return isGained ? [.dutyGained] : []
        case .paused(let isPaused):
            guard self.isPaused != isPaused else { return [] }
            self.isPaused = isPaused
            return wakeAll { $0.resumesAt = nil }
        case .pollNow:
            gate.endPauses()
            return wakeAll { $0.resumesAt = nil }
        case .breakerReset:
            gate.closeBreaker()
            gate.session.endBackoff()
            return wakeAll { $0.resumesAt = nil }
        case .breakerClosed:
            // Within one interval of a match in play, not all at once.
            let span = context.clock.real(feed.cadence.live, .play)
            return wakeAll { $0.resumesAt = context.now + span * context.jitter }
        case .pushed(let match, let push): return pushed(push, of: match, context)
        case .resynced(let match):
            guard activity == .polling, matches[match]?.poll != nil else { return [] }
            gate.endPauses()
            matches[match]?.poll?.resync()
            return [.wake(match)]
        case .renamed(let table): return rename(table)
        case .recalled(let known, let table):
            recall(known, table)
            return []
        case .listEnded(let outcome): return listEnded(outcome, context)
        case .ended(let match):
            if matches[match]?.ended() == false { matches[match] = nil }
            return []
        }
    }

    /// Handles an event of a match that is polled; returns the next actions of its task, in order.
    mutating func handle(_ event: MatchEvent, of match: MatchID, _ context: PollContext) -> [MatchAction] {
        matches[match]?.poll?.handle(event, context) ?? [.end]
    }

    // MARK: Duty

    /// Whether this node holds the duty; nil when the last answer is too old.
    func isDutyHeld(now: Duration) -> Bool? {
        duty.flatMap { now - $0.at < IngestLimits.dutyAnswerLife ? $0.isHeld : nil }
    }

    /// The node that polls the feed, by the last answer about the duty.
    var activity: FeedStatus.Activity {
        isPaused ? .paused : duty?.isHeld == true ? .polling : .standby
    }

    /// Whether another node may have written the matches since.
    var isDutyLost: Bool { duty?.isHeld == false }

    /// Forgets what the next holder of the duty goes on with.
    private mutating func dutyWasLost() {
        for index in matches.values.indices { matches.values[index].dutyWasLost() }
        isRecalled = false
        gate.closeBreaker()
    }

    // MARK: Matches

    /// The matches that are polled, in order of their ids.
    var polled: [MatchID] { matches { $0.poll != nil } }

    private func matches(_ isWanted: (PolledMatch) -> Bool) -> [MatchID] {
        matches.compactMap { isWanted($0.value) ? $0.key : nil }.sorted()
    }

    private mutating func wakeAll(_ change: (inout MatchPoll) -> Void) -> [Action] {
        list.order()
        let polled = polled
        for match in polled {
            guard var poll = matches[match]?.poll else { continue }
            change(&poll)
            matches[match]?.poll = poll
        }
        return [.wakeList] + polled.map { .wake($0) }
    }

    private mutating func pushed(_ push: ProviderPush?, of match: MatchID, _ context: PollContext) -> [Action] {
        guard var poll = matches[match]?.poll else {
            list.pushed()
            return [.wakeList]
        }
        poll.wasPushed(push, now: context.now)
        matches[match]?.poll = poll
        return [.wake(match)]
    }

    private mutating func rename(_ table: AliasTable) -> [Action] {
        let provider = feed.adapter.provider
        var moved: [Fixture] = []
        for match in matches.keys.sorted() {
            if let entry = matches[match]?.rename(match, table, provider) { moved.append(entry) }
        }
        for entry in moved where matches[entry.match]?.listed == nil {
            matches[entry.match, default: PolledMatch()].listed = entry
        }
        return matches { $0.poll?.end == .renamed }.map { .wake($0) }
    }

    /// Matches that the journal has as unfinished are polled; of those a list drops the ones that left it unseen.
    ///
    /// A match whose own id means another one by now was reported before its alias was given: it is not polled as two.
    private mutating func recall(_ known: [UnfinishedMatch], _ table: AliasTable) {
        isRecalled = true
        for found in known {
            let id = table.id(of: found.match, from: feed.adapter.provider)
            guard table.match(id, of: feed.adapter.provider) == found.match else { continue }
            matches[found.match, default: PolledMatch()].expected = found.fixture(id)
        }
    }

    // MARK: List

    private mutating func listEnded(_ outcome: FixtureList.Outcome, _ context: PollContext) -> [Action] {
        list.ended(outcome, interval: feed.cadence.fixtures, context)
        var urgent: [MatchID] = []
        switch outcome {
        case .read(let fixtures):
            let entries = Dictionary(fixtures.map { ($0.match, $0) }) { first, _ in first }
            for match in Set(matches.keys).union(entries.keys) {
                let isUrgent = matches[match, default: PolledMatch()].listWasRead(entries[match], at: context.wall)
                if isUrgent { urgent.append(match) }
            }
            // One that a list has again as over is polled once more.
            if matches.count > IngestLimits.matchRecordsMax { matches = matches.filter { !$0.value.isIdle } }
        case .unchanged:
            for match in matches.keys {
                let entry = matches[match]?.listed
                if matches[match]?.listWasRead(entry, at: context.wall) == true { urgent.append(match) }
            }
        case .failed, .postponed: break
        }
        return urgent.sorted().map { .wake($0) } + assignPlaces(context)
    }

    /// Starts polling what should be polled and is not; when there is no place left, a match that is in play or due has
    /// that of one that has time, or stands still.
    private mutating func assignPlaces(_ context: PollContext) -> [Action] {
        var candidates: [(urgency: Urgency, fixture: Fixture, match: MatchID)] = []
        for match in Array(matches.keys) {
            guard let found = matches[match]?.candidate(context) else { continue }
            candidates.append((found.urgency, found.fixture, match))
        }
        candidates.sort { ($0.urgency, $0.match) < ($1.urgency, $1.match) }
        let holders = matches.compactMap { match, found -> (urgency: Urgency, match: MatchID)? in
            guard let poll = found.poll, poll.end == nil else { return nil }
            return (poll.urgency(at: context.wall), match)
        }
        let free = max(0, IngestLimits.polledMatchesMax - holders.count)
        let urgent = candidates.dropFirst(free).prefix { $0.urgency <= .due }
        let idle = holders.filter { $0.urgency > .due }.sorted { ($0.urgency, $0.match) > ($1.urgency, $1.match) }
        var actions: [Action] = []
        for (_, holder) in zip(urgent, idle) {
            matches[holder.match]?.poll?.end = .displaced
            actions.append(.wake(holder.match))
        }
        let feed = feed
        for candidate in candidates.prefix(free) + urgent.prefix(idle.count) {
            matches[candidate.match]?.begins(candidate.fixture, of: feed, context)
            actions.append(.start(candidate.match))
        }
        return actions
    }

    // MARK: Announcements

    /// Matches that neither their own address nor the list has any more, in order of their ids.
    var vanished: [MatchID] { matches(\.isVanished) }

    /// A vanished match was removed from the journal.
    mutating func wasRemoved(_ match: MatchID) { if matches[match]?.isVanished == true { matches[match] = nil } }

    /// Matches that have not begun by the list and are not polled, the soonest first.
    func upcoming(_ context: PollContext) -> [Fixture] {
        let ahead = matches.values.compactMap { $0.upcoming(context) }
        return Array(
            ahead.sorted { ($0.startsAt ?? .max, $0.match) < ($1.startsAt ?? .max, $1.match) }
                .prefix(IngestLimits.upcomingMax)
        )
    }

    /// The upcoming matches whose entry is news and names two sides.
    func unannounced(_ context: PollContext) -> [Fixture] {
        upcoming(context).filter { matches[$0.match]?.announced != $0 && $0.teams.count == 2 }
    }

    /// The journal has this entry.
    mutating func wasAnnounced(_ fixture: Fixture) { matches[fixture.match]?.announced = fixture }

    /// How many matches are announced.
    var announcedCount: Int { matches.values.count { $0.announced != nil } }

    /// The match ahead that is due to be polled once, for its squads; nil when there is none.
    ///
    /// The soonest of those that never were comes first: one that fails again and again delays no other.
    func nextLook(_ context: PollContext) -> Fixture? {
        let due = upcoming(context).compactMap { fixture in
            matches[fixture.match]?.lookDue(context).map { (since: $0, fixture: fixture) }
        }
        return due.min { $0.since < $1.since }?.fixture
    }

    /// A match that is ahead was polled once; `isAnswered` says whether a repetition has to wait as long as usual.
    mutating func looked(at match: MatchID, isAnswered: Bool, _ context: PollContext) {
        let interval = isAnswered ? feed.cadence.distant : IngestLimits.lookRetryInterval
        matches[match]?.lookDueAt = context.now + context.clock.real(interval)
    }
}
