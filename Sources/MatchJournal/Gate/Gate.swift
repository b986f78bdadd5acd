// Feeds answer with empty lists, old copies and half a match; such replies must not reach a million Lock Screens.

public import MatchEngine
public import ScoreTypes

/// Judges whether the changes of one reply are believed; one gate for each match, in memory of its poller.
public struct Gate: Sendable, Codable {
    /// How many balls may vanish in one reply before it waits for a second sighting (cricket.md B.2).
    public static let withdrawalsMax = 3
    /// How many replies running may carry an older version before the provider is taken to have begun its count
    /// anew; short of that it is a stale copy, and for ever would be a match that stands still.
    public static let olderRepliesMax = 10
    /// How many incomplete pictures running may wait for the rest: more than an old copy of one reply makes, and after
    /// that the provider's own counts will not agree with its balls, and it is the balls that are shown.
    public static let incompleteRepliesMax = 10
    /// How many replies running may lack all balls of an innings that has no more than `withdrawalsMax` before they can
    /// have been taken back: more than an empty page makes, and for ever would be a match that stands still.
    public static let emptiedRepliesMax = 10
    /// How many replies running may be odd, each in another way, before one is believed: more than a poller of the
    /// quickest cadence sees before another feed speaks for the match (30 s), and for ever would be
    /// a match that stands still.
    public static let heldRepliesMax = 20
    /// Domain time after which the same picture is no copy of the one before any more: an ordinary interval of polling,
    /// and the longest that a provider lets its replies be kept (`max_age` of Roanuz).
    public static let copyLife: Duration = .seconds(5)

    /// What is to be done with the changes of a reply.
    public enum Verdict: Sendable, Hashable {
        /// The changes are applied.
        case apply
        /// The changes wait until a later reply, which is no copy of this one, confirms them.
        case hold(GateReason)
        /// The reply is ignored.
        case drop(GateReason)
    }

    private let copyLife: Duration
    private var newestVersion: Int64?
    private var olderReplies = 0
    private var incompleteReplies = 0
    private var emptiedReplies = 0
    private var heldReplies = 0
    private var held: Sighting?

    /// The first sight of something odd; the same picture soon afterwards may be the same reply out of a cache.
    ///
    /// A version says nothing here: of a picture made of several replies it may be that of another one.
    private struct Sighting: Sendable, Codable {
        let suspicion: Suspicion
        let snapshot: MatchSnapshot
        let at: Duration

        init(_ suspicion: Suspicion, of snapshot: MatchSnapshot, at now: Duration) {
            self.suspicion = suspicion
            self.snapshot = snapshot.unversioned
            at = now
        }
    }

    /// Makes a gate that has seen nothing.
    ///
    /// - Parameter clock: Scales the life of a copy.
    public init(_ clock: ServiceClock = ServiceClock()) {
        copyLife = clock.real(Self.copyLife, .play)
    }

    /// Judges one reply.
    ///
    /// - Parameters:
    ///   - changes: What `Differ` found between the record and the snapshot.
    ///   - snapshot: The reply.
    ///   - record: The match as stored.
    ///   - now: Real time by a clock that never jumps.
    /// - Returns: Whether to apply the changes, to wait for a second sighting, or to forget the reply.
    public mutating func judge(
        _ changes: [Change],
        of snapshot: MatchSnapshot,
        against record: MatchRecord,
        at now: Duration
    ) -> Verdict {
        if isOlder(snapshot) { return .drop(.olderVersion) }
        if isEmptied(snapshot, against: record) { return .drop(.emptyList) }
        if isWaiting(snapshot, for: changes, of: record) { return .hold(.incomplete) }
        if let suspicion = Suspicion(changes, of: snapshot, against: record), isDoubted(suspicion, snapshot, at: now) {
            return .hold(suspicion.reason)
        }
        (held, heldReplies) = (nil, 0)
        return .apply
    }

    /// Another provider counts its versions from elsewhere.
    public mutating func forgetVersions() {
        newestVersion = nil
        olderReplies = 0
    }

    /// Whether something odd waits for a second sighting, and not for too long already.
    private mutating func isDoubted(_ suspicion: Suspicion, _ snapshot: MatchSnapshot, at now: Duration) -> Bool {
        heldReplies += 1
        if heldReplies > Self.heldRepliesMax { return false }
        guard let held, held.suspicion == suspicion, !Self.hasFallen(snapshot, since: held.snapshot) else {
            held = Sighting(suspicion, of: snapshot, at: now)
            return true
        }
        // Totals alone do not tell one old copy after another from a match that goes on after a correction.
        let isOther = held.snapshot != snapshot.unversioned && !suspicion.isOfTotals
        return !isOther && now - held.at < copyLife
    }

    /// Whether a list is empty where balls or totals are stored: that of the match, or of an innings that still stands.
    ///
    /// The first balls of an innings may have been told by mistake, and all of them be taken back: beside balls of
    /// other innings that is believed in the end, and judged as any withdrawal.
    private mutating func isEmptied(_ snapshot: MatchSnapshot, against record: MatchRecord) -> Bool {
        let stored = Dictionary(grouping: record.deliveries, by: \.innings).mapValues(\.count)
        let shown = Set(snapshot.deliveries.lazy.map(\.innings))
        if shown.isEmpty && !stored.isEmpty { return true }
        if snapshot.innings.isEmpty && record.innings.contains(where: { $0.reported?.isBegun == true }) { return true }
        let missing = snapshot.innings.filter { !shown.contains($0.ordinal) }.compactMap { stored[$0.ordinal] }
        emptiedReplies = missing.isEmpty ? 0 : emptiedReplies + 1
        if missing.contains(where: { $0 > Self.withdrawalsMax }) { return true }
        return !missing.isEmpty && emptiedReplies <= Self.emptiedRepliesMax
    }

    /// Whether a total is behind that of the first sighting: then both are old copies of something.
    private static func hasFallen(_ snapshot: MatchSnapshot, since first: MatchSnapshot) -> Bool {
        snapshot.innings.contains { innings in
            guard let now = innings.reported, let old = first.innings.first(where: { $0.ordinal == innings.ordinal })
            else { return false }
            return old.reported.map(now.isBehind) ?? false
        }
    }

    /// Whether a picture lacks balls that its own provider counts, and would change what is stored or tell a wicket.
    ///
    /// What is gone may be what is missing, what is put right may be a mistake of long ago, and a wicket one that was
    /// taken back meanwhile; any other new ball may be shown until the next reply.
    private mutating func isWaiting(_ snapshot: MatchSnapshot, for changes: [Change], of record: MatchRecord) -> Bool {
        incompleteReplies = snapshot.isIncomplete ? incompleteReplies + 1 : 0
        guard snapshot.isIncomplete, incompleteReplies <= Self.incompleteRepliesMax else { return false }
        // Of a match that nobody has seen before, most is better than nothing.
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
        if let newestVersion, version < newestVersion, olderReplies < Self.olderRepliesMax {
            olderReplies += 1
            return true
        }
        newestVersion = version
        olderReplies = 0
        return false
    }
}

extension MatchSnapshot {
    /// What it shows, whatever its number.
    fileprivate var unversioned: MatchSnapshot {
        var snapshot = self
        snapshot.version = nil
        return snapshot
    }
}
