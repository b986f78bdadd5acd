// A publication reaches all streams as shared events, whatever their mode.

import ScoreTypes
import Synchronization

/// The events of one publication.
final class StreamBatch: Sendable {
    /// The newest state.
    let state: StreamFrame
    /// One event for each revision, oldest first, the last one with the complete state.
    ///
    /// Empty when the publication came without its changes.
    let changes: [StreamFrame]
    private let view: MatchView
    private let resets = Mutex<[StreamReset: StreamFrame]>([:])

    init(state: StreamFrame, changes: [StreamFrame], view: MatchView) {
        (self.state, self.changes, self.view) = (state, changes, view)
    }

    var match: MatchID { state.match }
    var revision: Revision { state.revision }

    /// The event that makes a client discard its model and adopt the state; rendered once for each reason.
    func reset(_ reason: StreamReset) -> StreamFrame {
        resets.withLock { resets in
            if let known = resets[reason] { return known }
            let frame = StreamFrame(view, resetBecause: reason)
            resets[reason] = frame
            return frame
        }
    }
}
