// The memory of thousands of closed streams stays with the process until the allocator is made to return it.

/// Decides when the allocator returns memory to the system, which takes milliseconds with a large heap.
struct FreedMemory: Sendable {
    private var changes = 0
    private var recent = 0

    /// Counts a stream that closed, or one that opened, whose HTTP connection was released.
    mutating func changed() {
        changes += 1
        recent += 1
    }

    /// Whether to return memory now: many streams came or went, and few since the last tick.
    mutating func tick() -> Bool {
        defer { recent = 0 }
        guard changes >= ServerLimits.streamChangesBeforeTrim, recent < ServerLimits.streamChangesWhenQuiet else {
            return false
        }
        changes = 0
        return true
    }
}
