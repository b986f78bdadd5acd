// The fan-out reads these fields of an activity on a token.

/// One token in an arena; its bytes are valid only inside the body that receives the entry.
public struct ArenaEntry: Sendable {
    /// The activity that the token belongs to.
    public let activity: HeldActivity
    // The arena reads it while the caller, which owns the memory, waits.
    /// The token, 1 to 256 bytes.
    public nonisolated(unsafe) let token: UnsafeRawBufferPointer

    /// Makes an entry.
    public init(_ activity: HeldActivity, token: UnsafeRawBufferPointer) {
        self.activity = activity
        self.token = token
    }
}
