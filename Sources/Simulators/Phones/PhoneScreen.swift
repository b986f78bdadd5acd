// What one Lock Screen shows, by the rules of ActivityKit: the judge of whether the backend keeps its order.

import LiveSurface
import ScoreTypes

/// The state of one Live Activity on one phone.
struct PhoneScreen: Sendable, Equatable {
    /// Revision on show; 0 for nothing yet.
    private(set) var revision: Int64 = 0
    /// `aps.timestamp` of the push on show; the system ignores updates that are older.
    private(set) var timestamp: Int64 = 0
    /// Whether an `end` arrived.
    private(set) var isEnded = false
    /// How often a state was shown after one with a higher revision; 0 for a right backend.
    private(set) var wentBack = 0
    /// Pushes that were late and changed nothing.
    private(set) var ignored = 0
    /// Pushes that did not decode and changed nothing.
    private(set) var undecodable = 0
    /// When the state on show arrived, on the real monotonic clock.
    private(set) var shownAt: Duration = .zero

    /// Takes a push that arrived.
    mutating func receive(_ payload: PushPayload?, at now: Duration) {
        guard let aps = payload?.aps, let sent = aps.timestamp, let state = aps.contentState else {
            undecodable += 1
            return
        }
        let isEnd = aps.event == "end"
        // Apple: an older timestamp is ignored, but an end is accepted whatever its age.
        guard sent >= timestamp || isEnd, !isEnded else {
            ignored += 1
            return
        }
        if state.rev < revision { wentBack += 1 }
        revision = state.rev
        timestamp = max(timestamp, sent)
        isEnded = isEnd
        shownAt = now
    }

    /// Takes a state that the app fetched itself; older ones change nothing.
    mutating func fetch(revision fetched: Int64, at now: Duration) {
        guard fetched > revision else { return }
        revision = fetched
        shownAt = now
    }
}
