// Where Apple is, with which key it is spoken to, and for which app.

public import HTTP2
public import ScoreTypes

/// One of Apple's doors.
public struct PushEndpoint: Sendable, Hashable {
    /// Name or address.
    public let host: String
    /// TCP port.
    public let port: Int

    /// Names a door.
    public init(host: String, port: Int) {
        self.host = host
        self.port = port
    }
}

/// What a dispatcher needs to know of Apple and of the app.
public struct DispatcherConfiguration: Sendable {
    /// Apple's world.
    public var environment: PushEnvironment
    /// Door for pushes to tokens.
    public var push: PushEndpoint
    /// Door for broadcasts.
    public var broadcast: PushEndpoint
    /// Door for channel management.
    public var manage: PushEndpoint
    /// Whom to believe; the system's authorities in production.
    public var trust: TLSTrust
    /// The same as a PEM file for libcurl; nil takes the system's.
    public var authorityFile: String?
    /// Signs provider tokens.
    public var key: SigningKey
    /// The key's ten characters.
    public var keyID: String
    /// The team's ten characters.
    public var teamID: String
    /// Bundle id of the app, bare.
    public var bundleID: String
    /// Connections for pushes to tokens, 1 to 16.
    public var connections: Int

    /// Describes Apple and the app.
    public init(
        environment: PushEnvironment,
        push: PushEndpoint,
        broadcast: PushEndpoint,
        manage: PushEndpoint,
        trust: TLSTrust = .system,
        authorityFile: String? = nil,
        key: SigningKey,
        keyID: String,
        teamID: String,
        bundleID: String,
        connections: Int = 2
    ) {
        self.environment = environment
        self.push = push
        self.broadcast = broadcast
        self.manage = manage
        self.trust = trust
        self.authorityFile = authorityFile
        self.key = key
        self.keyID = keyID
        self.teamID = teamID
        self.bundleID = bundleID
        self.connections = max(1, min(16, connections))
    }

    /// Topic of everything that is a Live Activity.
    var liveActivityTopic: String { bundleID + ".push-type.liveactivity" }
}
