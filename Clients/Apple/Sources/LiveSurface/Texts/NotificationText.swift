// A text of a notification is ready to draw, or a key that the phone looks up in the language of the person.

/// A text of a notification.
public enum NotificationText: Hashable, Sendable {
    /// The text itself.
    case literal(String)
    /// A key of the app's `Localizable.strings`, and the values of its placeholders in the order of the key.
    case key(String, arguments: [String])

    /// A text of the table, with the values of ``NotificationKey/argumentNames``.
    public init(_ key: NotificationKey, _ arguments: String...) { self.init(key, arguments) }

    /// A text of the table, with the values of ``NotificationKey/argumentNames``.
    public init(_ key: NotificationKey, _ arguments: [String]) { self = .key(key.name, arguments: arguments) }

    /// The text as iOS formats it.
    ///
    /// - Parameter table: Returns the format of a key, such as `%1$@ won by %2$@ runs`; nil for an unknown key.
    /// - Returns: The formatted text; the key itself when the table has none.
    public func text(in table: (String) -> String?) -> String {
        switch self {
        case .literal(let text): return text
        case .key(let name, let arguments):
            guard let format = table(name) else { return name }
            return NotificationFormat.text(format, arguments)
        }
    }

    /// The text in English, as a server sends it to an app without the table.
    public var english: String { text { NotificationKey.englishTable[$0] } }
}

extension NotificationText: ExpressibleByStringInterpolation {
    /// A text that is ready to draw.
    public init(stringLiteral text: String) { self = .literal(text) }
}
