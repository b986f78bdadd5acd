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
    /// The feed that told of the match first: its ids are the match's.
    var home: String?
    /// The feed that spoke for the match last; nil before any has.
    var feed: String?
    /// The feed whose word was believed last, also of a list, before any speaks; nil before any was.
    var teller: String?
    /// The ledger: what was told of the match, in the order of telling.
    var told: [ToldMoment] = []
    /// Whether the provider has dropped the match; the next append brings it back.
    var isRemoved = false
    /// What operators say in place of the feed, with what has ended and is not yet taken back.
    var overrides: [MatchOverride] = []
    /// What the feed says of it, by field; what is not there stands in the match as it is.
    var feedSays: [String: FeedWord] = [:]

    /// What to write, and the state once it is written; nothing to write when `append` is nil.
    struct Plan: Sendable {
        let append: JournalAppend?
        var after: WriterState
    }

    /// What makes the writer look at its match.
    struct Occasion: Sendable {
        enum Kind: Sendable {
            /// An accepted reply.
            case reply
            /// The first one after a silence, or from another feed than before.
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
        let telling = telling(of: occasion, &after, now: now)
        if !telling.isEmpty { after.replica.apply(telling.changes) }
        var all = occasion.changes + telling.changes
        var cause: PublicationCause = telling.news.isEmpty ? .reply : .confirmation
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
            priority: telling.priority,
            alertKey: telling.alert?.key,
            cause: cause,
            told: telling.told,
            facts: MatchFacts(after.replica, match: match, revision: revision.number &+ Int64(all.count)),
            source: occasion.source
        )
        // The row was made for whoever was asked first, and who told first may be another.
        if revision.number == 0 && !occasion.source.feed.isEmpty { after.home = occasion.source.feed }
        after.keepAlive.lastPublication = now
        after.told += telling.told
        return Plan(append: append, after: after)
    }

    /// What becomes certain; while the feeds are silent or have dropped the match, time makes nothing certain.
    private func telling(of occasion: Occasion, _ after: inout WriterState, now: Duration) -> Telling {
        let sighting: MomentLife.Sighting
        switch occasion.kind {
        case .reply: sighting = .reply
        case .catchUp: sighting = .catchUp(at: occasion.at.seconds)
        case .report, .time:
            let isFrozen = silence.isFrozen(at: now, in: after.playPhase)
            if after.isRemoved || isFrozen { return Telling() }
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

    /// What the match is doing: an operator's result ends it under whatever word.
    var playPhase: PlayPhase {
        replica.state.phase == .over ? .over : PlayPhase(of: replica.state.status.status)
    }

    private func waitForKeepAlive(now: Duration) -> Duration? {
        playPhase == .over ? nil : keepAlive.wait(status: replica.state.status.status, now: now)
    }

    /// Whether an answer that comes now ends a silence.
    func isSilenceBroken(byAnswerAt now: Duration) -> Bool { silence.isBroken(byAnswerAt: now, in: playPhase) }

    /// Real time until the match has to be called silent, zero when it has; nil when it need not be.
    func waitForSilence(now: Duration, wall: Instant, interval: Duration = .zero) -> Duration? {
        let untilStart = replica.record.info?.startsAt.map { wall.duration(toSeconds: $0) }
        return silence.wait(in: playPhase, now: now, untilStart: untilStart, interval: interval)
    }

    /// How long until time alone may have something to write.
    ///
    /// - Parameters:
    ///   - now: Real time by a clock that never jumps.
    ///   - wall: The time of day.
    ///   - interval: Real time after its last answer until the feed is asked again.
    /// - Returns: Real time; nil when only a reply can bring it.
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
