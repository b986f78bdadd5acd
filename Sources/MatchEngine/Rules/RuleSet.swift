// The numbers of a format, checked once, so that no fold divides by a feed's zero.

/// The limits by which a match is folded and judged.
public struct RuleSet: Sendable, Hashable {
    /// Most balls an over may be said to have; a larger claim of a feed is an error.
    static let ballsPerOverMax = 20
    /// Most balls an innings may be said to have; beyond it a limit is taken as none.
    static let ballLimitMax = 100_000
    /// Wickets that end an innings.
    public static let lastWicket = 10
    /// Wickets that end an innings of a super over.
    public static let lastWicketOfSuperOver = 2

    /// The format.
    public let format: Format
    /// Legal balls in an over, 1 to 20.
    public let ballsPerOver: Int
    /// Legal balls of an innings; nil when only time limits it.
    public let ballLimit: Int?

    /// Reads the rules out of a match's frame.
    public init(_ info: MatchInfo) {
        format = info.format
        ballsPerOver = (1...Self.ballsPerOverMax).contains(info.ballsPerOver) ? info.ballsPerOver : 6
        ballLimit = info.ballLimit.flatMap { (1...Self.ballLimitMax).contains($0) ? $0 : nil }
    }

    /// Whether each side bats twice.
    public var hasTwoInnings: Bool { !format.isLimitedOvers }

    /// Whether balls are counted and printed, not overs.
    public var countsBalls: Bool { format == .hundred }

    /// Legal balls after which the ends change; ten in The Hundred (cricket.md C.7).
    var ballsPerEnd: Int { countsBalls ? 10 : ballsPerOver }

    /// Legal balls of an innings of a super over: one over.
    public var superOverBalls: Int { ballsPerOver }

    /// Whether a fifty is news of the first order (PUBLICATION section 2).
    var fiftyIsLoud: Bool { format.isLimitedOvers }
}
