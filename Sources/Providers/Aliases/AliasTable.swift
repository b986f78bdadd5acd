// Providers have different ids for one match, team or player; operators say which are the same.

internal import MatchEngine
public import ScoreTypes

/// The subject of an alias.
public enum AliasKind: String, Sendable, Hashable, Codable, CaseIterable {
    case match, team, player
}

/// A provider's id and ours.
public struct Alias: Sendable, Hashable, Codable {
    /// The subject.
    public let kind: AliasKind
    /// The provider.
    public let provider: Provider
    /// The provider's id.
    public let providerID: String
    /// Ours: for a match 1 to 64 of `A-Z a-z 0-9 . _ -`, else any id that another provider or an operator gave.
    public let ourID: String

    /// Makes an alias.
    public init(_ kind: AliasKind, _ provider: Provider, _ providerID: String, means ourID: String) {
        self.kind = kind
        self.provider = provider
        self.providerID = providerID
        self.ourID = ourID
    }
}

/// The alias table in memory; an id without an alias is its own.
public struct AliasTable: Sendable, Hashable {
    private struct Key: Hashable {
        let kind: AliasKind
        let provider: Provider
        let id: String
    }

    private var ours: [Key: String]

    /// Makes a table; the last of equal ids counts, and an alias beyond `AdapterLimits.aliases` is not taken.
    public init(_ aliases: some Sequence<Alias> = [Alias]()) {
        ours = [:]
        for alias in aliases.prefix(AdapterLimits.aliases) {
            ours[Key(kind: alias.kind, provider: alias.provider, id: alias.providerID)] = alias.ourID
        }
    }

    /// All aliases, in a fixed order.
    public var aliases: [Alias] {
        ours.map { Alias($0.kind, $0.provider, $0.id, means: $1) }.sorted {
            ($0.kind.rawValue, $0.provider.rawValue, $0.providerID)
                < ($1.kind.rawValue, $1.provider.rawValue, $1.providerID)
        }
    }

    /// Whether there is an alias of a provider's teams or players.
    func namesPeople(of provider: Provider) -> Bool {
        ours.keys.contains { $0.provider == provider && $0.kind != .match }
    }

    /// Our id of a provider's match.
    public func match(_ id: ProviderMatchID, of provider: Provider) -> MatchID {
        ours[Key(kind: .match, provider: provider, id: id.text)].flatMap { MatchID($0) } ?? id.match
    }

    /// A provider's id of a match, of several the lowest; our id when there is no alias.
    public func id(of match: MatchID, from provider: Provider) -> ProviderMatchID {
        let ids = ours.filter { $0.key.kind == .match && $0.key.provider == provider && $0.value == match.text }
        return ProviderMatchID(unchecked: ids.keys.map(\.id).min() ?? match.text)
    }

    /// Replaces a provider's ids of teams and players by ours.
    func renaming(of provider: Provider) -> Renaming {
        Renaming(
            team: { ours[Key(kind: .team, provider: provider, id: $0)] ?? $0 },
            player: { ours[Key(kind: .player, provider: provider, id: $0)] ?? $0 }
        )
    }
}
