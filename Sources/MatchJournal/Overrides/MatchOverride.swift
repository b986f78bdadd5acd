// Feeds are wrong at times and nobody can wait for them to notice: an operator says what is true, for a while.

public import MatchEngine
public import ScoreTypes

/// One thing that an operator says in place of the feed.
public enum OverrideValue: Sendable, Hashable, Codable {
    /// What the match is doing, with words of the operator's own.
    case status(MatchStatus, note: String?)
    /// What the side that bats in an innings has to reach.
    case target(innings: Int, Target)
    /// How the match ended; nil when it has not.
    case result(ProviderResult?)
    /// Start of play in seconds since 1970.
    case startsAt(Int64)

    /// The name of what is said; one of each stands at a time.
    public var field: String {
        switch self {
        case .status: "status"
        case .target: "target"
        case .result: "result"
        case .startsAt: "startsAt"
        }
    }

    /// All names.
    public static let fields = ["status", "target", "result", "startsAt"]
}

/// An operator's word with its end.
public struct MatchOverride: Sendable, Hashable, Codable {
    /// Longest time that an override stands: a day, after which somebody has to look again.
    public static let longest: Duration = .seconds(86_400)

    /// What is said.
    public let value: OverrideValue
    /// When the feed counts again.
    public let expiresAt: Instant
    /// Who said it.
    public let actor: String
    /// Why.
    public let reason: String

    /// Describes an override.
    public init(value: OverrideValue, expiresAt: Instant, actor: String, reason: String) {
        self.value = value
        self.expiresAt = expiresAt
        self.actor = actor
        self.reason = reason
    }
}
