// The list of all settings: `.env.example` is generated from it, and a name that is not in it is refused.

import MatchEngine
import PushDispatcher
import ScoreTypes

/// All keys, in the order of the documentation.
enum ConfigurationKeys {
    /// Every key that the server reads.
    static let all: [ConfigurationKey] = listeners + store + clock + feed + engine + push + limits + log

    /// Any port; 0 lets the system choose.
    private static let port = ConfigurationKey.Kind.integer(0...65_535)

    private static let listeners: [ConfigurationKey] = [
        .init("http.public.host", .text, default: "127.0.0.1", "Address of the public API; 0.0.0.0 for all."),
        .init("http.public.port", port, default: "8080", "Port of the public API; 0 lets the system choose."),
        .init(
            "http.public.trusted.proxies",
            .list,
            "Trusted proxies, as addresses or ranges such as 10.0.0.0/8; X-Forwarded-For of others is ignored."
        ),
        .init(
            "http.public.origins",
            .list,
            "Origins whose web pages may use the public API, such as https://example.org; empty allows none."
        ),
        .init(
            "http.public.drain.notice",
            .integer(0...300),
            default: "0",
            "Seconds from a failing /readyz to the end of the public listener at shutdown; 5 behind a balancer."
        ),
        .init(
            "http.internal.host",
            .text,
            default: "127.0.0.1",
            "Address of health, metrics, sweeps, admin API and console; keep it private."
        ),
        .init("http.internal.port", port, default: "9090", "Port of the internal listener; 0 lets the system choose."),
        .init(
            "http.internal.exposed",
            .boolean,
            default: "false",
            "Whether http.internal.host may be an address other than loopback: admin tokens then cross a network "
                + "without TLS."
        ),
        .init(
            "http.internal.proxied",
            .boolean,
            default: "false",
            "Whether a proxy on this machine forwards to the internal listener: then a loopback address needs a token, "
                + "too."
        ),
        .init(
            "http.internal.open",
            .boolean,
            default: "false",
            "Whether a client on this machine is an operator without a token, for a demo; only with "
                + "simulation.allowed=true."
        ),
        .init(
            "audit.retention.days",
            .integer(30...3_650),
            default: "400",
            "Days for which entries of the audit log are kept."
        ),
        .init(
            "match.retention.days",
            .integer(3...3_650),
            default: "400",
            "Days from the end of a match to the deletion of the match with its journal."
        ),
        .init(
            "device.retention.days",
            .integer(30...3_650),
            default: "400",
            "Days without a call after which a device that follows nothing is erased; its app registers again."
        ),
    ]

    private static let store: [ConfigurationKey] = [
        .init(
            "database.url",
            .text,
            secret: true,
            "Connection URI of PostgreSQL (postgresql://…); empty starts a private cluster in data.dir."
        ),
        .init(
            "database.unverified",
            .boolean,
            default: "false",
            "Whether database.url may name another machine with a sslmode weaker than verify-full; without one, "
                + "verify-full is used."
        ),
        .init("data.dir", .text, default: "./data", "Folder of the private cluster."),
        .init(
            "node.id",
            .text,
            default: "node-1",
            "Name of this process, stable across restarts, unique in the fleet."
        ),
    ]

    private static let clock: [ConfigurationKey] = [
        .init(
            "clock.speed",
            .integer(1...100_000),
            default: "1",
            "Domain seconds in a real second; above 1 only with simulation.allowed=true."
        ),
        .init(
            "simulation.allowed",
            .boolean,
            default: "false",
            "Whether a demo may set clock.speed above 1 and http.internal.open."
        ),
    ]

