// Of two apps that change what they read, the slower one is told that it has read something else.

/// The condition of a write (RFC 9110, 13.1.1).
struct IfMatch: Sendable, Hashable {
    /// The tags that the client has seen; nil when it asks for nothing, or only that there is something.
    private let tags: Set<String>?

    /// Reads the header; a weak tag never matches.
    init(_ header: String?) {
        let named = header?.split(separator: ",").map { String($0.filter { $0 != " " && $0 != "\t" }) }
        tags = named.flatMap { $0.contains("*") ? nil : Set($0) }
    }

    /// Whether what has this strong tag may be changed.
    func allows(_ tag: String) -> Bool { tags?.contains(tag) ?? true }
}
