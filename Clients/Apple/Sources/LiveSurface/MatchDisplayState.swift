// The one word that decides which drawing of a match a phone chooses.

/// What a match looks like from outside.
public enum MatchDisplayState: String, Codable, Hashable, Sendable, CaseIterable {
    case scheduled
    case live
    case `break`
    case delayed
    case stumps
    case superOver
    case finished
    case abandoned

    /// Decodes a word; one that a newer server has added is drawn as `live`.
    public init(from decoder: any Decoder) throws {
        let word = try decoder.singleValueContainer().decode(String.self)
        self = MatchDisplayState(rawValue: word) ?? .live
    }
}
