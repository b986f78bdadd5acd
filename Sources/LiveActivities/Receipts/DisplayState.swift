// APNs' yes says nothing about the screen: only the phone can tell, and this is what is made of its word.

import FollowService
import ScoreTypes

/// What a phone shows, measured by what APNs has accepted for it.
enum DisplayVerdict: String, Sendable, Hashable, CaseIterable {
    /// It shows what was accepted, or something newer.
    case current
    /// It shows something older, but the newer has not been out for long, or was not accepted yet.
    case behind
    /// Something newer has been out for `StateTrail.patience` and APNs accepted it or what followed, and yet it is not
    /// on the screen: the phone cannot decode it, was not reached, or iOS holds it back.
    case stuck

    /// Judges a phone's word.
    ///
    /// - Parameters:
    ///   - activity: What it shows and what was accepted.
    ///   - due: The newest picture of the match that has been out for `StateTrail.patience`; nil when nobody knows.
    ///   - now: Wall time; an activity that was started later than that long ago is given its time.
    init(_ activity: ShownActivity, due: Int64?, now: Instant) {
        guard activity.shown < activity.accepted else {
            self = .current
            return
        }
        guard let due, activity.shown < due, activity.accepted >= due,
            now - activity.startedAt >= StateTrail.patience
        else {
            self = .behind
            return
        }
        self = .stuck
    }
}
