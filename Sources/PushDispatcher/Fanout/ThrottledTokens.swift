// A token that APNs throttles is left alone for a while, whatever is published meanwhile.

internal import ScoreTypes

/// The throttled tokens of a fan-out, and until when each is left alone.
struct ThrottledTokens {
    private struct Hold {
        let generation: Int32
        let wait: Duration
        let until: Duration
    }

    private var holds: [DeviceID: Hold] = [:]

    var isEmpty: Bool { holds.isEmpty }

    /// Notes that a token was throttled; returns how long it is left alone.
    mutating func hold(_ device: DeviceID, _ generation: Int32, asked: Duration?, at now: Duration) -> Duration {
        let known = holds[device].flatMap { $0.generation == generation ? $0.wait : nil }
        let own = known.map { min($0 * 2, PushLimits.throttleWaitLongest) } ?? PushLimits.throttleWait
        let wait = max(own, asked ?? .zero)
        if known == nil, holds.count >= PushLimits.throttledTokens { holds = holds.filter { $0.value.until > now } }
        if known != nil || holds.count < PushLimits.throttledTokens {
            holds[device] = Hold(generation: generation, wait: own, until: now + wait)
        }
        return wait
    }

    /// Until when a token is left alone; nil if it may be sent to, like any newer token of its device.
    func until(_ device: DeviceID, _ generation: Int32, at now: Duration) -> Duration? {
        guard let hold = holds[device], hold.generation == generation, hold.until > now else { return nil }
        return hold.until
    }

    /// Whether APNs has accepted nothing for a token since it throttled it: requests have priority 5.
    func isThrottled(_ device: DeviceID, _ generation: Int32) -> Bool { holds[device]?.generation == generation }

    /// Notes that APNs accepts pushes for the token again.
    mutating func release(_ device: DeviceID) { holds[device] = nil }
}
