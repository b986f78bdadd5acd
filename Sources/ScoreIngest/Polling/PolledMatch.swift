// The state of one match at a feed is one record, whose phase decides whether it is polled.

internal import MatchEngine
internal import Providers
internal import ScoreTypes

/// One match of a feed.
///
/// ```
/// waiting ──listed in play or as ended, or within the hour before its start──▶ polled
/// polled ──over and past its tail, or it never began──▶ finished ──listed in play, or with another start──▶ polled
/// polled ──ten times unknown to the provider──▶ gone ──listed by the next list──▶ waiting
///                                               gone ──not listed by it──▶ vanished ──removed──▶ no record
/// polled ──a more urgent match needs its place──▶ displaced ──a place is free──▶ polled
/// polled ──its provider's id means another match──▶ no record
/// ```
struct PolledMatch: Sendable {
    /// The phase of a match in polling.
    enum Phase: Sendable {
        /// It is not polled: its time has not come, or there is no place.
        case waiting
        /// A task polls it.
        case polled(MatchPoll)
        /// It had to make place. A match that stood still takes no place from another one before its entry changes.
        case displaced(whenStill: Fixture?)
        /// Its polling has ended; it is polled again when the list says that it goes on, or has another start for it.
        case finished(startsAt: Int64?)
        /// The provider did not know it any more; the next reading of the list decides what that means.
        case gone(startsAt: Int64?)
        /// Neither its own address nor the list has it; it has to be removed from the journal.
        case vanished
    }

    /// Its entry of the list as last read; nil when the list does not have it.
    var listed: Fixture?
    /// The entry by the journal or the last announcement of a match that is unfinished and not listed: a list that
    /// lacks a match proves nothing, since it may have more pages, or only the next days.
    var expected: Fixture?
    /// The entry that was announced last; nil when none was since this node got the duty.
    var announced: Fixture?
    /// When it is polled next ahead of its time, by the monotonic clock; nil for at once.
    var lookDueAt: Duration?
    /// How often it was gone although the list has it as over.
    var retries = 0
    private(set) var phase = Phase.waiting

    /// How it is polled; nil when it is not.
    var poll: MatchPoll? {
        get { if case .polled(let poll) = phase { poll } else { nil } }
        set { if let newValue { phase = .polled(newValue) } }
    }

    var isVanished: Bool { if case .vanished = phase { true } else { false } }

    /// Whether the record can be forgotten: nothing is done about the match before the list has it again.
    var isIdle: Bool {
        if case .polled = phase { return false }
        return listed == nil && expected == nil && announced == nil && !isVanished
    }

    // MARK: Before it is polled

    /// Takes the entry of the list that was read; nil when the list does not have the match.
    ///
    /// - Returns: Whether a match that is polled has to be polled at once.
    mutating func listWasRead(_ entry: Fixture?, at wall: Instant) -> Bool {
        listed = entry
        if entry != nil {
            expected = nil
        } else if let last = announced {
            // A match that was called off ends by itself.
            if last.playPhase != .over { expected = last }
            announced = nil
        }
        switch phase {
        case .polled(var poll):
            let isUrgent = poll.listed(entry, at: wall)
            phase = .polled(poll)
            return isUrgent
        case .gone(let startsAt): phase = afterGone(startsAt)
        case .vanished: if entry != nil { phase = .waiting }
        case .waiting, .displaced, .finished: break
        }
        return false
    }

    /// A match that is gone and listed is polled again; one that is over not for ever: its card may come back within
    /// hours, or the provider keeps only the entry.
    private mutating func afterGone(_ startsAt: Int64?) -> Phase {
        guard let listed else { return .vanished }
        guard listed.playPhase == .over else { return .waiting }
        retries += 1
        return retries > IngestLimits.goneRetriesMax ? .finished(startsAt: startsAt) : .waiting
    }

    /// Forgets the facts that another node may write from now on.
    mutating func dutyWasLost() {
        (announced, expected) = (nil, nil)
        if isVanished { phase = .waiting }
    }

    /// Drops the entries that mean another match by the alias table as it is now, and ends the polling of such a match.
    ///
    /// - Returns: The dropped entry of the list, under its new id.
    mutating func rename(_ match: MatchID, _ table: AliasTable, _ provider: Provider) -> Fixture? {
        func isOther(_ id: ProviderMatchID?) -> Bool { id.map { table.match($0, of: provider) != match } ?? false }
        if isOther(announced?.id) { announced = nil }
        if isOther(expected?.id) { expected = nil }
        if isOther(poll?.id) { poll?.end = .renamed }
        let renamed = listed?.named(by: table, of: provider)
        listed = isOther(listed?.id) ? nil : renamed
        return listed == nil ? renamed : nil
    }

    // MARK: Candidates

