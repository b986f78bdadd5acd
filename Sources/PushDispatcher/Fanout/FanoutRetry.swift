// A token that is to get the newest state once more.

internal import ScoreTypes

/// One token that waits for another try.
struct FanoutRetry {
    /// Where nobody waits: the bucket's walk was over, or had waited long enough.
    static let noPass: Int32 = -1
    /// Where the pass has stopped waiting before the time of its tries was over.
    static let releasedPass: Int32 = -2

    let device: DeviceID
    let generation: Int32
    let bucket: Int16
    /// The pass that waits for this token; negative for none.
    var pass: Int32
    let attempt: UInt8
    let variant: UInt8
    let firstSentAt: Duration
}
