// The state of a match's writer is a value, so that a decision whose commit failed leaves nothing behind.

public import MatchEngine
public import ScoreTypes

/// A match as its journal has it, with the moments and replies that are pending.
public struct WriterState: Sendable, Codable {
    /// The match.
    public let match: MatchID
    /// The head of its journal.
    public internal(set) var revision: Revision
    var gate: Gate
    var replica: MatchReplica
    /// The match as its journal has it.
    public var record: MatchRecord { replica.record }
    var life: MomentLife
    var keepAlive: KeepAlive
    var silence: FeedSilence
    /// The feed that reported the match first: the match has its ids.
    var home: String?
    /// The feed of the last balls or innings; nil before the first.
    var feed: String?
    /// The feed of the last accepted report, an entry of a list included; nil before the first.
    var reporter: String?
    /// The announced moments, in the order of their announcement.
    var announced: [AnnouncedMoment] = []
    /// Whether the provider has removed the match; the next append restores it.
    var isRemoved = false
    /// Operators' overrides, with expired ones that are not yet undone.
    var overrides: [MatchOverride] = []
    /// The feed's values of overridden fields, by field; of other fields the match has the feed's value.
    var feedValues: [String: OverriddenValue] = [:]

    /// The append, nil for none, and the state after it.
    struct Plan: Sendable {
        let append: JournalAppend?
        var after: WriterState
    }

    /// Why a writer looks at its match.
    struct Occasion: Sendable {
        enum Kind: Sendable {
            /// An accepted reply.
            case reply
            /// The first one after a silence, or of another feed than before.
            case catchUp
            /// A report without play: an operator's override, an entry of a list.
            case report
            /// Time has passed.
            case time
        }

        let kind: Kind
        var changes: [Change] = []
        let at: Instant
        var source = JournalSource.server
    }

    /// Decides what an occasion leads to; `now` is real time by a clock that never jumps.
    func plan(for occasion: Occasion, now: Duration) -> Plan {
        var after = self
        if occasion.isReply {
            after.keepAlive.lastReply = now
            after.silence.answered(now: now)
        }
        if !occasion.changes.isEmpty { after.replica.apply(occasion.changes) }
        if after.playPhase == .over { after.silence.over() }
        let confirmed = confirmed(of: occasion, &after, now: now)
        if !confirmed.isEmpty { after.replica.apply(confirmed.changes) }
        var all = occasion.changes + confirmed.changes
        var cause: PublicationCause = confirmed.news.isEmpty ? .reply : .confirmation
        if all.isEmpty {
            guard occasion.kind == .time, waitForKeepAlive(now: now) == .zero else {
                return Plan(append: nil, after: after)
            }
            all = [.keepAlive]
            cause = .keepAlive
        }
        let append = JournalAppend(
            match: match,
            expected: revision.number,
            changes: all,
            seenAt: occasion.at,
            priority: confirmed.priority,
            alertKey: confirmed.alert?.key,
            cause: cause,
            announced: confirmed.announced,
            facts: MatchFacts(after.replica, match: match, revision: revision.number &+ Int64(all.count)),
            source: occasion.source
        )
        // The row names the feed that the writer was made for, and another one may have reported first.
        if revision.number == 0 && !occasion.source.feed.isEmpty { after.home = occasion.source.feed }
        after.keepAlive.lastPublication = now
        after.announced += confirmed.announced
        return Plan(append: append, after: after)
    }

    /// The moments that are confirmed; while the feeds are silent or have removed the match, time confirms none.
    private func confirmed(of occasion: Occasion, _ after: inout WriterState, now: Duration) -> ConfirmedMoments {
        let sighting: MomentLife.Sighting
        switch occasion.kind {
        case .reply: sighting = .reply
        case .catchUp: sighting = .catchUp(at: occasion.at.seconds)
        case .report, .time:
            let isFrozen = silence.isFrozen(at: now, in: after.playPhase)
            if after.isRemoved || isFrozen { return ConfirmedMoments() }
            sighting = .time
        }
        return after.life.look(
            sighting,
            at: after.replica.state.moments,
            of: after.replica.record,
            before: replica.record,
            now: now
        )
    }

    /// The phase of play; an operator's result ends a match whatever its status.
    var playPhase: PlayPhase {
        replica.state.phase == .over ? .over : PlayPhase(of: replica.state.status.status)
    }

    private func waitForKeepAlive(now: Duration) -> Duration? {
        playPhase == .over ? nil : keepAlive.wait(status: replica.state.status.status, now: now)
    }

    /// Whether an answer that comes now ends a silence.
    func isSilenceBroken(byAnswerAt now: Duration) -> Bool { silence.isBroken(byAnswerAt: now, in: playPhase) }

    /// Whether another reply would confirm a pending moment.
    package var wantsLook: Bool { life.wantsLook }

    /// The folded match.
    package var folded: MatchState { replica.state }

    /// Since when the stored match is silent; nil while it is not.
    package var silentSince: Instant? { silence.since }

    /// Marks the match as silent if it is.
    ///
    /// - Returns: Since when it is silent; nil when it is not, or is marked already.
    package mutating func markSilence(now: Duration, wall: Instant, interval: Duration = .zero) -> Instant? {
        guard waitForSilence(now: now, wall: wall, interval: interval) == .zero else { return nil }
        let since = wall + (.zero - (now - silence.lastAnswer))
        silence.reported(since: since)
        return since
    }

    /// Real time until the match is silent, zero for now; nil for one that cannot be.
    private func waitForSilence(now: Duration, wall: Instant, interval: Duration = .zero) -> Duration? {
        let untilStart = replica.record.info?.startsAt.map { wall.duration(toSeconds: $0) }
        return silence.wait(in: playPhase, now: now, untilStart: untilStart, interval: interval)
    }

    /// Real time until time alone may have something to write; nil when only a reply may.
    ///
    /// `interval` is real time from the last answer of the feed to the next poll.
    public func wait(now: Duration, wall: Instant, interval: Duration = .zero) -> Duration? {
        let moments = isRemoved || silence.isFrozen(at: now, in: playPhase) ? nil : life.wait(now: now)
        let waits = [
            moments, waitForKeepAlive(now: now),
            waitForSilence(now: now, wall: wall, interval: interval),
            overrides.map(\.expiresAt).filter { $0 > wall }.min().map { $0 - wall },
        ]
        return waits.compactMap(\.self).min()
    }
}

extension WriterState.Occasion {
    fileprivate var isReply: Bool { kind == .reply || kind == .catchUp }
}
