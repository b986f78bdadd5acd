// One blocking HTTP/2 request through libcurl.

internal import CCurl
internal import ScoreTypes

/// A response of channel management.
struct CurlAnswer {
    var status = 0
    var channel: ChannelID?
    var body: [UInt8] = []
}

enum CurlExchange {
    struct Request {
        let method: String
        let url: String
        let headers: [String]
        let body: [UInt8]
        let authorities: [UInt8]?
        let timeout: Duration
    }

    /// Performs one request on its own connection; blocks the thread until it is complete.
    ///
    /// - Throws: `ChannelError.unreachable` with libcurl's text.
    static func perform(_ request: Request) throws(ChannelError) -> CurlAnswer {
        guard let handle = curl_easy_init() else { throw .unreachable("libcurl has no handle") }
        defer { curl_easy_cleanup(handle) }
        var list: UnsafeMutablePointer<curl_slist>?
        for header in request.headers { list = curl_slist_append(list, header) }
        defer { curl_slist_free_all(list) }
        prepare(handle, request, list)
        let answer = Collector()
        let target = Unmanaged.passUnretained(answer).toOpaque()
        curl_set_write(handle, CURLOPT_WRITEFUNCTION, takeBody)
        curl_set_pointer(handle, CURLOPT_WRITEDATA, target)
        curl_set_write(handle, CURLOPT_HEADERFUNCTION, takeHeader)
        curl_set_pointer(handle, CURLOPT_HEADERDATA, target)
        let code = withExtendedLifetime(answer) { performing(handle, request) }
        guard code == CURLE_OK else { throw .unreachable(String(cString: curl_easy_strerror(code))) }
        var status = 0
        curl_get_long(handle, CURLINFO_RESPONSE_CODE, &status)
        answer.answer.status = status
        return answer.answer
    }

    private static func prepare(
        _ handle: UnsafeMutableRawPointer,
        _ request: Request,
        _ list: UnsafeMutablePointer<curl_slist>?
    ) {
        curl_set_text(handle, CURLOPT_URL, request.url)
        curl_set_text(handle, CURLOPT_CUSTOMREQUEST, request.method)
        curl_set_list(handle, CURLOPT_HTTPHEADER, list)
        curl_set_long(handle, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        curl_set_long(handle, CURLOPT_TIMEOUT_MS, Int(request.timeout.milliseconds))
        curl_set_long(handle, CURLOPT_NOSIGNAL, 1)
        // At the deadline libcurl abandons a running name lookup.
        curl_set_long(handle, CURLOPT_QUICK_EXIT, 1)
        curl_set_long(handle, CURLOPT_FOLLOWLOCATION, 0)
        curl_set_text(handle, CURLOPT_PROTOCOLS_STR, "https")
    }

    /// Keeps body and authorities at their address while libcurl works.
    private static func performing(_ handle: UnsafeMutableRawPointer, _ request: Request) -> CURLcode {
        var authorities = request.authorities ?? []
        return authorities.withUnsafeMutableBytes { trusted in
            if request.authorities != nil {
                var blob = curl_blob(data: trusted.baseAddress, len: trusted.count, flags: UInt32(CURL_BLOB_COPY))
                _ = withUnsafeMutablePointer(to: &blob) { curl_set_pointer(handle, CURLOPT_CAINFO_BLOB, $0) }
            }
            return request.body.withUnsafeBytes { body in
                if !body.isEmpty {
                    curl_set_off(handle, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(body.count))
                    curl_set_pointer(handle, CURLOPT_POSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
                }
                return curl_easy_perform(handle)
            }
        }
    }

    private static let takeBody: curl_write_callback = { data, size, count, target in
        let length = size * count
        guard let data, let target else { return 0 }
        let collector = Unmanaged<Collector>.fromOpaque(target).takeUnretainedValue()
        guard collector.answer.body.count + length <= PushLimits.managementBodyBytes else { return 0 }
        collector.answer.body.append(contentsOf: UnsafeRawBufferPointer(start: data, count: length))
        return length
    }

    private static let takeHeader: curl_write_callback = { data, size, count, target in
        let length = size * count
        guard let data, let target else { return 0 }
        let line = String(decoding: UnsafeRawBufferPointer(start: data, count: length), as: UTF8.self)
        let parts = line.split(separator: ":", maxSplits: 1)
        if parts.count == 2, parts[0].lowercased() == "apns-channel-id" {
            let value = parts[1].drop { $0.isWhitespace }.prefix { !$0.isWhitespace }
            Unmanaged<Collector>.fromOpaque(target).takeUnretainedValue().answer.channel = ChannelID(String(value))
        }
        return length
    }

    /// Collects the output of libcurl's callbacks; used by one thread.
    private final class Collector {
        var answer = CurlAnswer()
    }
}
