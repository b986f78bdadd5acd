// The app, its signing key and the ports of the simulated APNs.

public import HTTP2

/// Which app and key the simulator knows, and where it listens.
public struct APNsSimulatorConfiguration: Sendable {
    /// A limit of pushes to one token or channel in a minute for senders that keep Apple's guideline of one a second.
    public static let usualPushesPerMinute = SimulatorLimits.pushesPerMinute

    /// Bundle id of the app, bare.
    public var bundleID: String
    /// The team that owns the key.
    public var teamID: String
    /// Ten characters that name the key.
    public var keyID: String
    /// The public half of the provider's signing key, in PEM.
    public var publicKeyPEM: [UInt8]
    /// Further keys of the team by their ids, in PEM: while one key replaces another, both are valid.
    public var otherKeys: [String: [UInt8]] = [:]
    /// The certificate that it shows.
    public var identity: TLSIdentity
    /// The address to listen on.
    public var host = "127.0.0.1"
    /// Port for pushes and broadcasts; 0 lets the system choose.
    public var pushPort = 0
    /// Port for channel management; 0 lets the system choose.
    public var managementPort = 0
    /// Rejected device tokens in a row after which a connection falls back to one stream until a push is accepted.
    ///
    /// Nil for never. Apple was seen to do so (openradar 27870881), with unpublished numbers.
    public var rejectionsBeforePenalty: Int?
    /// Pushes to one token or one channel in a minute of domain time; a further one is answered `TooManyRequests`.
    ///
    /// Nil for any number.
    public var pushesPerMinute: Int?
    /// Whether an unregistered token counts as a phone's; otherwise it is answered `BadDeviceToken`.
    public var takesUnknownTokens = false
    /// Channels that may exist at once; ten thousand is Apple's limit for one app in one environment.
    public var channelsMax = 10_000

    /// Describes a simulator on loopback.
    public init(
        bundleID: String,
        teamID: String,
        keyID: String,
        publicKeyPEM: [UInt8],
        identity: TLSIdentity
    ) {
        self.bundleID = bundleID
        self.teamID = teamID
        self.keyID = keyID
        self.publicKeyPEM = publicKeyPEM
        self.identity = identity
    }

    var verifier: ProviderTokenVerifier {
        ProviderTokenVerifier(teamID: teamID, keys: otherKeys.merging([keyID: publicKeyPEM]) { $1 })
    }
}
