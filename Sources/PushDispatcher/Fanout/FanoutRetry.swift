// A token that is to get the newest state once more.

internal import ScoreTypes

/// One token that waits for another try.
struct FanoutRetry {
    /// Repeats waiting in one fan-out: about what a second of outage leaves behind before the breaker opens.
    static let countMax = 10_000

    let device: DeviceID
    let generation: Int32
    let bucket: Int16
    /// The pass that waits for this token; negative for none.
    var pass: Int32
    let attempt: UInt8
    let variant: UInt8
    let firstSentAt: Duration
}
