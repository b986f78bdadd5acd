// Snapshots and lists carry a provider's ids; the alias table replaces them by ours.

public import MatchEngine
public import ScoreTypes

extension MatchSnapshot {
    /// The snapshot with our ids in place of a provider's.
    ///
    /// - Parameters:
    ///   - book: The alias table.
    ///   - provider: The provider of the snapshot.
    /// - Returns: A copy; ids without an alias stay.
    public func named(by book: AliasBook, of provider: Provider) -> MatchSnapshot {
        guard book.namesPeople(of: provider) else { return self }
        var renaming = Renaming(team: { book.team($0, of: provider) }, player: { book.player($0, of: provider) })
        return renaming.apply(to: self)
    }
}

extension Fixture {
    /// The entry with our ids in place of a provider's.
    ///
    /// - Parameters:
    ///   - book: The alias table.
    ///   - provider: The provider of the list.
    /// - Returns: A copy; ids without an alias stay.
    public func named(by book: AliasBook, of provider: Provider) -> Fixture {
        var renaming = Renaming(team: { book.team($0, of: provider) }, player: { book.player($0, of: provider) })
        var named = with(teams: teams.map { renaming.named($0) })
        named.match = book.match(id, of: provider)
        return named
    }
}