    private static let feed: [ConfigurationKey] = [
        .init("feed.id", .text, default: "main", "Name of the feed in metrics, leases and the console."),
        .init(
            "feed.provider",
            .choice(Provider.allCases.map(\.rawValue)),
            default: "cricsheet",
            "Provider of the feed."
        ),
        .init("feed.url", .text, "Base URL of the feed, without a slash at its end; empty for no feed."),
        .init("feed.key", .text, secret: true, "Key or token from the provider."),
        .init("feed.key.file", .text, "File with the value of feed.key, in its place."),
        .init("feed.secret", .text, secret: true, "Second part of the credentials, for providers with two."),
        .init("feed.secret.file", .text, "File with the value of feed.secret, in its place."),
        .init("feed.project", .text, "Project, for providers with projects in their paths."),
        .init(
            "feed.hourly.requests",
            .integer(0...1_000_000),
            default: "0",
            "Requests an hour in the provider's plan, a fifth of them kept in reserve; 0 for the usual plan."
        ),
        .init("feed.marquee", .list, "Ids of matches or names of competitions that are polled more often."),
        .init("feed.notice.secret", .text, secret: true, "Secret of the provider's webhooks; empty refuses them."),
        .init("feed.notice.secret.file", .text, "File with the value of feed.notice.secret, in its place."),
        .init("feed.plain.http.hosts", .list, "Hosts that may be polled without TLS, such as 127.0.0.1 in the demo."),
        .init(
            "feeds.file",
            .text,
            "A JSON file with several feeds, beside or in place of feed.*; see docs/feeds.md. "
                + "It may name variables that begin with \(EnvironmentNames.freePrefix)."
        ),
        .init(
            "captures.dir",
            .text,
            "Folder for the last raw replies of each feed, for replay-captures; empty stores none."
        ),
        .init("captures.records", .integer(8...10_000_000), default: "50000", "Stored entries of each feed."),
        .init("captures.megabytes", .integer(1...1_000_000), default: "256", "Stored megabytes of each feed."),
    ]

    private static let engine: [ConfigurationKey] = [
        .init(
            "score.style",
            .choice(ScoreStyle.allCases.map(\.rawValue)),
            default: "runs-wickets",
            "Format of a score: runs-wickets 87/6, wickets-runs 6/87, dash 87-6; the same on every node."
        ),
        .init(
            "moments.levels",
            .list,
            "Changed announcement of moments: kind:format=level, as in fifty:test=loud, maiden:*=off, haul:t20=4. "
                + "Levels: off, flash, quiet, spoken (alert), loud (alert, priority 10). The same on every node."
        ),
        .init(
            "alerts.false.target",
            .integer(10...1_000_000),
            default: "1000",
            "One alert in so many may be false. An alert waits for the shortest time that keeps this by the "
                + "corrections of its feed, and at most 25 s."
        ),
        .init(
            "content.layout.newest",
            .integer(ContentStateVersion.standard.rawValue...ContentStateVersion.newest.rawValue),
            default: "\(ContentStateVersion.newest.rawValue)",
            "Newest layout of the content state that is sent. During an upgrade keep the old number until every node "
                + "has the new version: otherwise a card changes its layout with the node that sends it."
        ),
    ]

    private static let push: [ConfigurationKey] = [
        .init(
            "apns.environment",
            .choice(["sandbox", "production", "both"]),
            default: "sandbox",
            "Apple's environment for pushes, or both."
        ),
        .init("apns.push.host", .text, "Host for pushes to devices; empty for Apple's host of the environment."),
        .init("apns.push.port", port, default: "443", "Port for pushes to devices."),
        .init("apns.broadcast.host", .text, "Host for broadcasts on channels; empty for the host for pushes."),
        .init("apns.broadcast.port", port, default: "0", "Port for broadcasts; 0 for the port for pushes."),
        .init("apns.manage.host", .text, "Host that manages channels; empty for Apple's host of the environment."),
        .init("apns.manage.port", port, default: "0", "Port that manages channels; 0 for Apple's, 2195 or 2196."),
        .init("apns.ca.file", .text, "PEM file of the trusted authority in place of the system's, for a simulator."),
        .init("apns.key.file", .text, "Path of the .p8 signing key; empty sends no pushes."),
        .init("apns.key.id", .text, "Apple's id of the key, ten characters."),
        .init("apns.team.id", .text, "Id of the Apple developer team, ten characters."),
        .init("apns.bundle.id", .text, "Bundle id of the app; the topics are derived from it."),
        .init(
            "apns.attributes.type",
            .text,
            default: "LiveActivityAttributes",
            "Swift type of the activity's attributes in the app."
        ),
        .init(
            "apns.notification.category",
            .text,
            default: "surface-update",
            "Category of notifications, which the app registers for their buttons and its content extension."
        ),
        .init("apns.connections", .integer(1...16), default: "2", "HTTP/2 connections to Apple for each environment."),
        .init(
            "apns.connections.max",
            .integer(1...PushLimits.connections),
            default: "32",
            "Connections while pushes wait for a stream and the node could send more; they are closed after an hour "
                + "without such a need. A number up to apns.connections allows none."
        ),
        .init(
            "apns.channel.storage",
            .integer(0...1),
            default: "0",
            "Messages that Apple stores on new channels for phones that join later: 0 none, 1 the newest. "
                + "With 1 Apple allows fewer broadcasts."
        ),
        .init(
            "apns.channels.delete.unknown",
            .boolean,
            default: "false",
            "Whether to delete Apple's channels without a record here; only if no other system serves this app."
        ),
        .init("deeplink.scheme", .text, default: "score", "Scheme of links to the app, as in score://match/<id>."),
    ]

