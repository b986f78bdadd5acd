// A feed may be wrong for longer than people can wait, so an operator may replace a value for a limited time.

public import MatchEngine
public import ScoreTypes

/// A value that an operator sets in place of the feed's.
public enum OverrideValue: Sendable, Hashable, Codable {
    /// The status, with a note of the operator's own.
    case status(MatchStatus, note: String?)
    /// The target of the side that bats in an innings.
    case target(innings: Int, Target)
    /// The result; nil for a match that has not ended.
    case result(ProviderResult?)
    /// Start of play in seconds since 1970.
    case startsAt(Int64)

    /// The overridden field; a match has one override for each.
    public var field: String {
        switch self {
        case .status: "status"
        case .target: "target"
        case .result: "result"
        case .startsAt: "startsAt"
        }
    }

    /// All fields.
    public static let fields = ["status", "target", "result", "startsAt"]
}

/// An override with its end.
public struct MatchOverride: Sendable, Hashable, Codable {
    /// The value.
    public let value: OverrideValue
    /// When the feed's value applies again.
    public internal(set) var expiresAt: Instant
    /// The operator.
    public let actor: String
    /// The reason.
    public let reason: String

    /// Makes an override.
    public init(value: OverrideValue, expiresAt: Instant, actor: String, reason: String) {
        self.value = value
        self.expiresAt = expiresAt
        self.actor = actor
        self.reason = reason
    }

    /// The payload on the channel `ingest` when the overrides of a match have changed.
    public static func notification(of match: MatchID) -> String { "steer \(match)" }
}
