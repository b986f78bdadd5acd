// The remote settings of the app, `GET /v1/client-config`; a member that is absent has its default.

/// The server's settings for the app.
public struct ClientSettings: Codable, Sendable, Hashable {
    /// Whether streams are allowed; the client polls otherwise.
    public var sseEnabled: Bool
    /// Milliseconds between two polls where a match does not name them.
    public var pollMs: Int64
    /// Seconds after which a state counts as stale.
    public var staleAfterSeconds: Int64
    /// The oldest build that may write; an older one keeps its changes until it is updated.
    public var minBuild: Int
    /// Whether the server accepts push-to-start tokens.
    public var pushToStartEnabled: Bool
    /// The most activities that the app starts at once.
    public var maxActivities: Int
    /// Seconds between two batches of receipts, so that a device stays within the server's quota.
    public var telemetrySpacingSeconds: Int64
    /// The scheme of links into the app.
    public var deepLinkScheme: String

    /// The settings before the first answer.
    public init() {
        sseEnabled = true
        pollMs = 2_000
        staleAfterSeconds = 1_800
        minBuild = 0
        pushToStartEnabled = true
        maxActivities = 5
        telemetrySpacingSeconds = ClientLimits.telemetrySpacing / 1000
        deepLinkScheme = "score"
    }

    /// Reads the settings.
    ///
    /// - Throws: `DecodingError` when a member has another type.
    public init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: CodingKeys.self)
        self.init()
        sseEnabled = try members.decodeIfPresent(Bool.self, forKey: .sseEnabled) ?? sseEnabled
        pollMs = try members.decodeIfPresent(Int64.self, forKey: .pollMs) ?? pollMs
        staleAfterSeconds = try members.decodeIfPresent(Int64.self, forKey: .staleAfterSeconds) ?? staleAfterSeconds
        minBuild = try members.decodeIfPresent(Int.self, forKey: .minBuild) ?? minBuild
        pushToStartEnabled = try members.decodeIfPresent(Bool.self, forKey: .pushToStartEnabled) ?? pushToStartEnabled
        maxActivities = try members.decodeIfPresent(Int.self, forKey: .maxActivities) ?? maxActivities
        telemetrySpacingSeconds =
            try members.decodeIfPresent(Int64.self, forKey: .telemetrySpacingSeconds) ?? telemetrySpacingSeconds
        deepLinkScheme = try members.decodeIfPresent(String.self, forKey: .deepLinkScheme) ?? deepLinkScheme
    }

    /// The time from which a state that arrives now counts as stale, in milliseconds since 1970.
    func staleAt(_ now: ClientInstant) -> Int64 { now.wall + min(max(staleAfterSeconds, 60), 86_400) * 1000 }

    /// The time between two batches of receipts.
    var telemetrySpacing: Duration {
        .seconds(min(max(telemetrySpacingSeconds, 1), ClientLimits.longestTelemetrySpacing))
    }

    /// Whether a build is too old to write; a build that is no number never is.
    func forbids(build: String) -> Bool { Int(build).map { $0 < minBuild } ?? false }
}
