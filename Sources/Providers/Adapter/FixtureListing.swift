// An entry that cannot be read, or a page that is not requested, does not cost the other matches of a list.

public import MatchEngine
public import ScoreTypes

/// The matches of a provider's lists.
public struct FixtureListing: Sendable, Hashable {
    /// The matches, each once.
    public internal(set) var fixtures: [Fixture] = []
    /// The errors of entries that were left out.
    public internal(set) var refused: [AdapterError] = []
    /// Lists that are to be complete and have more pages than are requested.
    public internal(set) var cut: [ReplyPart] = []

    /// Adds the entries of a list that could be read, and records those that could not.
    ///
    /// A match that the listing has already keeps its first entry.
    mutating func add<Row>(_ entries: LossyList<Row>, in part: ReplyPart, _ fixture: (Row) -> Fixture?) {
        var known = Set(fixtures.map(\.id))
        refused += entries.refused.map { $0.at(part) }
        fixtures += entries.elements.compactMap(fixture).filter { known.insert($0.id).inserted }
    }

    /// The listing, unless none of its entries could be read.
    ///
    /// - Throws: The error of the first entry when all were left out; the poller keeps the last good list.
    func readable() throws(AdapterError) -> FixtureListing {
        if fixtures.isEmpty, let first = refused.first { throw first }
        return self
    }
}

extension ReplyPart {
    /// A page of a list, counted from 1; the first has the name of the list.
    func page(_ number: Int) -> ReplyPart { number == 1 ? self : ReplyPart(rawValue: "\(self).\(number)") }
}
