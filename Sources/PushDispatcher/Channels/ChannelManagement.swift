// Channels are made and deleted a few times a day, so libcurl does it, one call after the other on a thread of its own.

internal import CCurl
internal import ScoreTypes

/// Why a channel could not be managed.
public enum ChannelError: Error, Sendable, Hashable, CustomStringConvertible {
    /// No whole answer.
    case unreachable(code: UInt32)
    /// Apple refused.
    case refused(status: Int, reason: APNsReason)
    /// The answer named no channel.
    case noChannel
    /// There is no provider token to ask with.
    case noProviderToken

    /// One sentence.
    public var description: String {
        switch self {
        case .unreachable(let code): "Channel management gave no answer (libcurl \(code))."
        case .refused(let status, let reason): "Channel management answered \(status) \(reason.rawValue)."
        case .noChannel: "Channel management made a channel without a name."
        case .noProviderToken: "There is no provider token to manage channels with."
        }
    }
}

/// Calls Apple's channel management; every call runs on one thread.
actor ChannelManagement {
    /// The whole time of one call, in seconds.
    private static let deadlineSeconds = 10
    /// Longest answer in bytes; a list of all 10,000 channels has half of it.
    static let answerBytesMax = 1024 * 1024

    private let executor = ThreadExecutor(name: "apns-channels")
    private let endpoint: PushEndpoint
    private let authorityFile: String?
    private let bundleID: String

    nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    init(_ configuration: DispatcherConfiguration) {
        endpoint = configuration.manage
        authorityFile = configuration.authorityFile
        bundleID = configuration.bundleID
    }

    nonisolated func stop() { executor.stop() }

    /// Makes a channel that stores no messages: newest state only, highest publishing budget.
    func create(token: StoredProviderToken) throws(ChannelError) -> ChannelID {
        let body = JSONWriter.document { json in
            json.field("message-storage-policy", 0)
            json.field("push-type", "LiveActivity")
        }
        let answer = try call("POST", path: "channels", channel: nil, token: token, body: body)
        guard let channel = answer.channel else { throw .noChannel }
        return channel
    }

    /// Deletes a channel; one that is not there counts as deleted.
    func delete(_ channel: ChannelID, token: StoredProviderToken) throws(ChannelError) {
        do throws(ChannelError) {
            _ = try call("DELETE", path: "channels", channel: channel, token: token, body: [])
        } catch {
            if case .refused(_, .channelNotRegistered) = error { return }
            throw error
        }
    }

    private func call(
        _ method: String,
        path: String,
        channel: ChannelID?,
        token: StoredProviderToken,
        body: [UInt8]
    ) throws(ChannelError) -> ChannelAnswer {
        guard let handle = curl_easy_init() else { throw .unreachable(code: 0) }
        defer { curl_easy_cleanup(handle) }
        var headers: UnsafeMutablePointer<curl_slist>?
        defer { curl_slist_free_all(headers) }
        headers = curl_slist_append(headers, "authorization: bearer \(token.text)")
        headers = curl_slist_append(headers, "content-type: application/json")
        if let channel { headers = curl_slist_append(headers, "apns-channel-id: \(channel.text)") }
        let url = "https://\(endpoint.host):\(endpoint.port)/1/apps/\(bundleID)/\(path)"
        _ = curl_set_text(handle, CURLOPT_URL, url)
        _ = curl_set_text(handle, CURLOPT_CUSTOMREQUEST, method)
        _ = curl_set_text(handle, CURLOPT_PROXY, "")
        _ = curl_set_list(handle, CURLOPT_HTTPHEADER, headers)
        _ = curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        _ = curl_set_long(handle, CURLOPT_TIMEOUT, Self.deadlineSeconds)
        _ = curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        if let authorityFile { _ = curl_set_text(handle, CURLOPT_CAINFO, authorityFile) }
        if method == "POST" {
            _ = curl_set_long(handle, CURLOPT_POSTFIELDSIZE, body.count)
            _ = body.withUnsafeBytes { bytes in
                curl_set_text(handle, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress?.assumingMemoryBound(to: CChar.self))
            }
        }
        return try perform(handle)
    }

    private func perform(_ handle: UnsafeMutableRawPointer) throws(ChannelError) -> ChannelAnswer {
        let answer = ChannelAnswer()
        let context = Unmanaged.passUnretained(answer).toOpaque()
        _ = curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = curl_set_write(handle, CURLOPT_WRITEFUNCTION) { data, size, count, context in
            ChannelAnswer.from(context)?.takeBody(data, size * count) ?? 0
        }
        _ = curl_set_write(handle, CURLOPT_HEADERFUNCTION) { data, size, count, context in
            ChannelAnswer.from(context)?.takeHeader(data, size * count) ?? 0
        }
        let code = withExtendedLifetime(answer) { curl_easy_perform(handle) }
        guard code == CURLE_OK else { throw .unreachable(code: code.rawValue) }
        var status = 0
        _ = curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        guard (200..<300).contains(status) else {
            let reason = answer.body.withUnsafeBytes { AnswerBody($0).reason }
            throw .refused(status: status, reason: reason)
        }
        return answer
    }
}

/// Gathers one answer of channel management; lives as long as the call.
private final class ChannelAnswer {
    private(set) var body: [UInt8] = []
    private(set) var channel: ChannelID?

    static func from(_ context: UnsafeMutableRawPointer?) -> ChannelAnswer? {
        context.map { Unmanaged<ChannelAnswer>.fromOpaque($0).takeUnretainedValue() }
    }

    func takeBody(_ data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let data, body.count + count <= ChannelManagement.answerBytesMax else { return 0 }
        body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: count))
        return count
    }

    func takeHeader(_ data: UnsafeMutablePointer<CChar>?, _ count: Int) -> Int {
        guard let data else { return 0 }
        let line = String(decoding: UnsafeRawBufferPointer(start: data, count: count), as: UTF8.self)
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == "apns-channel-id" {
            channel = ChannelID(parts[1].filter { !$0.isWhitespace })
        }
        return count
    }
}
