// What gives access must travel from configuration to request without ever being printed on the way.

public import ScoreTypes

/// A text that gives access; it prints as a dash.
public struct Secret: Sendable, Hashable, CustomStringConvertible, CustomReflectable {
    /// The text itself, for the request alone.
    public let text: String
    /// Wraps the text.
    public init(_ text: String) { self.text = text }
    /// A dash.
    public var description: String { "-" }
    /// Nothing.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

/// What a provider gave to an operator to sign in with.
public struct ProviderCredentials: Sendable, Hashable {
    /// The project, for providers that have projects in their paths.
    public let project: String?
    /// The key or token.
    public let key: Secret?
    /// The second half, for providers that give two.
    public let secret: Secret?

    /// Joins what was given.
    public init(project: String? = nil, key: Secret? = nil, secret: Secret? = nil) {
        self.project = project
        self.key = key
        self.secret = secret
    }

    /// Nothing, as files and simulators need.
    public static let none = ProviderCredentials()
}

/// What opening a feed brought; good until it expires or a reply says that it no longer is.
public struct ProviderSession: Sendable, Hashable {
    /// The project that later paths name.
    public let project: String?
    /// What later requests carry.
    public let token: Secret?
    /// When the token ends; nil when it does not.
    public let expiresAt: Instant?
    /// Tables that readings need.
    public let tables: ProviderReplies
    /// What of the tables is not believed: each alarms, and what it is about is read as unknown.
    public let doubts: [AdapterError]

    /// Joins what was brought.
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
