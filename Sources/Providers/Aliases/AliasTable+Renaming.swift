// Snapshots and lists carry a provider's ids; the alias table replaces them by ours.

public import MatchEngine
public import ScoreTypes

extension MatchSnapshot {
    /// The snapshot with our ids in place of a provider's; ids without an alias stay.
    public func named(by table: AliasTable, of provider: Provider) -> MatchSnapshot {
        guard table.namesPeople(of: provider) else { return self }
        var renaming = table.renaming(of: provider)
        return renaming.apply(to: self)
    }
}

extension Fixture {
    /// The entry with our ids in place of a provider's; ids without an alias stay.
    public func named(by table: AliasTable, of provider: Provider) -> Fixture {
        var renaming = table.renaming(of: provider)
        var named = self
        named.teams = teams.map { renaming.named($0) }
        named.match = table.match(id, of: provider)
        return named
    }
}
