// The operator's settings for APNs, with Apple's values as defaults.

public import ScoreTypes

/// Endpoints, app, key and bounds of the dispatcher.
public struct DispatcherConfiguration: Sendable {
    /// A server of Apple or of a simulator.
    public struct Endpoint: Sendable, Hashable {
        /// Host name or IP address.
        public var host: String
        /// TCP port.
        public var port: UInt16

        /// Makes an endpoint.
        public init(host: String, port: UInt16 = 443) {
            self.host = host
            self.port = port
        }

        /// `:authority` of a request; port 443 is omitted.
        var authority: String { port == 443 ? host : "\(host):\(port)" }
    }

    /// The three servers of one environment.
    public struct Endpoints: Sendable, Hashable {
        /// Pushes to tokens.
        public var push: Endpoint
        /// Broadcasts to channels; Apple's documents name both the push host and a separate one.
        public var broadcast: Endpoint
        /// Creation and deletion of channels.
        public var management: Endpoint

        /// Makes the endpoints; broadcasts use the push server by default.
        public init(push: Endpoint, broadcast: Endpoint? = nil, management: Endpoint) {
            self.push = push
            self.broadcast = broadcast ?? push
            self.management = management
        }

        /// Apple's servers.
        public static func apple(_ environment: PushEnvironment) -> Endpoints {
            switch environment {
            case .production:
                Endpoints(
                    push: Endpoint(host: "api.push.apple.com"),
                    management: Endpoint(host: "api-manage-broadcast.push.apple.com", port: 2196)
                )
            case .sandbox:
                Endpoints(
                    push: Endpoint(host: "api.sandbox.push.apple.com"),
                    management: Endpoint(host: "api-manage-broadcast.sandbox.push.apple.com", port: 2195)
                )
            }
        }
    }

    /// The configured environments with their servers.
    public var environments: [PushEnvironment: Endpoints]
    /// The app's bundle id, without any suffix.
    public var bundleID: String
    /// The variant of the content state on channels, by attributes type; variant 0 by default.
    public var variants: [String: UInt8]
    /// The developer team's ten characters.
    public var teamID: String
    /// The signing key's ten characters.
    public var keyID: String
    /// The signing key.
    public var signingKey: SigningKey
    /// Trusted authorities in PEM, for simulators; nil trusts the system's.
    public var authorities: [UInt8]?
    /// Lanes, each an event loop with a thread; one is enough for a core.
    public var lanes: Int
    /// Connections for each environment, spread over the lanes; Apple recommends several.
    public var connectionsPerEnvironment: Int
    /// Connections for each environment while requests wait for streams and a lane could send more; at least
    /// `connectionsPerEnvironment`, at most ``PushLimits/connections``.
    public var connectionsMax: Int
    /// The messages that Apple stores for new channels.
    public var channelStorage = ChannelStorage.none
    /// Time for the answer to a push.
    public var requestTimeout = PushLimits.requestTimeout
    /// Sends of completed buckets that may be unrecorded on this node; a crash repeats them.
    public var unrecordedSendsMax = PushLimits.unrecordedSends
    /// Makes the thread of a lane; simulations have others.
    var thread: @Sendable (LaneSetting) -> any LaneThread = { EventLoopLaneThread($0) }
    /// Seed of the random numbers, for simulations; nil for a random one.
    var seed: UInt64?

    /// Makes a configuration with the default values, for both of Apple's environments.
    public init(
        bundleID: String,
        teamID: String,
        keyID: String,
        signingKey: SigningKey,
        variants: [String: UInt8] = [:],
        environments: [PushEnvironment: Endpoints]? = nil,
        authorities: [UInt8]? = nil,
        lanes: Int = 1,
        connectionsPerEnvironment: Int = 2,
        connectionsMax: Int = 2
    ) {
        self.bundleID = bundleID
        self.teamID = teamID
        self.keyID = keyID
        self.signingKey = signingKey
        self.variants = variants
        self.environments =
            environments ?? [.sandbox: .apple(.sandbox), .production: .apple(.production)]
        self.authorities = authorities
        self.lanes = lanes
        self.connectionsPerEnvironment = connectionsPerEnvironment
        self.connectionsMax = connectionsMax
    }

    /// The topic of Live Activity pushes to tokens: the bundle id with Apple's suffix.
    var activityTopic: String { bundleID + ".push-type.liveactivity" }
    /// The topic of pushes that reload widgets: the bundle id with Apple's suffix.
    var widgetTopic: String { bundleID + ".push-type.widgets" }
    /// The path of broadcasts: the bundle id without any suffix.
    var broadcastPath: String { "/4/broadcasts/apps/" + bundleID }
}
