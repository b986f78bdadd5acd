// A position in the tokens of a bucket, shared by the target that stores them and the one that sends to them.

/// A position in an iteration over the tokens of a bucket.
public struct WalkCursor: Sendable, Hashable {
    /// The beginning of an iteration.
    public static let start = WalkCursor(build: 0, place: .max)

    /// The version of the token array that is read; 0 for whichever exists.
    public let build: Int
    /// Tokens that were not read yet.
    public let place: Int

    /// Makes the value from its fields.
    public init(build: Int, place: Int) {
        self.build = build
        self.place = place
    }

    /// Whether the iteration may begin with any version.
    public var isAtStart: Bool { build == 0 }
    /// Whether all tokens were read.
    public var isAtEnd: Bool { place == 0 }
}
