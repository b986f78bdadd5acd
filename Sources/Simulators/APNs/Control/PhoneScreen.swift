// One Lock Screen by the rules of ActivityKit; it shows whether a sender keeps the order of states.

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
    /// How often a push that the system had to show carried an older revision than one before; 0 for a right backend.
    private(set) var wentBack = 0
    /// Pushes that were late and changed nothing.
    private(set) var ignored = 0
    /// Pushes that did not decode and changed nothing.
    private(set) var undecodable = 0

    /// Takes a push that arrived.
    mutating func receive(_ push: PhonePush) {
        guard case .activity(let push) = push, let state = push.content else {
            undecodable += 1
            return
        }
        let isEnd = push.event == .end
        // Apple: an older timestamp is ignored, but an end is accepted whatever its age.
        guard push.timestamp >= timestamp || isEnd, !isEnded else {
            ignored += 1
            return
        }
        if state.rev < revision { wentBack += 1 }
        revision = state.rev
        timestamp = max(timestamp, push.timestamp)
        isEnded = isEnd
    }
}
