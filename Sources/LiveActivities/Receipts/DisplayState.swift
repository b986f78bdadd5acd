// APNs' acceptance says nothing about the screen; only the phone's receipt does.

internal import FollowService
internal import ScoreTypes

/// The state that a phone shows, compared with the state that APNs has accepted for it.
enum DisplayState: String, Sendable, Hashable, CaseIterable {
    /// It shows the accepted revision or a newer one.
    case current
    /// It shows an older revision, but the newer one is not yet out for long, or was not accepted yet.
    case behind
    /// The phone cannot decode a newer revision, was not reached, or iOS holds it back.
    ///
    /// That revision has been out for ``LiveActivityLimits/stuckAfter``, and APNs accepted it or a later one.
    case stuck

    /// Classifies a receipt by the newest revision that has been out for the patience; a young activity is not stuck.
    init(_ activity: ShownActivity, due: Int64?, now: Instant) {
        guard activity.shown < activity.accepted else {
            self = .current
            return
        }
        guard let due, activity.shown < due, activity.accepted >= due,
            now - activity.startedAt >= LiveActivityLimits.stuckAfter
        else {
            self = .behind
            return
        }
        self = .stuck
    }
}
