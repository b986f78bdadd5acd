// The ids that several rooms share, each a type of its own.

/// A match, across providers.
public struct MatchID: TextID {
    public let text: String
    public init(unchecked text: String) { self.text = text }
}

/// A configured feed of one provider.
public struct FeedID: TextID {
    public let text: String
    public init(unchecked text: String) { self.text = text }
}

/// A server process, stable across its restarts.
public struct NodeID: TextID {
    public let text: String
    public init(unchecked text: String) { self.text = text }
}

/// A Live Activity as ActivityKit names it on one device.
public struct ActivityID: TextID {
    public let text: String
    public init(unchecked text: String) { self.text = text }
}

/// A node's lifetime between two registrations; grows, and fences every write of an older one.
public struct Term: Sendable, Hashable, Comparable, CustomStringConvertible {
    /// The number that Postgres gave at registration.
    public let number: Int64
    public init(_ number: Int64) { self.number = number }
    public var description: String { String(number) }
    public static func < (left: Term, right: Term) -> Bool { left.number < right.number }
}
