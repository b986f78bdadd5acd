// Every bound of this target in one place: value, unit, reason, and what happens when it is reached.

/// The bounds of identifiers and of JSON texts; a value beyond its bound is refused unless stated otherwise.
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
    /// Bytes of a string that is read as a number.
    static let numberTextBytes = 24
    /// Members of a JSON object that is decoded; a dictionary looks up each by its name.
    static let objectMembers: Int32 = 1_000
    /// Characters of a member's name that an error repeats, since names come from outside; a longer one is cut.
    static let pathNameCharacters = 40
    /// Characters of a provider's text: longer than any name or venue, shorter than a payload; a longer one is cut.
    public static let safeTextCharacters = 200
}
