// Each node holds the switches in memory, so that a request or a push that depends on one reads no database.

import ScoreTypes
import Synchronization

/// The switches of this node.
final class FlagCache: Sendable {
    private let clock: ServiceClock
    private let current = Mutex(FlagSet())

    init(clock: ServiceClock = ServiceClock()) { self.clock = clock }

    /// Replaces all switches.
    func replace(_ flags: FlagSet) { current.withLock { $0 = flags } }

    /// Whether a switch is on now.
    func isOn(_ name: FlagName) -> Bool { current.withLock { $0.isOn(name, at: clock.wall) } }

    /// The value of a switch now.
    func value(_ name: FlagName) -> JSONValue { current.withLock { $0.value(name, at: clock.wall) } }
}
