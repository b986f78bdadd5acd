// One odd entry of a provider's list, or one page more than is asked for, must not cost all the other matches.

public import MatchEngine
public import ScoreTypes

/// What a provider's list of matches was read to.
public struct FixtureListing: Sendable, Hashable {
    /// The matches, each once.
    public internal(set) var fixtures: [Fixture]
    /// Why entries were left out, each with its place.
    public private(set) var refused: [AdapterError] = []
    /// Lists that have more pages than are asked for, of those that should be whole.
    public internal(set) var cut: [ReplyPart] = []

    /// Begins with matches.
    public init(_ fixtures: [Fixture] = []) { self.fixtures = fixtures }

    /// Takes the entries of a list that could be read, and notes those that could not.
    mutating func rows<Row>(of entries: LossyList<Row>, in part: ReplyPart) -> [Row] {
        refused += entries.refused.map { $0.at(part) }
        return entries.elements
    }

    /// The same, if anything of it could be read.
    ///
    /// - Throws: Why the first entry was left out when all were: a list of another form, and the last good one stands.
    func readable() throws(AdapterError) -> FixtureListing {
        if fixtures.isEmpty, let first = refused.first { throw first }
        return self
    }
}

extension ReplyPart {
    /// A page of a list, counted from 1; the first has the name of the list.
    func page(_ number: Int) -> ReplyPart { number == 1 ? self : ReplyPart(rawValue: "\(self).\(number)") }
}
