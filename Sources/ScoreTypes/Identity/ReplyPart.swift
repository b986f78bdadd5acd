// Adapters, captures and the journal of replies name the parts of a reply alike.

/// The name of one of the replies that together describe a match: `match`, `balls.b_1_44`, `scores`.
public struct ReplyPart: RawRepresentable, Sendable, Hashable, Comparable, Codable, ExpressibleByStringLiteral,
    CustomStringConvertible
{
    /// The whole list of matches, where one reply has it.
    public static let list: ReplyPart = "list"
    /// The match itself.
    public static let match: ReplyPart = "match"

    /// The name; letters, digits, dots, underscores and hyphens, since captures use it as the name of a file.
    public let rawValue: String
    /// Names a part.
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Names a part in code.
    public init(stringLiteral name: String) { rawValue = name }
    /// The name.
    public var description: String { rawValue }
    /// Orders by name.
    public static func < (left: ReplyPart, right: ReplyPart) -> Bool { left.rawValue < right.rawValue }
}
