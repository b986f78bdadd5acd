// Secrets pass from the configuration to requests and are never printed.

public import ScoreTypes

/// A text that gives access; it is printed as a dash.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The text, for requests only.
    public let text: String
    /// Makes a secret.
    public init(_ text: String) { self.text = text }
    /// `-`.
    public var description: String { "-" }
    /// Empty.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An operator's access to a provider.
public struct ProviderCredentials: Sendable, Hashable {
    /// The project, for providers with projects in their paths.
    public let project: String?
    /// The key or token.
    public let key: Secret?
    /// The second key, for providers with two.
    public let secret: Secret?

    /// Makes credentials.
    public init(project: String? = nil, key: Secret? = nil, secret: Secret? = nil) {
        self.project = project
        self.key = key
        self.secret = secret
    }

    /// No credentials, for files and simulators.
    public static let none = ProviderCredentials()
}

/// The result of a sign-in; valid until it expires or a reply refuses it.
public struct ProviderSession: Sendable, Hashable {
    /// The project in later paths.
    public let project: String?
    /// The token of later requests.
    public let token: Secret?
    /// When the token expires; nil when it does not.
    public let expiresAt: Instant?
    /// Tables that later readings need.
    public let tables: ProviderReplies
    /// Entries of the tables that are not used; each alarms and its subject is unknown.
    public let doubts: [AdapterError]

    /// Makes a session.
    public init(
        project: String? = nil,
        token: Secret? = nil,
        expiresAt: Instant? = nil,
        tables: ProviderReplies = ProviderReplies(),
        doubts: [AdapterError] = []
    ) {
        self.project = project
        self.token = token
        self.expiresAt = expiresAt
        self.tables = tables
        self.doubts = doubts
    }
}
