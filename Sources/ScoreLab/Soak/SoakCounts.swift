// The work of a soak is counted, so that a flat line of an idle server proves nothing unnoticed.

import Synchronization

/// The work that a server has done in a soak.
final class SoakCounts: Sendable {
    /// The counts so far.
    struct Values: Sendable, Hashable {
        var rounds = 0
        var matches = 0
        var phones = 0
        var registrations = 0
        var refusedRegistrations = 0
        var streams = 0
        /// Short streams that were not served.
        var refusedStreams = 0
        var streamStates = 0
        /// States that were older than the one before, on a stream or on a screen.
        var wentBack = 0
        /// Pushes that did not decode on a phone.
        var undecodable = 0
    }

    private let values = Mutex(Values())

    var now: Values { values.withLock { $0 } }

    func note(_ change: (inout Values) -> Void) { values.withLock { change(&$0) } }
}
