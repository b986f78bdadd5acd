// One request, complete before it is handed over, so that the thread that sends it decides nothing.

/// A request and the limits that its reply has to keep.
public struct Transfer: Sendable {
    /// How long a transfer may take from start to the last byte; slower is of no use to a live score.
    public static let deadlineDefault: Duration = .seconds(8)
    /// Longest reply in bytes after decompression; the largest match known is a tenth of it.
    public static let bodyLimitDefault = 4 * 1024 * 1024

    /// `GET`, `POST`, `PUT` …: letters only.
    public var method: String
    /// Absolute, `https`, or `http` to a host that the policy names.
    public var url: String
    /// Sent as they are, beside those that libcurl makes; may hold credentials, so a transfer is never printed.
    public var headers: [(name: String, value: String)]
    /// The request's body; empty for none.
    public var body: [UInt8]
    /// The entity tag of a reply that the caller still has: the answer may then be 304 without a body.
    public var etag: String?
    /// The real time for the whole transfer; nil for none, as a stream needs.
    public var deadline: Duration?
    /// Longest body after decompression, in bytes.
    public var bodyLimit: Int
    /// Whether only text is wanted: a body of 2xx that calls itself anything else is not read.
    public var wantsText = false
    /// Which hosts may be spoken to.
    public var security: HostPolicy

    /// Makes a request; the defaults are those for feeds.
    public init(
        method: String = "GET",
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        etag: String? = nil,
        deadline: Duration? = Transfer.deadlineDefault,
        bodyLimit: Int = Transfer.bodyLimitDefault,
        security: HostPolicy
    ) {
        self.method = method
        self.url = url
        self.headers = headers
        self.body = body
        self.etag = etag
        self.deadline = deadline
        self.bodyLimit = bodyLimit
        self.security = security
    }
}

extension Transfer: CustomStringConvertible {
    /// The method alone: addresses and headers may hold credentials.
    public var description: String { "Transfer(\(method))" }
}
