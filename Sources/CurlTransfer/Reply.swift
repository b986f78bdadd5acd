// What came back, with the few headers that a poller acts upon already read.

internal import CCurl
public import ScoreTypes

/// The status line and headers of a reply.
public struct ReplyHead: Sendable {
    /// Longest header block in bytes; real ones have under 4 KiB.
    static let byteCountMax = 64 * 1024

    /// The HTTP status, 100 to 599.
    public internal(set) var status: Int
    /// Names in lower case, in the order of arrival.
    public internal(set) var headers: [(name: String, value: String)] = []

    /// The first value of a header; the name in lower case.
    public func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    /// The entity tag of the body.
    public var etag: String? { header("etag") }

    /// Whether the body may be text: it says so, is JSON in one of its names, or says nothing.
    ///
    /// Some providers call their JSON a web page, so what is one is left to the adapter to refuse.
    var mayBeText: Bool {
        guard let type = header("content-type")?.lowercased().split(separator: ";").first else { return true }
        let name = type.filter { $0 != " " && $0 != "\t" }
        return name.isEmpty || name.hasPrefix("text/") || name.hasSuffix("+json") || Self.textTypes.contains(name)
    }

    private static let textTypes: Set<String> = [
        "application/json", "application/javascript", "application/x-javascript",
    ]

    /// How long the server asks to be left alone, from seconds or a date; nil when it does not, never negative.
    ///
    /// A date is one of the server's clock, so it is counted from the date of the reply; without one from `now`.
    public func retryAfter(now: Instant) -> Duration? {
        guard let text = header("retry-after") else { return nil }
        if let seconds = Int64(text) { return .seconds(max(0, min(seconds, Self.retryAfterMax))) }
        guard let date = Self.seconds(of: text) else { return nil }
        let sentAt = header("date").flatMap(Self.seconds) ?? now.seconds
        return .seconds(max(0, min(date &- sentAt, Self.retryAfterMax)))
    }

    /// Seconds since 1970 of a date of HTTP; nil for what is none.
    private static func seconds(of date: String) -> Int64? {
        let seconds = curl_getdate(date, nil)
        return seconds >= 0 ? Int64(seconds) : nil
    }

    /// Longest wait that a server may ask for, in seconds: a day, beyond which it is a mistake.
    private static let retryAfterMax: Int64 = 86_400
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
    /// Names in lower case, in the order of arrival.
    public var headers: [(name: String, value: String)] { head.headers }
}
