// A match that cannot be read must neither fill the log twice a second nor be given up.

/// How long a match that could not be published is not tried again.
struct PublicationRetry: Sendable {
    private var pause: Duration
    /// Real time by a clock that never jumps; nothing is tried before it.
    private(set) var until: Duration

    /// A failure, after an earlier one in a row if there was one.
    init(after earlier: PublicationRetry?, now: Duration) {
        pause = earlier.map { min($0.pause * 2, JournalLimits.retryPauseLongest) } ?? JournalLimits.retryPause
        until = now + pause
    }
}
