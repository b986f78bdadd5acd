// An override hides the feed's value; the value is stored, so that any node can restore it when the override ends.

internal import MatchEngine
internal import ScoreTypes

/// The feed's value of a field that an operator has overridden.
enum OverriddenValue: Sendable, Hashable, Codable {
    case status(StatusReport)
    case targets([InningsTarget])
    case result(ProviderResult?)
    /// Seconds since 1970.
    case startsAt(Int64?)

    /// The target of one innings; nil when it has none.
    struct InningsTarget: Sendable, Hashable, Codable {
        let innings: Int
        let target: Target?
    }

    /// The value of the override's field in a frame.
    init(of value: OverrideValue, in frame: SnapshotFrame) {
        self =
            switch value {
            case .status: .status(frame.status)
            // Of all innings: the next override may be about another one.
            case .target: .targets(frame.innings.map { InningsTarget(innings: $0.ordinal, target: $0.target) })
            case .result: .result(frame.result)
            case .startsAt: .startsAt(frame.info.startsAt)
            }
    }
}

/// An override with the feed's value below it.
struct StoredOverride: Sendable, Hashable {
    let override: MatchOverride
    /// nil until the writer of the match has read the override; then the stored match has the feed's value.
    let feedValue: OverriddenValue?
    /// Whether it has not expired, by Postgres' clock.
    let isInForce: Bool
}

extension SnapshotFrame {
    /// Sets a field to the feed's value.
    mutating func take(_ value: OverriddenValue) {
        switch value {
        case .status(let report): status = report
        case .targets(let targets):
            for known in targets {
                guard let index = innings.firstIndex(where: { $0.ordinal == known.innings }) else { continue }
                innings[index].target = known.target
            }
        case .result(let known): result = known
        case .startsAt(let seconds): info.startsAt = seconds
        }
    }
}
