// Of all matches that a provider lists, those in play matter, those about to begin, and those that ended unseen.

public import MatchEngine
internal import MatchJournal
public import ScoreTypes

/// Decides which matches are polled.
public struct PollSchedule: Sendable {
    /// How long before its start a match is polled, in domain time: toss and line-ups come in the last hour.
    public static let lead: Duration = .seconds(3_600)
    /// A match that ended longer ago, by its start, is history.
    public static let historyAfter: Duration = .seconds(7 * 86_400)
    /// Most matches of one feed that are polled at once; the least urgent beyond it wait.
    public static let matchesMax = 500
    /// Most ended matches that are remembered as done with.
    public static let finishedMax = 10_000
    /// How far ahead matches are made known, in domain time: people follow a tour when it is announced.
    public static let horizon: Duration = .seconds(21 * 86_400)
    /// Most matches of one feed that are made known before they are polled, the soonest first.
    public static let upcomingMax = 1_000

    /// How often a match that is listed as over and cannot be read is polled again: its card may come back within
    /// hours, or the provider keeps no more than the entry.
    static let retriesMax = 12

    private var finished: [MatchID: Finish] = [:]
    private var looks: [MatchID: Duration] = [:]
    /// How often matches that are listed as over were gone, and polled again.
    private var retries: [MatchID: Int] = [:]
    /// Matches that stood still when they had to make place, as the list had them then.
    private var still: [MatchID: Entry] = [:]

    /// What a list says of a match that tells whether it goes on.
    private struct Entry: Sendable, Hashable {
        let startsAt: Int64?
        let status: MatchStatus?

        init(of fixture: Fixture) { (startsAt, status) = (fixture.startsAt, fixture.status) }
    }

    /// How the polling of a match ended.
    private struct Finish: Sendable {
        /// Its start as the list had it then.
        let startsAt: Int64?
        /// Whether the provider did not know it any more; the next reading of the list decides what that means.
        let isGone: Bool
    }

    /// Knows nothing yet.
    public init() {}

    /// Which matches begin to be polled, and which end for their sake.
    struct Turn: Sendable {
        var begins: [Fixture] = []
        var ends: [MatchID] = []
    }

    /// Finds the matches to be polled that are not polled yet; when there is no place left, what is in play or should
    /// be has that of a match that has time, or stands still.
    ///
    /// - Parameters:
    ///   - fixtures: The provider's list.
    ///   - followed: Those that are polled now.
    ///   - clock: Tells the time, and how fast domain time runs.
    /// - Returns: The most urgent first.
    mutating func turn(_ fixtures: [Fixture], followed: [MatchID: FollowedMatch], clock: ServiceClock) -> Turn {
        let ranked = candidates(fixtures, polled: Set(followed.keys), clock: clock)
        let holders = followed.filter { $0.value.end == nil }
        let room = max(0, Self.matchesMax - holders.count)
        var turn = Turn(begins: ranked.prefix(room).map(\.fixture))
        let urgent = ranked.dropFirst(room).prefix { $0.urgency <= .due }
        guard !urgent.isEmpty else { return turn }
        let idle = holders.map { (urgency: Urgency(of: $0.value, now: clock.wall), match: $0.key) }
            .filter { $0.urgency > .due }
            .sorted { ($0.urgency, $0.match) > ($1.urgency, $1.match) }
        for (candidate, holder) in zip(urgent, idle) {
            turn.begins.append(candidate.fixture)
            turn.ends.append(holder.match)
        }
        return turn
    }

    /// The matches that are not polled and should be, each once, the most urgent first.
    private mutating func candidates(
        _ fixtures: [Fixture],
        polled: Set<MatchID>,
        clock: ServiceClock
    ) -> [(urgency: Urgency, fixture: Fixture)] {
        let now = clock.wall
        let ranked = fixtures.compactMap { fixture -> (urgency: Urgency, fixture: Fixture)? in
            guard let urgency = urgency(of: fixture, now: now, clock: clock) else { return nil }
            return polled.contains(fixture.match) ? nil : (urgency, fixture)
        }
        var seen: Set<MatchID> = []
        return ranked.sorted { ($0.urgency, $0.fixture.match) < ($1.urgency, $1.fixture.match) }
            .filter { seen.insert($0.fixture.match).inserted }
    }

    /// Finds the matches that have not begun and are not polled yet.
    ///
    /// - Parameters:
    ///   - fixtures: The provider's list.
    ///   - polled: Those that are polled now.
    ///   - clock: Tells the time, and how fast domain time runs.
    /// - Returns: At most `upcomingMax`, the soonest first.
    public func upcoming(_ fixtures: [Fixture], polled: Set<MatchID>, clock: ServiceClock) -> [Fixture] {
        let now = clock.wall
        let ahead = fixtures.filter { fixture in
            guard !polled.contains(fixture.match) else { return false }
            switch fixture.status {
            case nil: break
            case .postponed?, .cancelled?, .abandonedNoBall?: break
            case let status?: if PlayPhase(of: status) != .before { return false }
            }
            guard let startsAt = fixture.startsAt else { return true }
            let untilStart = now.duration(toSeconds: startsAt)
            return untilStart <= clock.real(Self.horizon) && untilStart >= .zero - Self.historyAfter
        }
        return Array(
            ahead.sorted { ($0.startsAt ?? .max, $0.match) < ($1.startsAt ?? .max, $1.match) }
                .prefix(Self.upcomingMax)
        )
    }

