// The settings of the server, typed and checked; code that needs a setting reads it here, not from the environment.

import Logging
import MatchEngine
import PushDispatcher
import ScoreTypes

/// The address of a listener.
struct ListenAddress: Sendable, Hashable {
    let host: String
    /// 0 lets the system choose.
    let port: Int

    /// Whether only programs on this machine reach the address.
    var isLoopback: Bool { host == "localhost" || IPAddress(host)?.isLoopback == true }
}

/// The settings of one process.
struct ServerConfiguration: Sendable {
    /// The folder of captures and its bounds.
    struct Captures: Sendable, Hashable {
        let directory: String
        let records: Int
        let bytes: Int
    }

    /// The servers of APNs and the signing key.
    struct Push: Sendable, Hashable {
        /// The environments that are pushed to, with the servers of each.
        let environments: [PushEnvironment: DispatcherConfiguration.Endpoints]
        let authorityFile: String?
        let key: Key?
        let bundleID: String
        let attributesType: String
        let notificationCategory: String
        let connections: Int
        /// Connections while pushes wait for streams.
        let connectionsMax: Int
        /// The messages that Apple stores for new channels.
        let channelStorage: ChannelStorage
        let deletesUnknownChannels: Bool

        /// The signing key's file and ids.
        struct Key: Sendable, Hashable {
            let file: String
            let id: String
            let team: String
        }
    }

    /// The form of log lines.
    enum LogFormat: String, Sendable { case text, json }

    let publicAddress: ListenAddress
    let trustedProxies: [AddressBlock]
    let crossOrigin: CrossOriginPolicy
    let internalAddress: ListenAddress
    /// Whether a proxy on this machine forwards to the internal listener.
    let isInternalProxied: Bool
    /// Whether a client on this machine is an operator without a token.
    let isInternalOpen: Bool
    /// Days for which entries of the audit log are kept.
    let auditDays: Int
    /// How long matches and unused devices are kept.
    let retention: SweepWorks.Ages
    /// A libpq connection string; nil runs the private cluster.
    ///
    /// It contains a password and is never printed.
    let databaseURL: String?
    /// Whether the database may be on another machine without a verified certificate.
    let isDatabaseUnverified: Bool
    let dataDirectory: String
    let node: NodeID
    let clockSpeed: Int
    let isSimulation: Bool
    /// If empty, nothing is polled.
    let feeds: [FeedSettings]
    /// If nil, no captures are stored.
    let captures: Captures?
    let push: Push
    let deepLinkScheme: String
    /// How matches are written and announced.
    let engine: EngineOptions
    /// The share of alerts that may be false.
    let falseAlerts: Double
    let limits: RateLimits
    let streamCaps: StreamCaps
    let connectionCaps: ConnectionCaps
    /// Time for balancers to see that the node is not ready, before it accepts no more connections.
    let drainNotice: Duration
    let logLevel: Logger.Level
    let logFormat: LogFormat
    /// All settings with their sources, for operators.
    var effective: [EffectiveSetting] = []

    /// The streams and connections that the descriptors of this process allow.
    var descriptorBudget: DescriptorBudget {
        DescriptorBudget(streams: streamCaps, connections: connectionCaps, descriptors: DescriptorBudget.allowed)
    }

    /// Reads and checks every key; throws all complaints at once.
    init(reading values: inout ConfigurationValues) throws(ConfigurationProblems) {
        publicAddress = ListenAddress(host: values.text("http.public.host"), port: values.integer("http.public.port"))
        trustedProxies = values.addressBlocks("http.public.trusted.proxies")
        crossOrigin = Self.crossOrigin(&values)
        internalAddress = ListenAddress(
            host: values.text("http.internal.host"),
            port: values.integer("http.internal.port")
        )
        isInternalProxied = values.flag("http.internal.proxied")
        isInternalOpen = values.flag("http.internal.open")
        auditDays = values.integer("audit.retention.days")
        retention = SweepWorks.Ages(
            matches: .seconds(values.integer("match.retention.days") * 86_400),
            devices: .seconds(values.integer("device.retention.days") * 86_400)
        )
        if !internalAddress.isLoopback, !values.flag("http.internal.exposed") {
            values.complain(
                "http.internal.host must be a loopback address such as 127.0.0.1, since the listener has no TLS; "
                    + "http.internal.exposed=true allows \(internalAddress.host) on a private network"
            )
        }
        databaseURL = values.text("database.url").unlessEmpty
        isDatabaseUnverified = values.flag("database.unverified")
        dataDirectory = values.text("data.dir")
        node = values.identity("node.id", as: NodeID.self)
        clockSpeed = values.integer("clock.speed")
        isSimulation = values.flag("simulation.allowed")
        feeds = [FeedSettings.single(&values)].compactMap(\.self) + FeedSettings.list(&values)
        captures = Self.captures(&values)
        push = Self.push(&values)
        deepLinkScheme = values.text("deeplink.scheme")
        engine = Self.engine(&values)
        falseAlerts = 1 / Double(values.integer("alerts.false.target"))
        limits = RateLimits(reading: &values)
        streamCaps = StreamCaps(
            node: values.integer("limits.streams.node"),
            device: values.integer("limits.streams.device"),
            address: values.integer("limits.streams.address")
        )
        connectionCaps = ConnectionCaps(
            node: values.integer("limits.connections.node"),
            address: values.integer("limits.connections.address")
        )
        drainNotice = .seconds(values.integer("http.public.drain.notice"))
        logLevel = values.choice("log.level", as: Logger.Level.self) ?? .info
        logFormat = values.choice("log.format", as: LogFormat.self) ?? .json
        Self.compare(self, &values)
        guard values.problems.isEmpty else { throw ConfigurationProblems(sentences: values.problems) }
    }

