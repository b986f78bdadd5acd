// A crash test counts at the phones: only they show whether a ball arrived, and how often.

import ScoreTypes
import Simulators
import Synchronization

/// The counts of what the phones of a crash test show; the phones themselves decide what they draw.
final class ScreenTally: Sendable {
    /// The counts of the ball that is watched.
    struct Counts: Sendable, Equatable {
        /// Phones that show it, or something newer.
        var reached = 0
        /// Deliveries of it to phones that show it.
        var repeats = 0
        /// Drawings of an older state after a newer one, of any ball.
        var wentBack = 0
    }

    private struct State {
        /// The revision that each phone shows.
        var shown: [Int64]
        var watched: Int64 = 0
        var counts = Counts()
    }

    private let state: Mutex<State>

    /// Starts with phones that show nothing.
    init(phones: Int) { state = Mutex(State(shown: [Int64](repeating: 0, count: phones))) }

    /// The counts now.
    var counts: Counts { state.withLock { $0.counts } }

    /// Counts an event of the phone of a number from 0.
    func note(_ phone: Int, _ event: PhoneJournalEvent) {
        switch event {
        case .drew(_, let revision, let isBack): state.withLock { Self.drew(revision, isBack, phone, &$0) }
        case .unchanged(_, let revision), .dropped(_, revision: let revision?):
            state.withLock { state in
                let isRepeat = revision == state.watched && revision == state.shown[phone]
                if isRepeat { state.counts.repeats += 1 }
            }
        default: return
        }
    }

    private static func drew(_ revision: Int64, _ isBack: Bool, _ phone: Int, _ state: inout State) {
        let before = state.shown[phone]
        state.shown[phone] = revision
        if isBack { state.counts.wentBack += 1 }
        if before < state.watched, revision >= state.watched { state.counts.reached += 1 }
        if before >= state.watched, revision < state.watched { state.counts.reached -= 1 }
        // The same revision with other content.
        if before == revision, revision == state.watched { state.counts.repeats += 1 }
    }

    /// Counts the deliveries of a revision from now on.
    func watch(_ revision: Int64) {
        state.withLock { state in
            state.watched = revision
            state.counts.reached = state.shown.count { $0 >= revision }
            state.counts.repeats = 0
        }
    }
}
