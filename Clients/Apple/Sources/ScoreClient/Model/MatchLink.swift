// Links into the app: the server puts them into activities, widgets and notifications.

public import Foundation

/// A link to a match, `<scheme>://match/<id>`.
public struct MatchLink: Sendable, Hashable {
    /// The match.
    public let match: String

    /// Reads a link; nil for one that names no match.
    public init?(_ url: URL) {
        let parts = url.path.split(separator: "/")
        guard url.host == "match", parts.count == 1 else { return nil }
        match = String(parts[0])
    }
}
