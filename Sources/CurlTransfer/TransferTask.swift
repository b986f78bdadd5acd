// Receives libcurl's callbacks for one transfer, on the driver's thread.

internal import CCurl
internal import Glibc
internal import ScoreTypes

/// One transfer on the driver's thread: its easy handle, the reply so far, and its failure.
final class TransferTask {
    let job: TransferJob
    let handle: UnsafeMutableRawPointer
    private let clock: ServiceClock
    private let startedAt: Duration
    private var lists: [UnsafeMutablePointer<curl_slist>] = []
    private var head = ReplyHead(status: 0)
    private var headBytes = 0
    private var body: [UInt8] = []
    /// The failure that a callback found; it has precedence over libcurl's code.
    private(set) var failure: TransferError?

    /// nil when libcurl has no memory for a handle.
    init?(_ job: TransferJob, clock: ServiceClock) {
        guard let handle = curl_easy_init() else { return nil }
        self.job = job
        self.handle = handle
        self.clock = clock
        startedAt = clock.monotonic
        TransferOptions.apply(job, to: handle, context: Unmanaged.passUnretained(self).toOpaque()) { lists.append($0) }
    }

    /// The handle was removed from the multi handle before.
    deinit {
        curl_easy_cleanup(handle)
        for list in lists { curl_slist_free_all(list) }
    }

    /// The task behind a pointer of a libcurl callback.
    static func task(_ context: UnsafeMutableRawPointer?) -> TransferTask? {
        context.map { Unmanaged<TransferTask>.fromOpaque($0).takeUnretainedValue() }
    }

    /// Reads one header line; false ends the transfer.
    func take(headerLine line: UnsafeRawBufferPointer) -> Bool {
        headBytes += line.count
        guard headBytes <= TransferLimits.headerBlockBytes else { return refuse(.tooLarge) }
        let text = String(decoding: line, as: UTF8.self)
        if text.hasPrefix("HTTP/") {
            head = ReplyHead(status: text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0)
        } else if let colon = text.firstIndex(of: ":") {
            let name = text[..<colon].lowercased()
            let value = text[text.index(after: colon)...].trimmed()
            head.headers.append((name, value))
        } else if text.trimmed().isEmpty && head.status >= 200 {
            return headIsComplete()
        }
        return true
    }

    private func headIsComplete() -> Bool {
        guard case .flow = job.sink else {
            let isUnwanted = job.transfer.wantsText && (200..<300).contains(head.status) && !head.mayBeText
            return isUnwanted ? refuse(.notText) : true
        }
        guard (200..<300).contains(head.status) else {
            return refuse(.status(head.status, retryAfter: head.retryAfter(now: clock.wall)))
        }
        return true
    }

    /// Reads a part of the body.
    func take(body part: UnsafeRawBufferPointer) -> BodyAnswer {
        switch job.sink {
        case .flow(let buffer): return buffer.offer(Array(part)) ? .taken : .paused
        case .whole:
            guard part.count <= job.transfer.bodyLimit - body.count else {
                _ = refuse(.tooLarge)
                return .refused
            }
            body.append(contentsOf: part)
            return .taken
        }
    }

    enum BodyAnswer { case taken, paused, refused }

    /// Whether the policy permits an address to which the host's name resolved; called for each address.
    func mayConnect(to address: UnsafePointer<sockaddr>, length: Int) -> Bool {
        let isNamed = job.transfer.security.privateHosts.contains(job.host)
        return isNamed || PublicAddress.isPublic(address, length: length) ? true : refuse(.addressNotAllowed)
    }

    /// Opens a socket when the policy permits the address for this host; -1 otherwise.
    func openSocket(_ peer: UnsafePointer<curl_sockaddr>) -> Int32 {
        guard mayConnect(to: curl_peer_address(peer), length: Int(peer.pointee.addrlen)) else { return -1 }
        let cloexec = Int32(SOCK_CLOEXEC.rawValue)
        return socket(peer.pointee.family, peer.pointee.socktype | cloexec, peer.pointee.protocol)
    }

    /// Delivers the result to the waiting caller.
    func finish(_ code: CURLcode) {
        if let error = failure ?? TransferFailure.error(of: code) { return job.fail(error) }
        switch job.sink {
        case .flow(let buffer): buffer.finish(nil)
        case .whole(let outcome):
            var version = 0
            _ = curl_get_long(handle, CURLINFO_HTTP_VERSION, &version)
            let isHTTP2 = version == Int(CURL_HTTP_VERSION_2_0)
            let duration = clock.monotonic - startedAt
            outcome.set(.success(Reply(head: head, body: body, isHTTP2: isHTTP2, duration: duration)))
        }
    }

    private func refuse(_ error: TransferError) -> Bool {
        failure = error
        return false
    }
}

/// Maps libcurl's codes to errors.
enum TransferFailure {
    /// nil for success.
    static func error(of code: CURLcode) -> TransferError? {
        switch code {
        case CURLE_OK: nil
        case CURLE_COULDNT_RESOLVE_HOST: .nameNotFound
        case CURLE_COULDNT_CONNECT, CURLE_SEND_ERROR, CURLE_GOT_NOTHING, CURLE_NO_CONNECTION_AVAILABLE: .connection
        case CURLE_OPERATION_TIMEDOUT: .deadline
        case CURLE_PARTIAL_FILE, CURLE_RECV_ERROR: .truncated
        case CURLE_FILESIZE_EXCEEDED: .tooLarge
        case CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER,
            CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_USE_SSL_FAILED:
            .tls
        case CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_BAD_CONTENT_ENCODING, CURLE_HTTP2,
            CURLE_HTTP2_STREAM:
            .badReply
        default: .other(code: UInt32(code.rawValue))
        }
    }
}

extension StringProtocol {
    /// The text without the white space that HTTP allows around a value.
    fileprivate func trimmed() -> String {
        let isBlank = { (character: Character) in character == " " || character == "\t" || character.isNewline }
        guard let first = firstIndex(where: { !isBlank($0) }), let last = lastIndex(where: { !isBlank($0) }) else {
            return ""
        }
        return String(self[first...last])
    }
}
