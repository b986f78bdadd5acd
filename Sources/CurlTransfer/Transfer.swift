// One complete request, so that the thread that sends it takes no decisions.

/// A request and the limits of its reply.
public struct Transfer: Sendable {
    /// `GET`, `POST`, `PUT` …: letters only.
    public var method: String
    /// Absolute, `https`, or `http` to a host that the policy names.
    public var url: String
    /// Headers beside those of libcurl; they may hold credentials, so a transfer is never printed.
    public var headers: [(name: String, value: String)]
    /// The request's body; empty for none.
    public var body: [UInt8]
    /// The entity tag of a reply that the caller has stored: the status may then be 304 without a body.
    public var etag: String?
    /// Real time of the whole transfer; nil for no limit, as for a stream.
    public var deadline: Duration?
    /// Most bytes of the body after decompression.
    public var bodyLimit: Int
    /// Whether only text is accepted: the body of a 2xx reply with another content type is not read.
    public var wantsText = false
    /// The permitted hosts.
    public var security: HostPolicy

    /// Makes a request; the defaults are those of feeds.
    public init(
        method: String = "GET",
        url: String,
        headers: [(name: String, value: String)] = [],
        body: [UInt8] = [],
        etag: String? = nil,
        deadline: Duration? = TransferLimits.deadline,
        bodyLimit: Int = TransferLimits.bodyBytes,
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
