// Feeds send empty lists, old copies and partial matches; such replies must not reach a million Lock Screens.

public import MatchEngine
public import ScoreTypes

/// Decides whether the changes of a reply are accepted; each match has one gate, in the memory of its writer.
public struct Gate: Sendable, Codable {
    /// The decision about the changes of a reply.
    public enum Verdict: Sendable, Hashable {
        /// The changes are applied.
        case apply
        /// The changes wait until a later reply, which is no copy of this one, confirms them.
        case hold(GateReason)
        /// The reply is ignored.
        case drop(GateReason)
    }

    private let copyLife: Duration
    private let totalCopyLife: Duration
    private let silence: Duration
    private var newestVersion: Int64?
    private var olderReplies = 0
    private var incompleteReplies = 0
    private var emptiedReplies = 0
    private var heldReplies = 0
    private var held: Sighting?
    /// When the feeds answered last, and the times between their last three answers, the newest first.
    private var answeredAt: Duration?
    private var interval: Duration?
    private var intervalBefore: Duration?

    /// The first sighting of something suspicious; an equal reply soon afterwards may be a cached copy.
    ///
    /// Versions are not compared: a snapshot of several replies may have that of another part.
    private struct Sighting: Sendable, Codable {
        let suspicion: Suspicion
        let snapshot: MatchSnapshot
        let at: Duration
        /// When something suspicious in the same way was seen last.
        var lastAt: Duration

        init(_ suspicion: Suspicion, of snapshot: MatchSnapshot, at now: Duration) {
            self.suspicion = suspicion
            self.snapshot = snapshot.unversioned
            at = now
            lastAt = now
        }
    }

    /// Makes a gate without sightings; the clock scales the life of a copy and the length of a silence.
    public init(_ clock: ServiceClock = ServiceClock()) {
        copyLife = clock.real(JournalLimits.copyLife, .play)
        totalCopyLife = clock.real(JournalLimits.totalCopyLife, .play)
        silence = clock.real(JournalLimits.silenceInPlay, .silence)
    }

    /// Judges one reply by the changes from the stored record to its snapshot.
    ///
    /// `now` is real time by a clock that never jumps.
    public mutating func judge(
        _ changes: [Change],
        of snapshot: MatchSnapshot,
        against record: MatchRecord,
        at now: Duration
    ) -> Verdict {
        let patience = patience
        answered(at: now)
        if isOlder(snapshot) { return .drop(.olderVersion) }
        if isEmptied(snapshot, against: record) { return .drop(.emptyList) }
        if isWaiting(snapshot, for: changes, of: record) { return .hold(.incomplete) }
        if let suspicion = Suspicion(changes, of: snapshot, against: record) {
            // A cache may hold its copy for as long as its feed is silent.
            if let held, PlayPhase(of: record.status.status) == .live, now - held.lastAt >= patience { self.held = nil }
            if isDoubted(suspicion, snapshot, at: now) { return .hold(suspicion.reason) }
        }
        (held, heldReplies) = (nil, 0)
        return .apply
    }

    /// Notes that a feed has answered, with a reply or without news.
    mutating func answered(at now: Duration) {
        intervalBefore = interval
        interval = answeredAt.map { now - $0 }
        answeredAt = now
    }

    /// Real time after which a sighting is forgotten in play: a feed that is polled seldom is not silent for that.
    ///
    /// The time between answers is measured, since the plan of a provider may delay a poll. The longer of two counts: a
    /// held reply is repeated sooner than others.
    private var patience: Duration { max(silence, max(interval ?? .zero, intervalBefore ?? .zero) * 2) }

    /// Forgets the versions: those of another provider do not compare.
    mutating func forgetVersions() {
        newestVersion = nil
        olderReplies = 0
    }

    /// Whether something suspicious is held for a second sighting, and has not been held too often.
    private mutating func isDoubted(_ suspicion: Suspicion, _ snapshot: MatchSnapshot, at now: Duration) -> Bool {
        heldReplies += 1
        if heldReplies > JournalLimits.heldReplies { return false }
        guard var held, held.suspicion == suspicion, !Self.hasFallen(snapshot, since: held.snapshot) else {
            self.held = Sighting(suspicion, of: snapshot, at: now)
            return true
        }
        held.lastAt = now
        self.held = held
        // Totals alone do not distinguish an old copy from a match that goes on after a correction.
        let isOther = held.snapshot != snapshot.unversioned && !suspicion.isOfTotals
        return !isOther && now - held.at < (suspicion.hasFewerBalls ? totalCopyLife : copyLife)
    }

    /// Whether a list is empty where balls or totals are stored: that of the match, or of an innings that it still has.
    ///
    /// The first balls of an innings may be a mistake and be withdrawn: beside balls of other innings an empty list is
    /// accepted in the end, and judged as any withdrawal.
    private mutating func isEmptied(_ snapshot: MatchSnapshot, against record: MatchRecord) -> Bool {
        let stored = Dictionary(record.deliveries.byInnings.map { ($0.ordinal, $0.balls.count) }, uniquingKeysWith: +)
        let shown = Set(snapshot.deliveries.byInnings.map(\.ordinal))
        if shown.isEmpty && !stored.isEmpty { return true }
        if snapshot.innings.isEmpty && record.innings.contains(where: { $0.reported?.isBegun == true }) { return true }
        let missing = snapshot.innings.filter { !shown.contains($0.ordinal) }.compactMap { stored[$0.ordinal] }
        emptiedReplies = missing.isEmpty ? 0 : emptiedReplies + 1
        if missing.contains(where: { $0 > JournalLimits.withdrawals }) { return true }
        return !missing.isEmpty && emptiedReplies <= JournalLimits.emptiedReplies
    }

    /// Whether a total is behind that of the first sighting: then both are old copies.
    private static func hasFallen(_ snapshot: MatchSnapshot, since first: MatchSnapshot) -> Bool {
        snapshot.innings.contains { innings in
            guard let now = innings.reported, let old = first.innings.first(where: { $0.ordinal == innings.ordinal })
            else { return false }
            return old.reported.map(now.isBehind) ?? false
        }
    }

    /// Whether a snapshot lacks balls that its own provider counts, and would withdraw or amend something, or has a
    /// wicket.
    ///
    /// A withdrawn ball may be a missing one, an amendment an old mistake, and a wicket may be withdrawn by now; any
    /// other new ball is shown until the next reply.
    private mutating func isWaiting(_ snapshot: MatchSnapshot, for changes: [Change], of record: MatchRecord) -> Bool {
        incompleteReplies = snapshot.isIncomplete ? incompleteReplies + 1 : 0
        guard snapshot.isIncomplete, incompleteReplies <= JournalLimits.incompleteReplies else { return false }
        // An incomplete first report is better than none.
        guard record.info != nil else { return false }
        return changes.contains { change in
            switch change {
            case .withdrawn, .amended, .inningsWithdrawn: true
            case .inserted(let ball): !ball.dismissals.isEmpty
            default: false
            }
        }
    }

    private mutating func isOlder(_ snapshot: MatchSnapshot) -> Bool {
        guard let version = snapshot.version else { return false }
        if let newestVersion, version < newestVersion, olderReplies < JournalLimits.olderReplies {
            olderReplies += 1
            return true
        }
        newestVersion = version
        olderReplies = 0
        return false
    }
}

extension MatchSnapshot {
    /// The snapshot without its version.
    fileprivate var unversioned: MatchSnapshot {
        var snapshot = self
        snapshot.version = nil
        return snapshot
    }
}
