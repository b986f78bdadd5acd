// The settings of every easy handle in one place, since each concerns security or time.

internal import CCurl
internal import ScoreTypes

/// Sets up an easy handle.
enum TransferOptions {
    /// Applies a request; `keep` receives the lists that have to live as long as the handle.
    static func apply(
        _ job: TransferJob,
        to handle: UnsafeMutableRawPointer,
        context: UnsafeMutableRawPointer,
        keep: (UnsafeMutablePointer<curl_slist>) -> Void
    ) {
        let transfer = job.transfer
        _ = curl_set_text(handle, CURLOPT_URL, transfer.url)
        _ = curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "http,https")
        // No redirects, no proxies of the environment, no signals in a process with threads.
        _ = curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        _ = curl_set_text(handle, CURLOPT_PROXY, "")
        _ = curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        _ = curl_set_long(handle, CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if var authorities = transfer.security.authorities {
            authorities.withUnsafeMutableBytes { bytes in
                var blob = curl_blob(data: bytes.baseAddress, len: bytes.count, flags: UInt32(CURL_BLOB_COPY))
                withUnsafeMutablePointer(to: &blob) { _ = curl_set_pointer(handle, CURLOPT_CAINFO_BLOB, $0) }
            }
        }
        _ = curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        // With TLS a request waits for a connection that can multiplex instead of opening another one. Plain HTTP never
        // multiplexes, and the request would wait for the end of a stream.
        _ = curl_set_long(handle, CURLOPT_PIPEWAIT, transfer.url.hasPrefix("https:") ? 1 : 0)
        _ = curl_set_long(handle, CURLOPT_TCP_KEEPALIVE, 1)
        limit(job, handle)
        method(of: transfer, handle)
        if let list = headers(of: transfer) {
            keep(list)
            _ = curl_set_list(handle, CURLOPT_HTTPHEADER, list)
        }
        _ = curl_set_pointer(handle, CURLOPT_PRIVATE, context)
        callbacks(handle, context)
    }

    private static func limit(_ job: TransferJob, _ handle: UnsafeMutableRawPointer) {
        if let deadline = job.transfer.deadline {
            _ = curl_set_long(handle, CURLOPT_TIMEOUT_MS, max(1, Int(clamping: deadline.milliseconds)))
        }
        _ = curl_set_long(handle, CURLOPT_CONNECTTIMEOUT_MS, Int(TransferLimits.connectTime.milliseconds))
        // Otherwise the thread of all transfers would wait at the deadline until the resolver fails as well. With this
        // option the resolver's thread ends on its own, at the system's limit of a lookup.
        _ = curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        switch job.sink {
        case .whole:
            _ = curl_set_off(handle, CURLOPT_MAXFILESIZE_LARGE, curl_off_t(job.transfer.bodyLimit))
            // All encodings that this libcurl supports.
            _ = curl_set_text(handle, CURLOPT_ACCEPT_ENCODING, "")
        case .flow:
            _ = curl_set_long(handle, CURLOPT_LOW_SPEED_LIMIT, 1)
            _ = curl_set_long(handle, CURLOPT_LOW_SPEED_TIME, Int(TransferLimits.streamSilence.components.seconds))
        }
    }

    private static func method(of transfer: Transfer, _ handle: UnsafeMutableRawPointer) {
        if !transfer.body.isEmpty || transfer.method == "POST" {
            _ = curl_set_off(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(transfer.body.count))
            transfer.body.withUnsafeBytes { bytes in
                // Copied by libcurl, by the size set before.
                _ = curl_set_pointer(
                    handle,
                    CURLOPT_COPYPOSTFIELDS,
                    UnsafeMutableRawPointer(mutating: bytes.baseAddress)
                )
            }
        }
        switch transfer.method {
        case "HEAD": _ = curl_set_long(handle, CURLOPT_NOBODY, 1)
        case "GET" where transfer.body.isEmpty: break
        default: _ = curl_set_text(handle, CURLOPT_CUSTOMREQUEST, transfer.method)
        }
    }

    private static func headers(of transfer: Transfer) -> UnsafeMutablePointer<curl_slist>? {
        let names = Set(transfer.headers.map { $0.name.lowercased() })
        // An empty header removes one that libcurl would add: the wait for 100, the content type of a web form.
        var lines = ["Expect:"]
        if !names.contains("content-type") { lines.append("Content-Type:") }
        if !names.contains("user-agent") { lines.append("User-Agent: score-server") }
        if let etag = transfer.etag { lines.append("If-None-Match: \(etag)") }
        // libcurl sends a header without a value only when it ends in a semicolon.
        lines += transfer.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        return lines.reduce(nil) { curl_slist_append($0, $1) ?? $0 }
    }

    private static func callbacks(_ handle: UnsafeMutableRawPointer, _ context: UnsafeMutableRawPointer) {
        _ = curl_set_pointer(handle, CURLOPT_HEADERDATA, context)
        _ = curl_set_write(handle, CURLOPT_HEADERFUNCTION) { bytes, size, count, context in
            let line = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return TransferTask.task(context)?.take(headerLine: line) == true ? size * count : 0
        }
        _ = curl_set_pointer(handle, CURLOPT_WRITEDATA, context)
        _ = curl_set_write(handle, CURLOPT_WRITEFUNCTION) { bytes, size, count, context in
            let part = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return switch TransferTask.task(context)?.take(body: part) {
            case .taken: size * count
            case .paused: Int(CURL_WRITEFUNC_PAUSE)
            case .refused, nil: 0
            }
        }
        _ = curl_set_pointer(handle, CURLOPT_OPENSOCKETDATA, context)
        _ = curl_set_sockopt(handle, CURLOPT_OPENSOCKETFUNCTION) { context, _, peer in
            guard let peer else { return -1 }
            return TransferTask.task(context)?.openSocket(peer) ?? -1
        }
    }
}
