// Creates and deletes channels on Apple's management host.

internal import CurlTransfer
internal import ScoreTypes

/// Apple's channel management for one environment ("Sending channel management requests").
struct ChannelManagement: Sendable {
    private let driver = TransferDriver(name: "push-channels")
    private let base: String
    private let paths: (channels: String, all: String)
    private let policy: HostPolicy

    init(_ endpoint: DispatcherConfiguration.Endpoint, bundleID: String, authorities: [UInt8]?) {
        base = "https://\(endpoint.host):\(endpoint.port)"
        paths = ("/1/apps/\(bundleID)/channels", "/1/apps/\(bundleID)/all-channels")
        // A simulator has a private address.
        policy = HostPolicy(hosts: [], privateHosts: [endpoint.host], authorities: authorities)
    }

    /// Creates a channel.
    ///
    /// - Parameters:
    ///   - storage: The messages that Apple stores.
    ///   - token: The provider token.
    /// - Returns: Its id.
    /// - Throws: `ChannelError` if Apple refuses or does not answer.
    func create(storing storage: ChannelStorage, token: StoredProviderToken) async throws(ChannelError) -> ChannelID {
        let body = JSONWriter.document(reservingBytes: 64) { fields in
            fields.field("message-storage-policy", storage.rawValue)
            fields.field("push-type", "LiveActivity")
        }
        let reply = try await perform("POST", paths.channels, body: body, token: token)
        guard let channel = reply.head.header("apns-channel-id").flatMap({ ChannelID($0) }) else { throw .incomplete }
        return channel
    }

    /// All channels of the app.
    ///
    /// - Throws: `ChannelError` if Apple refuses, does not answer, or answers without a list.
    func list(token: StoredProviderToken) async throws(ChannelError) -> [ChannelID] {
        try Self.channels(in: try await perform("GET", paths.all, token: token).body)
    }

    /// The ids of the array `channels`; a body without it is an error, since an empty list would mean that all channels
    /// are lost.
    static func channels(in body: [UInt8]) throws(ChannelError) -> [ChannelID] {
        guard let json = try? JSONElement(parsing: body, .lenient), let channels = json["channels"]?.elements else {
            throw .unreadableList
        }
        return channels.compactMap { $0.string.flatMap { ChannelID($0) } }
    }

    /// Deletes a channel; no error if it does not exist.
    ///
    /// - Throws: `ChannelError` if Apple refuses or does not answer.
    func delete(_ channel: ChannelID, token: StoredProviderToken) async throws(ChannelError) {
        do throws(ChannelError) {
            _ = try await perform("DELETE", paths.channels, channel: channel, token: token)
        } catch .refused(_, .channelNotRegistered) {}
    }

    private func perform(
        _ method: String,
        _ path: String,
        body: [UInt8] = [],
        channel: ChannelID? = nil,
        token: StoredProviderToken
    ) async throws(ChannelError) -> Reply {
        var headers = [(name: "authorization", value: "bearer " + token.text), ("content-type", "application/json")]
        if let channel { headers.append(("apns-channel-id", channel.text)) }
        let transfer = Transfer(
            method: method,
            url: base + path,
            headers: headers,
            body: body,
            deadline: PushLimits.managementTimeout,
            bodyLimit: PushLimits.managementBodyBytes,
            security: policy
        )
        let reply: Reply
        do { reply = try await driver.perform(transfer) } catch { throw .unreachable("\(error)") }
        guard !(200..<300).contains(reply.status) else { return reply }
        let result = reply.body.withUnsafeBytes { RequestResult(status: reply.status, body: $0) }
        if result.outcome == .rejected(.stopChannels) { throw .unavailable(result.reason) }
        throw .refused(status: reply.status, result.reason)
    }
}
