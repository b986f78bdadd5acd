// The ids that several rooms share, each a type of its own.

/// A match, across providers.
public struct MatchID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were already checked.
    public init(unchecked text: String) { self.text = text }
}

/// A configured feed of one provider.
public struct FeedID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were already checked.
    public init(unchecked text: String) { self.text = text }
}

/// A server process, stable across its restarts.
public struct NodeID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were already checked.
    public init(unchecked text: String) { self.text = text }
}

/// A Live Activity as ActivityKit names it on one device.
public struct ActivityID: TextID {
    /// The characters of the id.
    public let text: String
    /// Wraps characters that were already checked.
    public init(unchecked text: String) { self.text = text }
}

/// A node's lifetime between two registrations; grows, and fences every write of an older one.
public struct Term: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number that Postgres gave at registration.
    public let number: Int64
    /// Wraps a number that Postgres gave.
    public init(_ number: Int64) { self.number = number }
    /// The text that people see.
    public var description: String { String(number) }
    /// Orders by value.
    public static func < (left: Term, right: Term) -> Bool { left.number < right.number }
}
