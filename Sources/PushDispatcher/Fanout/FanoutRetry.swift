// A token that waits for another try with the newest state.

internal import ScoreTypes

/// One token that waits for another try.
struct FanoutRetry {
    /// No pass waits: the bucket's walk is complete, or it stopped waiting.
    static let noPass: Int32 = -1
    /// The pass stopped waiting before the end of the token's retries.
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
