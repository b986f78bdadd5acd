// A crash test counts at the phones: only they show whether a ball arrived, and how often.

import ScoreTypes
import Synchronization

/// The deliveries to each phone of a crash test.
final class PhoneDeliveries: Sendable {
    /// The counts of the ball that is watched.
    struct Counts: Sendable, Equatable {
        /// Phones that got it, or something newer.
        var reached = 0
        /// Deliveries of it beyond the first to the same phone.
        var repeats = 0
        /// Deliveries of an older state after a newer one that a phone would have shown.
        var wentBack = 0
    }

    private struct State {
        /// The newest revision of each phone.
        var newest: [Int64]
        /// The highest `aps.timestamp` of each phone, in seconds since 1970.
        var timestamps: [Int64]
        var watched: Int64 = 0
        var counts = Counts()
    }

    private let state: Mutex<State>

    /// Starts with nothing delivered.
    init(phones: Int) {
        let none = [Int64](repeating: 0, count: phones)
        state = Mutex(State(newest: none, timestamps: none))
    }

    /// The counts now.
    var counts: Counts { state.withLock { $0.counts } }

    /// Counts one delivery to the phone of a number from 0; `timestamp` is `aps.timestamp` in seconds since 1970.
    func record(_ revision: Int64, timestamp: Int64, to phone: Int) {
        state.withLock { state in
            let newest = state.newest[phone]
            if revision > newest {
                state.newest[phone] = revision
                if newest < state.watched, revision >= state.watched { state.counts.reached += 1 }
            } else if revision == newest {
                if revision == state.watched { state.counts.repeats += 1 }
            } else if timestamp >= state.timestamps[phone] {
                // ActivityKit ignores a state with a lower timestamp.
                state.counts.wentBack += 1
            }
            state.timestamps[phone] = max(state.timestamps[phone], timestamp)
        }
    }

    /// Counts the deliveries of a revision from now on.
    func watch(_ revision: Int64) {
        state.withLock { state in
            state.watched = revision
            state.counts.reached = state.newest.count { $0 >= revision }
            state.counts.repeats = 0
        }
    }
}
