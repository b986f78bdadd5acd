// A token to which a request goes now or later, always with the newest state.

internal import ScoreTypes

/// One token of a fan-out, with its bucket, the pass that waits for it, and its tries.
struct FanoutToken {
    /// No pass waits: the bucket's walk is complete, or it stopped waiting.
    static let noPass: Int32 = -1
    /// The pass stopped waiting before the end of the token's retries.
    static let releasedPass: Int32 = -2

    let device: DeviceID
    let generation: Int32
    let bucket: Int16
    /// The pass that waits for the answer; negative for none.
    var pass: Int32
    var attempt: UInt8
    /// The content state that the activity decodes; 0 is the product's own.
    let variant: UInt8
    /// Whether the device does not allow frequent pushes.
    var isInfrequent = false
    var firstSentAt: Duration
}
