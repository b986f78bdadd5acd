// Operators read the alias table page by page; a change before a page repeats and skips no alias.

public import Providers

/// The place of a page's end: the kind, the provider and the provider's id of its last alias.
public struct AliasCursor: Sendable, Hashable {
    let kind: String
    let provider: String
    let id: String
}

extension AliasCursor {
    /// Reads `<kind>.<provider>.<id>`; nil for another form.
    public init?(_ text: String) {
        let parts = text.split(separator: ".", maxSplits: 2, omittingEmptySubsequences: false).map { String($0) }
        guard parts.count == 3, AliasKind(rawValue: parts[0]) != nil, !parts[1].isEmpty else { return nil }
        self.init(kind: parts[0], provider: parts[1], id: parts[2])
    }

    /// `<kind>.<provider>.<id>`.
    public var text: String { "\(kind).\(provider).\(id)" }
}

/// A page of the alias table, in order of kind, provider and id.
public struct AliasPage: Sendable, Hashable {
    /// The aliases; those with a kind or a provider of a newer server are left out.
    public let aliases: [Alias]
    /// The number of all aliases.
    public let total: Int64
    /// The place where the next page begins; nil at the end.
    public let next: AliasCursor?
}
