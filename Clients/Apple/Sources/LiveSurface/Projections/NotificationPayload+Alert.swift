// The members of `aps.alert`: iOS looks a text with a `loc-key` up in the app's own bundle, in the person's language.

extension NotificationPayload.Alert: Codable {
    private enum Key: String, CodingKey {
        case title, subtitle, body
        case titleKey = "title-loc-key"
        case titleArguments = "title-loc-args"
        case subtitleKey = "subtitle-loc-key"
        case subtitleArguments = "subtitle-loc-args"
        case bodyKey = "loc-key"
        case bodyArguments = "loc-args"
    }

    /// The three members that one text can have.
    private struct Members {
        let text: Key
        let key: Key
        let arguments: Key

        static let title = Members(text: .title, key: .titleKey, arguments: .titleArguments)
        static let subtitle = Members(text: .subtitle, key: .subtitleKey, arguments: .subtitleArguments)
        static let body = Members(text: .body, key: .bodyKey, arguments: .bodyArguments)

        func decode(from alert: KeyedDecodingContainer<Key>) throws -> NotificationText? {
            if let name = try alert.decodeIfPresent(String.self, forKey: key) {
                return .key(name, arguments: try alert.decodeIfPresent([String].self, forKey: arguments) ?? [])
            }
            return try alert.decodeIfPresent(String.self, forKey: text).map { .literal($0) }
        }

        func decodeRequired(from alert: KeyedDecodingContainer<Key>) throws -> NotificationText {
            if let text = try decode(from: alert) { return text }
            return .literal(try alert.decode(String.self, forKey: text))
        }

        func encode(_ value: NotificationText, to alert: inout KeyedEncodingContainer<Key>) throws {
            switch value {
            case .literal(let literal): try alert.encode(literal, forKey: text)
            case .key(let name, let values):
                try alert.encode(name, forKey: key)
                if !values.isEmpty { try alert.encode(values, forKey: arguments) }
            }
        }
    }

    /// Decodes literal texts, and keys with their arguments; a key has precedence, as on the phone.
    ///
    /// - Throws: `DecodingError`.
    public init(from decoder: any Decoder) throws {
        let alert = try decoder.container(keyedBy: Key.self)
        self.init(
            title: try Members.title.decodeRequired(from: alert),
            subtitle: try Members.subtitle.decode(from: alert),
            body: try Members.body.decodeRequired(from: alert)
        )
    }

    /// Encodes each text in its form.
    ///
    /// - Throws: `EncodingError`.
    public func encode(to encoder: any Encoder) throws {
        var alert = encoder.container(keyedBy: Key.self)
        try Members.title.encode(title, to: &alert)
        if let subtitle { try Members.subtitle.encode(subtitle, to: &alert) }
        try Members.body.encode(body, to: &alert)
    }
}

extension NotificationPayload.Alert {
    /// The alert with each text formatted, as iOS shows it.
    ///
    /// - Parameter table: Returns the format of a key, for example by `Bundle.localizedString`; nil for an unknown key.
    /// - Returns: An alert of literal texts.
    public func formatted(with table: (String) -> String?) -> NotificationPayload.Alert {
        NotificationPayload.Alert(
            title: .literal(title.text(in: table)),
            subtitle: subtitle.map { .literal($0.text(in: table)) },
            body: .literal(body.text(in: table))
        )
    }
}
