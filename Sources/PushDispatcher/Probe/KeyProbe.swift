// A wrong key or topic shows before the first ball: APNs checks both before it looks at the device token.

internal import CurlTransfer
public import ScoreTypes

/// Sends one push to a well-formed token that no phone has.
///
/// APNs answers 400 `BadDeviceToken` when it accepts provider token and topic; any other answer names what is wrong.
public struct KeyProbe: Sendable {
    /// The answer of APNs about key and topic.
    public enum Finding: Sendable, Hashable {
        /// Key and topic are right.
        case good(duration: Duration)
        /// APNs answered something else.
        case refused(status: Int, APNsReason, duration: Duration)
        /// There is no provider token: the key or the store fails.
        case unsigned
        /// APNs did not answer; the text has no secret.
        case unreachable(String)
    }

    private let endpoint: DispatcherConfiguration.Endpoint
    private let topic: String
    private let policy: HostPolicy

    /// Probes one push server.
    init(_ endpoint: DispatcherConfiguration.Endpoint, topic: String, authorities: [UInt8]?) {
        (self.endpoint, self.topic) = (endpoint, topic)
        // A simulator has a private address.
        policy = HostPolicy(hosts: [], privateHosts: [endpoint.host], authorities: authorities)
    }

    /// Probes without a dispatcher, with the shared provider token.
    ///
    /// - Parameters:
    ///   - configuration: APNs endpoints, app and key.
    ///   - environment: One of its environments.
    ///   - providerTokens: The store of the shared provider token; a new one is signed when none is young enough.
    ///   - clock: The time.
    /// - Returns: The answer of APNs; `unsigned` for an environment that is not configured.
    public static func run(
        _ configuration: DispatcherConfiguration,
        _ environment: PushEnvironment,
        providerTokens: any ProviderTokenStore,
        clock: ServiceClock
    ) async -> Finding {
        guard let endpoints = configuration.environments[environment] else { return .unsigned }
        let tokens = ProviderTokenCache(configuration: configuration, store: providerTokens, clock: clock, jitter: 0)
        let probe = KeyProbe(endpoints.push, topic: configuration.activityTopic, authorities: configuration.authorities)
        return await probe.run(tokens.token(for: environment), clock)
    }

    /// Sends the push, and reads the answer.
    func run(_ token: StoredProviderToken?, _ clock: ServiceClock) async -> Finding {
        guard let token else { return .unsigned }
        let body = JSONWriter.document(reservingBytes: 96) { fields in
            fields.object("aps") { aps in
                aps.field("timestamp", clock.wall.seconds)
                aps.field("event", "update")
                aps.object("content-state") { _ in }
            }
        }
        let transfer = Transfer(
            method: "POST",
            url: "https://\(endpoint.host):\(endpoint.port)/3/device/" + String(repeating: "00", count: 32),
            headers: [
                (name: "authorization", value: "bearer " + token.text), ("apns-topic", topic),
                ("apns-push-type", "liveactivity"), ("apns-priority", "5"), ("apns-expiration", "0"),
            ],
            body: body,
            deadline: PushLimits.probeTimeout,
            bodyLimit: PushLimits.probeAnswerBytes,
            security: policy
        )
        let begin = clock.monotonic
        do {
            let reply = try await TransferDriver(name: "push-probe").perform(transfer)
            let duration = clock.monotonic - begin
            let result = reply.body.withUnsafeBytes { RequestResult(status: reply.status, body: $0) }
            let isGood = reply.status == 400 && result.reason == .badDeviceToken
            return isGood
                ? .good(duration: duration) : .refused(status: reply.status, result.reason, duration: duration)
        } catch { return .unreachable("\(error)") }
    }
}
