// A new activity takes an old one's place in the store, so somebody has to know the old one's token until it is ended.

public import ScoreTypes

/// What the renewal of one match's tokens comes to in one round.
public struct RenewalRound: Sendable {
    /// To be started again; the caller keeps those whose start is marked with ``RenewalSchedule/keep(_:token:)``.
    public fileprivate(set) var due: [HeldActivity] = []
    /// Were started again, and are in the arena no more as what they were: renewed, or ended in another way.
    public fileprivate(set) var gone: [RenewalSchedule.Kept] = []
    /// Were not renewed in time.
    public fileprivate(set) var overdue: [HeldActivity] = []
}

/// The renewals of one match that are under way on this node.
///
/// ```
/// young ── 7 h 30 ──▶ due ── start sent ──▶ kept ──┬── new one registered ──▶ old one ended
///                                                   ├── too many kept ──▶ forgotten: the app ends the old one itself
///                                                   └── 7 h 55 ──▶ overdue: ended, with a word
/// ```
/// After a crash it is made anew from the arena, where whoever has not registered again is still the old one: the store
/// sends no second start, and the old one is kept once more.
public struct RenewalSchedule: Sendable {
    /// Activities that become due in one round; the others wait for the next one.
    public static let roundMax = 20_000
    /// Renewals under way at once, 250 bytes each; then the oldest make room: phones that are off may never answer.
    public static let keptMax = 100_000
    /// Forgotten activities that are not asked for again, 40 bytes each; beyond it the store is asked once more.
    public static let forgottenMax = 1_000_000

    /// An old activity with the token that ends it.
    public struct Kept: Sendable, Hashable {
        /// The activity.
        public let activity: HeldActivity
        /// Its token.
        public let token: PushToken
    }

    private struct Showing: Hashable {
        let device: DeviceID
        let startedAt: UInt32
    }

    private var kept: [DeviceID: (old: Kept, turn: UInt64)] = [:]
    private var lastTurn: UInt64 = 0
    private var forgotten: Set<Showing> = []

    /// Nothing is under way.
    public init() {}

    /// Compares what is under way with what the arena holds.
    ///
    /// - `aged`: All activities of the match that renewal is due for.
    /// - `end`: What began before has to be ended.
    public mutating func look(at aged: [HeldActivity], endingBefore end: Instant) -> RenewalRound {
        var round = RenewalRound()
        var left = kept
        var stillForgotten: Set<Showing> = []
        for activity in aged {
            let showing = Showing(device: activity.device, startedAt: activity.startedAt)
            if Int64(activity.startedAt) < end.seconds {
                left[activity.device] = nil
                kept[activity.device] = nil
                round.overdue.append(activity)
            } else if let known = left.removeValue(forKey: activity.device) {
                // Its token has changed meanwhile: it is read again.
                if known.old.activity != activity { round.due.append(activity) }
            } else if forgotten.contains(showing) {
                stillForgotten.insert(showing)
            } else if round.due.count < Self.roundMax {
                round.due.append(activity)
            }
        }
        forgotten = stillForgotten
        for gone in left.values { kept[gone.old.activity.device] = nil }
        round.gone = left.values.map(\.old).sorted { DeviceKey($0.activity.device) < DeviceKey($1.activity.device) }
        return round
    }

    /// Keeps what was started again until its device has registered the new one.
    public mutating func keep(_ activity: HeldActivity, token: PushToken) {
        if kept.count >= Self.keptMax { forgetOldest() }
        lastTurn += 1
        kept[activity.device] = (Kept(activity: activity, token: token), lastTurn)
    }

    /// Makes room for a quarter, so that it is not made for each single one.
    private mutating func forgetOldest() {
        let oldest = kept.values.sorted { $0.turn < $1.turn }.prefix(max(1, Self.keptMax / 4))
        for (old, _) in oldest {
            kept[old.activity.device] = nil
            guard forgotten.count < Self.forgottenMax else { continue }
            forgotten.insert(Showing(device: old.activity.device, startedAt: old.activity.startedAt))
        }
    }
}
