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

    /// The phase of play; an operator's result ends a match whatever its status.
    var playPhase: PlayPhase {
        replica.state.phase == .over ? .over : PlayPhase(of: replica.state.status.status)
    }

    func waitForKeepAlive(now: Duration) -> Duration? {
        playPhase == .over ? nil : keepAlive.wait(status: replica.state.status.status, now: now)
    }

    /// Whether an answer that comes now ends a silence.
    func isSilenceBroken(byAnswerAt now: Duration) -> Bool { silence.isBroken(byAnswerAt: now, in: playPhase) }

    /// Real time until a reply that shows the same confirms a pending moment; nil when none does.
    package func look(now: Duration) -> Duration? { life.look(now: now) }

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