    /// Finds a match that is ahead and was not looked at for long.
    ///
    /// - Parameters:
    ///   - fixtures: The provider's list.
    ///   - polled: Those that are polled now.
    ///   - cadence: How often to look.
    ///   - clock: Tells the time.
    /// - Returns: The soonest; nil when all were looked at.
    public func distant(
        _ fixtures: [Fixture],
        polled: Set<MatchID>,
        _ cadence: Cadence,
        clock: ServiceClock
    ) -> Fixture? {
        upcoming(fixtures, polled: polled, clock: clock).first { fixture in
            guard fixture.startsAt != nil, !isFinished(fixture, now: clock.wall) else { return false }
            guard let last = looks[fixture.match] else { return true }
            return clock.domain - last >= cadence.distant
        }
    }

    /// Notes that a match was looked at.
    public mutating func looked(_ match: MatchID, clock: ServiceClock) {
        if looks.count >= Self.finishedMax { looks.removeAll() }
        looks[match] = clock.domain
    }

    /// Notes that a match need not be polled again, unless the list says that it goes on or is still to come.
    ///
    /// - Parameters:
    ///   - fixture: The match as the list had it.
    ///   - isGone: Whether the provider does not know it any more.
    public mutating func finish(_ fixture: Fixture, isGone: Bool = false) {
        if finished.count >= Self.finishedMax { finished.removeAll() }
        finished[fixture.match] = Finish(startsAt: fixture.startsAt, isGone: isGone)
    }

    /// Notes that a match had to make place; one that stood still takes none from others before the list says more.
    mutating func displaced(_ fixture: Fixture, isStill: Bool) {
        if still.count >= Self.finishedMax { still.removeAll() }
        still[fixture.match] = isStill ? Entry(of: fixture) : nil
    }

    /// Notes that the list was read: a match that was gone and is listed is polled again, if it is over not for ever.
    ///
    /// - Parameter fixtures: The list.
    /// - Returns: The matches that were gone and are listed no more, each once.
    public mutating func listed(_ fixtures: [Fixture]) -> [MatchID] {
        let gone = finished.filter { $0.value.isGone }
        guard !gone.isEmpty else { return [] }
        let listed = Dictionary(fixtures.map { ($0.match, $0.status) }) { first, _ in first }
        for (match, finish) in gone {
            finished[match] = nil
            guard (listed[match] ?? nil).map(PlayPhase.init(of:)) == .over else { continue }
            if retries.count >= Self.finishedMax { retries.removeAll() }
            retries[match, default: 0] += 1
            guard retries[match, default: 0] > Self.retriesMax else { continue }
            finished[match] = Finish(startsAt: finish.startsAt, isGone: false)
        }
        return gone.keys.filter { listed[$0] == nil }.sorted()
    }

    /// nil for what is not to be polled.
    private mutating func urgency(of fixture: Fixture, now: Instant, clock: ServiceClock) -> Urgency? {
        guard let urgency = listedUrgency(of: fixture, now: now, clock: clock) else { return nil }
        guard let before = still[fixture.match] else { return urgency }
        if before == Entry(of: fixture) { return .still }
        still[fixture.match] = nil
        return urgency
    }

    private mutating func listedUrgency(of fixture: Fixture, now: Instant, clock: ServiceClock) -> Urgency? {
        let untilStart = fixture.startsAt.map { now.duration(toSeconds: $0) }
        switch fixture.status.map(PlayPhase.init(of:)) {
        case .live?, .pause?, .overnight?:
            if finished[fixture.match]?.isGone == true { return nil }
            finished[fixture.match] = nil
            return fixture.status.map(PlayPhase.init(of:)) == .live ? .live : .pause
        case .before?, nil:
            if isFinished(fixture, now: now) { return nil }
            finished[fixture.match] = nil
            guard let untilStart else { return .due }
            guard untilStart <= clock.real(Self.lead) && untilStart >= .zero - Self.historyAfter else { return nil }
            return untilStart <= .zero ? .due : .ahead
        case .over?:
            if isFinished(fixture, now: now) { return nil }
            return (untilStart ?? .zero) >= .zero - Self.historyAfter ? .over : nil
        }
    }

    /// Whether a match is done with: one that was postponed or called off has not begun when its start is another than
    /// it was, or still ahead.
    private func isFinished(_ fixture: Fixture, now: Instant) -> Bool {
        guard let finish = finished[fixture.match] else { return false }
        if finish.isGone || fixture.status.map(PlayPhase.init(of:)) == .over { return true }
        guard let startsAt = fixture.startsAt else { return true }
        return startsAt == finish.startsAt && startsAt <= now.seconds
    }
}
