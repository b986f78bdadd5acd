// Selects the drawing of a match.

/// The state of a match as phones distinguish it.
public enum MatchDisplayState: String, Codable, Hashable, Sendable, CaseIterable {
    case scheduled
    case live
    case `break`
    case delayed
    case stumps
    case superOver
    case finished
    case abandoned

    /// Decodes a value; one that a newer server has added becomes `live`.
    ///
    /// - Throws: `DecodingError` when it is no string.
    public init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer().decode(String.self)
        self = MatchDisplayState(rawValue: value) ?? .live
    }
}
