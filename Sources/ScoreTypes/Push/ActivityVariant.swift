// Registration, arena, renderer and dispatcher count the content states of a match in the same order.

/// Which content state an activity decodes (PUBLICATION section 1): the attributes type and the version registered.
public enum ActivityVariant: UInt8, Sendable, Hashable, CaseIterable {
    /// The product's own `LiveActivityAttributes` in the standard layout.
    case own
    /// The portable snapshot contract (`MobileSurfacesActivityAttributes`).
    case portable
    /// The product's own in the newest layout that the sending node renders, for apps that registered its version.
    case ownNewest

    /// The number stored in Postgres.
    public var code: Int16 { Int16(rawValue) }

    /// Reads the number stored in Postgres; nil when unknown.
    public init?(code: Int16) {
        guard let byte = UInt8(exactly: code) else { return nil }
        self.init(rawValue: byte)
    }
}
