// Who keeps the tokens and who sends to them have to agree on where a walk stands and on whether it can go on.

/// Where a walk through the tokens of a bucket stands.
public struct WalkCursor: Sendable, Hashable {
    /// The beginning of any walk.
    public static let start = WalkCursor(build: 0, place: .max)

    /// Which build of the tokens is walked; 0 for whichever there is.
    public let build: Int
    /// Tokens that the walk has not seen yet.
    public let place: Int

    /// Makes a cursor.
    ///
    /// - Parameters:
    ///   - build: Which build is walked, from 1.
    ///   - place: Tokens that the walk has not seen yet.
    public init(build: Int, place: Int) {
        self.build = build
        self.place = place
    }

    /// Whether the walk may begin with any build.
    public var isAtStart: Bool { build == 0 }
    /// Whether the walk has seen all.
    public var isAtEnd: Bool { place == 0 }
}
