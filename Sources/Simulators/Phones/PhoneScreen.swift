// One Lock Screen by the rules of ActivityKit; it shows whether the backend keeps the order of states.

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
    /// Highest revision that a push brought; a state that the app fetched itself may be ahead of it.
    private var pushed: Int64 = 0
    /// How often a push that the system had to show carried an older revision than one before; 0 for a right backend.
    private(set) var wentBack = 0
    /// Pushes that were late and changed nothing.
    private(set) var ignored = 0
    /// Pushes that did not decode and changed nothing.
    private(set) var undecodable = 0

    /// Takes a push that arrived.
    mutating func receive(_ payload: PushPayload?) {
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
        if state.rev < pushed { wentBack += 1 }
        pushed = state.rev
        timestamp = max(timestamp, sent)
        isEnded = isEnd
        // The app draws nothing that is older than what it fetched when it registered.
        guard state.rev >= revision else {
            ignored += 1
            return
        }
        revision = state.rev
    }

    /// Takes a state that the app fetched itself; older ones change nothing.
    mutating func fetch(revision fetched: Int64) {
        revision = max(revision, fetched)
    }
}