    /// The entry by which the match should be polled now, with how urgent that is; nil when it is polled, or need not
    /// be.
    mutating func candidate(_ context: PollContext) -> (urgency: Urgency, fixture: Fixture)? {
        if case .polled = phase { return nil }
        let found = [listed, expected].compactMap(\.self).compactMap { fixture in
            urgency(of: fixture, context).map { (urgency: $0, fixture: fixture) }
        }
        return found.min { $0.urgency < $1.urgency }
    }

    private mutating func urgency(of fixture: Fixture, _ context: PollContext) -> Urgency? {
        guard let urgency = entryUrgency(of: fixture, context) else { return nil }
        guard case .displaced(let before?) = phase else { return urgency }
        if before.startsAt == fixture.startsAt && before.status == fixture.status { return .still }
        phase = .waiting
        return urgency
    }

    private mutating func entryUrgency(of fixture: Fixture, _ context: PollContext) -> Urgency? {
        if isVanished || isFinished(fixture, context) { return nil }
        if case .gone = phase { return nil }
        let untilStart = fixture.startsAt.map(context.wall.duration(toSeconds:))
        let history = .zero - IngestLimits.historyAfter
        if fixture.playPhase == .over { return (untilStart ?? .zero) >= history ? .over : nil }
        if case .finished = phase { phase = .waiting }
        switch fixture.playPhase {
        case .live?: return .live
        case .pause?, .overnight?: return .pause
        case .before?, .over?, nil:
            guard let untilStart else { return .due }
            guard untilStart <= context.clock.real(IngestLimits.pollLead), untilStart >= history else { return nil }
            return untilStart <= .zero ? .due : .ahead
        }
    }

    /// Whether its polling has ended: a match that was postponed or called off has not begun when its start is another
    /// than it was, or still ahead.
    private func isFinished(_ fixture: Fixture, _ context: PollContext) -> Bool {
        guard case .finished(let before) = phase else { return false }
        switch fixture.playPhase {
        case .live?, .pause?, .overnight?: return false
        case .over?: return true
        case .before?, nil:
            guard let startsAt = fixture.startsAt else { return true }
            return startsAt == before && startsAt <= context.wall.seconds
        }
    }

    /// Its entry, when it has not begun by the list and is not polled; of a season ahead only what is near.
    func upcoming(_ context: PollContext) -> Fixture? {
        guard let listed, poll == nil else { return nil }
        switch listed.status {
        case nil: break
        case .postponed?, .cancelled?, .abandonedNoBall?: break
        case let status?: if PlayPhase(of: status) != .before { return nil }
        }
        guard let startsAt = listed.startsAt else { return listed }
        let untilStart = context.wall.duration(toSeconds: startsAt)
        let isNear = untilStart <= context.clock.real(IngestLimits.horizon)
        return isNear && untilStart >= .zero - IngestLimits.historyAfter ? listed : nil
    }

    /// Since when a match that is ahead should be polled once, for its squads; nil when it need not be now.
    func lookDue(_ context: PollContext) -> Duration? {
        guard let listed, listed.startsAt != nil, !isFinished(listed, context) else { return nil }
        if case .gone = phase { return nil }
        let due = lookDueAt ?? .zero
        return due <= context.now ? due : nil
    }

    // MARK: Polling

    /// A task begins to poll it.
    mutating func begins(_ fixture: Fixture, of feed: FeedConfiguration, _ context: PollContext) {
        phase = .polled(MatchPoll(fixture, of: feed, isListed: listed != nil, context))
    }

    /// Its task has ended.
    ///
    /// - Returns: Whether there still is a record: a match under another id has none.
    mutating func ended() -> Bool {
        guard case .polled(let poll) = phase else { return true }
        announced = nil
        switch poll.end {
        case .displaced?: phase = .displaced(whenStill: poll.isStill ? poll.entry : nil)
        case .renamed?: return false
        case .gone?: (phase, expected) = (.gone(startsAt: poll.entry.startsAt), nil)
        case .done?, nil: (phase, expected) = (.finished(startsAt: poll.entry.startsAt), nil)
        }
        return true
    }
}

/// How urgent it is to poll a match, the most urgent first: places are few when a list is full of unplayed matches.
enum Urgency: Int, Sendable, Comparable {
    /// In play.
    case live
    /// Begun, and in a break.
    case pause
    /// Its start has come, or is unknown.
    case due
    /// It begins within the hour.
    case ahead
    /// Over: only corrections may come.
    case over
    /// It should be in play, and has not changed for long.
    case still

    static func < (left: Urgency, right: Urgency) -> Bool { left.rawValue < right.rawValue }
}

extension Fixture {
    /// The phase of its status; nil without a status.
    var playPhase: PlayPhase? { status.map(PlayPhase.init(of:)) }
}
