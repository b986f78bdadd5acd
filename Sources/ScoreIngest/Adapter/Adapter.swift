// Each provider speaks its own dialect; an adapter is the only place that knows it.

public import MatchEngine

/// Turns replies of one provider into neutral terms; a pure function of the reply's bytes.
public protocol Adapter: Sendable {
    /// Reads the list of matches that the provider has.
    ///
    /// - Throws: `AdapterError`, which names the place in the reply; nothing of a bad reply is used.
    func fixtures(_ body: [UInt8]) throws(AdapterError) -> [Fixture]

    /// Reads the whole picture of one match.
    ///
    /// - Throws: `AdapterError`, which names the place in the reply; nothing of a bad reply is used.
    func snapshot(_ body: [UInt8]) throws(AdapterError) -> MatchSnapshot
}
