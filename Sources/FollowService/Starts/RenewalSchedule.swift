// A renewed activity replaces the old one in the store, so the old token is kept in memory until that one is ended.

public import ScoreTypes

/// The activities of one match that one round renews or ends.
public struct RenewalRound: Sendable {
    /// Activities to start again; the caller passes the started ones to ``RenewalSchedule/keep(_:token:at:)``.
    public fileprivate(set) var due: [HeldActivity] = []
    /// Old activities that have left the arena since they were started again: renewed, or ended in another way.
    public fileprivate(set) var gone: [RenewalSchedule.Kept] = []
    /// Activities that were not renewed in time.
    public fileprivate(set) var overdue: [HeldActivity] = []
}

/// The renewals of one match that are under way on this node.
///
/// ```
/// young ── 7 h 30 ──▶ due ── start sent ──▶ kept ──┬── new one registered ──▶ old one ended
///                                                   ├── too many kept ──▶ forgotten: the app ends the old one itself
///            ▲                              │       └── 7 h 55 ──▶ overdue: ended, with a last content
///            └──────── two minutes ─────────┘
/// ```
/// A kept activity is due again and again, since its start may have failed. The store prevents a second start of one
/// whose start did not. After a crash the schedule is rebuilt from the arena, which still holds the activities that
/// were not registered again.
public struct RenewalSchedule: Sendable {
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

    private var kept: [DeviceID: (old: Kept, turn: UInt64, at: Instant)] = [:]
    private var lastTurn: UInt64 = 0
    private var forgotten: Set<Showing> = []

    /// Makes a schedule without renewals.
    public init() {}

    /// Compares the renewals under way with the arena.
    ///
    /// - `aged`: All activities of the match in the arena whose renewal is due; those before `end` are overdue.
    /// - `now`: The time of this comparison; an activity kept for `FollowLimits.renewalRetryTime` is due again.
    public mutating func look(at aged: [HeldActivity], endingBefore end: Instant, now: Instant) -> RenewalRound {
        var round = RenewalRound()
        var repeated: [HeldActivity] = []
        var left = kept
        var stillForgotten: Set<Showing> = []
        for activity in aged {
            let showing = Showing(device: activity.device, startedAt: activity.startedAt)
            if Int64(activity.startedAt) < end.seconds {
                left[activity.device] = nil
                kept[activity.device] = nil
                round.overdue.append(activity)
            } else if let known = left.removeValue(forKey: activity.device) {
                if known.old.activity.generation != activity.generation {
                    // Its token has changed, so that it has to be read again.
                    round.due.append(activity)
                } else if now - known.at >= FollowLimits.renewalRetryTime {
                    repeated.append(activity)
                }
            } else if forgotten.contains(showing) {
                stillForgotten.insert(showing)
            } else if round.due.count < FollowLimits.renewalsPerRound {
                round.due.append(activity)
            }
        }
        // Last, so that phones without an answer do not delay others.
        round.due += repeated.prefix(max(0, FollowLimits.renewalsPerRound - round.due.count))
        forgotten = stillForgotten
        for gone in left.values { kept[gone.old.activity.device] = nil }
        round.gone = left.values.map(\.old).sorted { DeviceKey($0.activity.device) < DeviceKey($1.activity.device) }
        return round
    }

    /// Keeps an activity that was started again until its device registers the new one.
    public mutating func keep(_ activity: HeldActivity, token: PushToken, at now: Instant) {
        if kept[activity.device] == nil, kept.count >= FollowLimits.renewalsUnderWay { forgetOldest() }
        lastTurn += 1
        kept[activity.device] = (Kept(activity: activity, token: token), lastTurn, now)
    }

    /// Forgets a quarter at once, since one sort serves them all.
    private mutating func forgetOldest() {
        let oldest = kept.values.sorted { $0.turn < $1.turn }.prefix(max(1, FollowLimits.renewalsUnderWay / 4))
        for (old, _, _) in oldest {
            kept[old.activity.device] = nil
            guard forgotten.count < FollowLimits.renewalsForgotten else { continue }
            forgotten.insert(Showing(device: old.activity.device, startedAt: old.activity.startedAt))
        }
    }
}
