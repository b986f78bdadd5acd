// Of two concurrent changes to one resource, the later one fails, since it was based on an old state.

/// The condition of a write (RFC 9110, 13.1.1).
struct IfMatch: Sendable, Hashable {
    /// The tags that the client accepts; nil without a condition and for `*`.
    private let tags: Set<String>?

    /// Reads the header; a weak tag never matches.
    init(_ header: String?) {
        let named = header?.split(separator: ",").map { String($0.filter { $0 != " " && $0 != "\t" }) }
        tags = named.flatMap { $0.contains("*") ? nil : Set($0) }
    }

    /// Whether a resource with this strong tag may be changed.
    func allows(_ tag: String) -> Bool { tags?.contains(tag) ?? true }
}