    private static let limits: [ConfigurationKey] = [
        .init("limits.read", .quota, default: "120/60s", "Reads of one device, which polls every two seconds at most."),
        .init(
            "limits.read.address",
            .quota,
            default: "6000/60s",
            "Reads without a credential from one address: 200 phones that poll every two seconds."
        ),
        .init("limits.write", .quota, default: "60/60s", "Writes of one device."),
        .init("limits.tokens", .quota, default: "30/3600s", "Push tokens sent by one device."),
        .init("limits.activities", .quota, default: "120/3600s", "Activities and their tokens reported by one device."),
        .init("limits.telemetry", .quota, default: "12/60s", "Telemetry batches of one device, which apps obey."),
        .init("limits.notice", .quota, default: "3000/60s", "Webhook calls of feed providers from one address."),
        .init("limits.register", .quota, default: "5/3600s", "New devices from one address."),
        .init(
            "limits.register.daily",
            .quota,
            default: "20/86400s",
            "New devices from one address in a day, beside limits.register."
        ),
        .init(
            "limits.register.attempt",
            .quota,
            default: "60/60s",
            "Requests for a new device from one address, whether or not they create one."
        ),
        .init("limits.register.all", .quota, default: "3000/60s", "New devices from all addresses, on this node."),
        .init("limits.stream.open", .quota, default: "20/60s", "Live streams opened by one device."),
        .init(
            "limits.stream.open.address",
            .quota,
            default: "60/60s",
            "Live streams opened without a credential from one address."
        ),
        .init("limits.stream.open.all", .quota, default: "500/1s", "Live streams opened by all clients, on this node."),
        .init(
            "limits.device.login",
            .quota,
            default: "30/60s",
            "Wrong credentials for one device from one address; a right one is always accepted."
        ),
        .init("limits.notice.login", .quota, default: "30/60s", "Wrong webhook secrets from one address."),
        .init("limits.admin.login", .quota, default: "5/900s", "Wrong admin credentials from one address."),
        .init(
            "limits.streams.node",
            .integer(1...1_000_000),
            default: "50000",
            "Open live streams on this node; the limit of descriptors may allow fewer."
        ),
        .init("limits.streams.device", .integer(1...100), default: "3", "Open live streams of one device."),
        .init(
            "limits.streams.address",
            .integer(1...1_000_000),
            default: "20",
            "Open live streams without a credential from one address."
        ),
        .init(
            "limits.shared.addresses",
            .list,
            "Addresses that thousands of phones share, as those of a carrier's NAT: ranges such as 203.0.113.0/24."
        ),
        .init(
            "limits.shared.factor",
            .integer(1...100_000),
            default: "1000",
            "Times by which the quotas of each of these addresses, and its number of open streams, are larger."
        ),
        .init(
            "limits.connections.node",
            .integer(1...1_000_000),
            default: "60000",
            "Open connections of the public API; the limit of descriptors may allow fewer."
        ),
        .init(
            "limits.connections.address",
            .integer(1...1_000_000),
            default: "1000",
            "Open connections from one address that is no trusted proxy; raise it for a carrier's shared address."
        ),
    ]

    private static let log: [ConfigurationKey] = [
        .init(
            "log.level",
            .choice(["trace", "debug", "info", "notice", "warning", "error", "critical"]),
            default: "info",
            "Lowest level that is logged."
        ),
        .init("log.format", .choice(["text", "json"]), default: "json", "One JSON object a line, or plain text."),
    ]
}
