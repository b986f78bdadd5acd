// The ids that several targets share, each with a type of its own.

/// The id of a match, across providers.
public struct MatchID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were validated before.
    public init(unchecked text: String) { self.text = text }
}

/// The id of a configured feed of one provider.
public struct FeedID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were validated before.
    public init(unchecked text: String) { self.text = text }
}

/// The id of a server process, stable across restarts.
public struct NodeID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were validated before.
    public init(unchecked text: String) { self.text = text }
}

/// The id of a Live Activity, as ActivityKit assigns it on one device.
public struct ActivityID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were validated before.
    public init(unchecked text: String) { self.text = text }
}

/// The term of a node between two registrations; it increases, and fences all writes of older terms.
public struct Term: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number that PostgreSQL assigned at registration.
    public let number: Int64
    /// Wraps a number that PostgreSQL assigned.
    public init(_ number: Int64) { self.number = number }
    /// The number.
    public var description: String { String(number) }
    /// Orders by number.
    public static func < (left: Term, right: Term) -> Bool { left.number < right.number }
}
