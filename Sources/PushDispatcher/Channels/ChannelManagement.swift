// Creates and deletes channels on Apple's management host, with blocking requests of libcurl on a thread of its own.

internal import CCurl
internal import ScoreTypes

/// Apple's channel management for one environment ("Sending channel management requests").
actor ChannelManagement {
    private let executor = ThreadExecutor(name: "push-channels")
    private let base: String
    private let paths: (channels: String, all: String)
    private let authorities: [UInt8]?

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ endpoint: DispatcherConfiguration.Endpoint, bundleID: String, authorities: [UInt8]?) {
        base = "https://\(endpoint.host):\(endpoint.port)"
        paths = ("/1/apps/\(bundleID)/channels", "/1/apps/\(bundleID)/all-channels")
        self.authorities = authorities
    }

    deinit { executor.stop() }

    /// Creates a channel that stores no message, since a missed score is outdated by the next ball.
    ///
    /// - Throws: `ChannelError` if Apple refuses or does not answer.
    func create(token: StoredProviderToken) throws(ChannelError) -> ChannelID {
        let body = JSONWriter.document(reservingBytes: 64) { fields in
            fields.field("message-storage-policy", 0)
            fields.field("push-type", "LiveActivity")
        }
        let answer = try perform("POST", paths.channels, body: body, token: token)
        guard let channel = answer.channel else { throw .incomplete }
        return channel
    }

    /// All channels of the app.
    ///
    /// - Throws: `ChannelError` if Apple refuses, does not answer, or answers without a list.
    func list(token: StoredProviderToken) throws(ChannelError) -> [ChannelID] {
        try Self.channels(in: try perform("GET", paths.all, token: token).body)
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
    func delete(_ channel: ChannelID, token: StoredProviderToken) throws(ChannelError) {
        do throws(ChannelError) {
            _ = try perform("DELETE", paths.channels, channel: channel, token: token)
        } catch .refused(_, .channelNotRegistered) {}
    }

    private func perform(
        _ method: String,
        _ path: String,
        body: [UInt8] = [],
        channel: ChannelID? = nil,
        token: StoredProviderToken
    ) throws(ChannelError) -> CurlAnswer {
        var headers = ["authorization: bearer " + token.text, "content-type: application/json"]
        if let channel { headers.append("apns-channel-id: " + channel.text) }
        let answer = try CurlExchange.perform(
            CurlExchange.Request(
                method: method,
                url: base + path,
                headers: headers,
                body: body,
                authorities: authorities,
                timeout: PushLimits.managementTimeout
            )
        )
        guard !(200..<300).contains(answer.status) else { return answer }
        let reason = answer.body.withUnsafeBytes { AnswerBody($0).reason }
        if PushOutcome(status: answer.status, reason: reason) == .rejected(.stopChannels) { throw .unavailable(reason) }
        throw .refused(status: answer.status, reason)
    }
}
