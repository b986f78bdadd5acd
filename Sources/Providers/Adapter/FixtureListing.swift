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

    /// Adds the entries of a list that could be read, and records those that could not.
    ///
    /// Of a match that is in the listing already the first entry counts.
    mutating func add<Row>(_ entries: LossyList<Row>, in part: ReplyPart, _ fixture: (Row) -> Fixture?) {
        var known = Set(fixtures.map(\.id))
        refused += entries.refused.map { $0.at(part) }
        fixtures += entries.elements.compactMap(fixture).filter { known.insert($0.id).inserted }
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
