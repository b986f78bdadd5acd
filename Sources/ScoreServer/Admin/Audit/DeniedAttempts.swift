// A client without permission must not fill the audit log: refusals are bounded for each address and minute.

import Metrics
import ScoreTypes
import Synchronization

/// Decides which denied attempts are recorded.
final class DeniedAttempts: Sendable {
    private struct Window {
        var minute: Int64
        var recorded = 0
        var dropped: Int64 = 0
    }

    private let clock: ServiceClock
    private let windows = Mutex(GenerationCache<IPAddress?, Window>(capacity: ServerLimits.deniedAddresses))

    init(clock: ServiceClock) { self.clock = clock }

    /// How many attempts of the address were dropped since its last recorded one; nil when this one is dropped too.
    func admit(_ address: IPAddress?) -> Int64? {
        let minute = clock.monotonic.components.seconds / 60
        let dropped: Int64? = windows.withLock { windows in
            var window = windows[address] ?? Window(minute: minute)
            if window.minute != minute { (window.minute, window.recorded) = (minute, 0) }
            defer { windows[address] = window }
            guard window.recorded < ServerLimits.deniedPerMinute else {
                window.dropped += 1
                return nil
            }
            window.recorded += 1
            defer { window.dropped = 0 }
            return window.dropped
        }
        if dropped == nil { Counter(label: "score_audit_dropped_total").increment() }
        return dropped
    }
}
