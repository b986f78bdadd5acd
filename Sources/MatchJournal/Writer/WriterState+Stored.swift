// A capture that begins in the middle of a match can be replayed only with the state that its writer had.

public import MatchEngine
public import ScoreTypes

extension WriterState {
    /// The state folded anew with another wording of states and moments, which a capture does not hold.
    public func with(_ options: EngineOptions) -> WriterState {
        var state = self
        state.replica = MatchReplica(record, options: options)
        return state
    }
}

extension MatchReplica: Codable {
    /// Folds a stored record, with the standard wording.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws { self.init(try MatchRecord(from: decoder)) }

    /// Stores the record alone.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws { try record.encode(to: encoder) }
}

extension Revision: Codable {
    /// Reads `epoch.rev`.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let revision = Revision(try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "no revision")
        }
        self = revision
    }

    /// Writes `epoch.rev`.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(description)
    }
}
