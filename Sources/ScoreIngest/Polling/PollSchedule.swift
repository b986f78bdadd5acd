// Of all matches that a provider lists, those in play matter, those about to begin, and those that ended unseen.

internal import MatchEngine
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

    /// How the polling of a match ended.
    private struct Finish: Sendable {
        /// Its start as the list had it then.
        let startsAt: Int64?
        /// Whether the provider did not know it any more; the next reading of the list decides what that means.
        let isGone: Bool
    }

    /// Knows nothing yet.
    public init() {}

    /// Finds the matches to be polled that are not polled yet.
    ///
    /// - Parameters:
    ///   - fixtures: The provider's list.
    ///   - polled: Those that are polled now.
    ///   - clock: Tells the time, and how fast domain time runs.
    /// - Returns: At most so many as there is room for, the most urgent first.
    public mutating func due(_ fixtures: [Fixture], polled: Set<MatchID>, clock: ServiceClock) -> [Fixture] {
        let now = clock.wall
        let ranked = fixtures.compactMap { fixture -> (rank: Int, fixture: Fixture)? in
            guard let rank = rank(of: fixture, now: now, clock: clock) else { return nil }
            return polled.contains(fixture.match) ? nil : (rank, fixture)
        }
        let room = max(0, Self.matchesMax - polled.count)
        var seen: Set<MatchID> = []
        return Array(
            ranked.sorted { ($0.rank, $0.fixture.match) < ($1.rank, $1.fixture.match) }
                .map(\.fixture).filter { seen.insert($0.match).inserted }.prefix(room)
        )
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
            case let status?: if PollPhase(of: status) != .before { return false }
            }
            guard let startsAt = fixture.startsAt else { return true }
            let untilStart = Self.duration(from: now, to: startsAt)
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
            guard (listed[match] ?? nil).map(PollPhase.init(of:)) == .over else { continue }
            if retries.count >= Self.finishedMax { retries.removeAll() }
            retries[match, default: 0] += 1
            guard retries[match, default: 0] > Self.retriesMax else { continue }
            finished[match] = Finish(startsAt: finish.startsAt, isGone: false)
        }
        return gone.keys.filter { listed[$0] == nil }.sorted()
    }

    /// 0 for the most urgent; nil for what is not due.
    private mutating func rank(of fixture: Fixture, now: Instant, clock: ServiceClock) -> Int? {
        let untilStart = fixture.startsAt.map { Self.duration(from: now, to: $0) }
        switch fixture.status.map(PollPhase.init(of:)) {
        case .live?, .pause?, .overnight?:
            if finished[fixture.match]?.isGone == true { return nil }
            finished[fixture.match] = nil
            return fixture.status.map(PollPhase.init(of:)) == .live ? 0 : 1
        case .before?, nil:
            if isFinished(fixture, now: now) { return nil }
            finished[fixture.match] = nil
            guard let untilStart else { return 2 }
            return untilStart <= clock.real(Self.lead) && untilStart >= .zero - Self.historyAfter ? 2 : nil
        case .over?:
            if isFinished(fixture, now: now) { return nil }
            return (untilStart ?? .zero) >= .zero - Self.historyAfter ? 3 : nil
        }
    }

    /// Whether a match is done with: one that was postponed or called off has not begun when its start is another than
    /// it was, or still ahead.
    private func isFinished(_ fixture: Fixture, now: Instant) -> Bool {
        guard let finish = finished[fixture.match] else { return false }
        if finish.isGone || fixture.status.map(PollPhase.init(of:)) == .over { return true }
        guard let startsAt = fixture.startsAt else { return true }
        return startsAt == finish.startsAt && startsAt <= now.seconds
    }

    /// Bounded on both sides, since the number comes from outside.
    static func duration(from now: Instant, to seconds: Int64) -> Duration {
        let century: Int64 = 3_155_760_000
        return .seconds(min(max(seconds, now.seconds - century), now.seconds + century) - now.seconds)
    }
}
