// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of identifiers; a longer one is refused.
public enum TypeLimits {
    /// Bytes of a textual id, so that it fits into a path segment, a log line and an index entry.
    static let textIDBytes = 64
    /// Digits of a revision's number, which fit into 64 bits.
    static let revisionDigits = 12
    /// Bytes of a push token; an activity token has 80, and Apple announces that the length may change.
    public static let pushTokenBytes = 256
    /// Bytes of the id of a broadcast channel; Apple's have 24.
    static let channelIDBytes = 256
    /// Bytes of a thread's name, without its terminator (pthread_setname_np(3)); a longer name is cut.
    static let threadNameBytes = 15
}