    private static func crossOrigin(_ values: inout ConfigurationValues) -> CrossOriginPolicy {
        let origins = values.list("http.public.origins")
        for origin in origins where !CrossOriginPolicy.isOrigin(origin) {
            values.complain("http.public.origins: expected origins such as https://example.org, not \"\(origin)\"")
        }
        return CrossOriginPolicy(origins: Set(origins))
    }

    private static func captures(_ values: inout ConfigurationValues) -> Captures? {
        let directory = values.text("captures.dir")
        let (records, megabytes) = (values.integer("captures.records"), values.integer("captures.megabytes"))
        return directory.isEmpty
            ? nil : Captures(directory: directory, records: records, bytes: megabytes * 1024 * 1024)
    }

    private static func engine(_ values: inout ConfigurationValues) -> EngineOptions {
        let changes = MomentPolicyChanges(values.list("moments.levels"))
        for problem in changes.problems { values.complain("moments.levels: \(problem)") }
        let style = values.choice("score.style", as: ScoreStyle.self) ?? .runsWickets
        let layout = ContentStateVersion(rawValue: values.integer("content.layout.newest")) ?? .newest
        return EngineOptions(moments: changes.policy, scoreStyle: style, newestLayout: layout)
    }

    private static func push(_ values: inout ConfigurationValues) -> Push {
        let choice = values.choice("apns.environment")
        let environments = choice == "both" ? PushEnvironment.allCases : [PushEnvironment(rawValue: choice) ?? .sandbox]
        if environments.count > 1 {
            for name in ["apns.push.host", "apns.broadcast.host", "apns.manage.host"] where !values.text(name).isEmpty {
                values.complain("\(name) must be empty when apns.environment is both: each has its own hosts")
            }
        }
        let keyFile = values.text("apns.key.file")
        let key = Push.Key(file: keyFile, id: values.text("apns.key.id"), team: values.text("apns.team.id"))
        var endpoints: [PushEnvironment: DispatcherConfiguration.Endpoints] = [:]
        for environment in environments { endpoints[environment] = Self.endpoints(of: environment, &values) }
        return Push(
            environments: endpoints,
            authorityFile: values.text("apns.ca.file").unlessEmpty,
            key: keyFile.isEmpty ? nil : key,
            bundleID: values.text("apns.bundle.id"),
            attributesType: values.text("apns.attributes.type"),
            notificationCategory: values.text("apns.notification.category"),
            connections: values.integer("apns.connections"),
            connectionsMax: values.integer("apns.connections.max"),
            channelStorage: ChannelStorage(rawValue: Int16(values.integer("apns.channel.storage"))) ?? .none,
            deletesUnknownChannels: values.flag("apns.channels.delete.unknown")
        )
    }

    private static func endpoints(
        of environment: PushEnvironment,
        _ values: inout ConfigurationValues
    ) -> DispatcherConfiguration.Endpoints {
        let apple = DispatcherConfiguration.Endpoints.apple(environment)
        let push = endpoint("apns.push", orElse: apple.push, &values)
        return DispatcherConfiguration.Endpoints(
            push: push,
            broadcast: endpoint("apns.broadcast", orElse: push, &values),
            management: endpoint("apns.manage", orElse: apple.management, &values)
        )
    }

    private static func endpoint(
        _ name: String,
        orElse other: DispatcherConfiguration.Endpoint,
        _ values: inout ConfigurationValues
    ) -> DispatcherConfiguration.Endpoint {
        let (host, port) = (values.text("\(name).host"), values.integer("\(name).port"))
        return DispatcherConfiguration.Endpoint(
            host: host.unlessEmpty ?? other.host,
            port: port == 0 ? other.port : UInt16(clamping: port)
        )
    }

    /// Rules that concern two keys at once.
    private static func compare(_ settings: ServerConfiguration, _ values: inout ConfigurationValues) {
        if settings.clockSpeed > 1 && !settings.isSimulation {
            values.complain("clock.speed above 1 needs simulation.allowed=true: real matches run at real speed")
        }
        if settings.isInternalOpen && (!settings.isSimulation || settings.isInternalProxied) {
            values.complain("http.internal.open needs simulation.allowed=true, and no proxy: it replaces tokens")
        }
        if let key = settings.push.key {
            for (name, text) in [("apns.key.id", key.id), ("apns.team.id", key.team)] where text.utf8.count != 10 {
                values.complain("\(name) must be the ten characters that Apple gave, since apns.key.file is set")
            }
            if settings.push.bundleID.isEmpty {
                values.complain("apns.bundle.id must be set, since apns.key.file is set")
            }
        }
        FeedSettings.compare(settings.feeds, &values)
        // At most the length that snapshots allow.
        if settings.deepLinkScheme.wholeMatch(of: #/[a-z][a-z0-9+.-]{0,23}/#) == nil {
            values.complain("deeplink.scheme must be 1 to 24 of a-z 0-9 + - . and begin with a letter, as in a URL")
        }
    }
}
