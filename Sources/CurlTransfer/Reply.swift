// A reply, with the headers that a poller evaluates.

internal import CCurl
public import ScoreTypes

/// The status line and headers of a reply.
public struct ReplyHead: Sendable {
    /// The HTTP status, 100 to 599.
    public internal(set) var status: Int
    /// Names in lower case, in the order of arrival.
    public internal(set) var headers: [(name: String, value: String)] = []

    /// The first value of a header; nil when it is absent.
    ///
    /// - Parameter name: The name in lower case.
    /// - Returns: The value without surrounding white space.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The entity tag of the body.
    public var etag: String? { header("etag") }

    /// Whether the body may be text: by its content type, or without one.
    ///
    /// Some providers declare JSON as a web page; the adapter refuses real web pages.
    var mayBeText: Bool {
        guard let type = header("content-type")?.lowercased().split(separator: ";").first else { return true }
        let name = type.filter { $0 != " " && $0 != "\t" }
        return name.isEmpty || name.hasPrefix("text/") || name.hasSuffix("+json") || Self.textTypes.contains(name)
    }

    private static let textTypes: Set<String> = [
        "application/json", "application/javascript", "application/x-javascript",
    ]

    /// The wait of the Retry-After header, from seconds or a date.
    ///
    /// A date belongs to the server's clock, so it is counted from the date of the reply; without one from `now`.
    ///
    /// - Parameter now: Wall time.
    /// - Returns: A wait of 0 or more, at most `TransferLimits.retryAfterSeconds`; nil without the header.
    public func retryAfter(now: Instant) -> Duration? {
        guard let text = header("retry-after") else { return nil }
        if let seconds = Int64(text) { return .seconds(max(0, min(seconds, TransferLimits.retryAfterSeconds))) }
        guard let date = Self.seconds(of: text) else { return nil }
        let sentAt = header("date").flatMap(Self.seconds) ?? now.seconds
        return .seconds(max(0, min(date &- sentAt, TransferLimits.retryAfterSeconds)))
    }

    /// Seconds since 1970 of an HTTP date; nil for other text.
    private static func seconds(of date: String) -> Int64? {
        let seconds = curl_getdate(date, nil)
        return seconds >= 0 ? Int64(seconds) : nil
    }
}

/// A whole reply.
public struct Reply: Sendable {
    /// Status line and headers.
    public let head: ReplyHead
    /// The body after decompression.
    public let body: [UInt8]
    /// Whether it came over HTTP/2.
    public let isHTTP2: Bool
    /// Real time from start to the last byte.
    public let duration: Duration

    /// The HTTP status.
    public var status: Int { head.status }
}
