// What an operator says about a feed.

public import ScoreTypes

/// A provider's feed: where it is, how it is read, how often it is asked.
public struct FeedConfiguration: Sendable {
    /// Its name in the store, in metrics and on the console.
    public let id: FeedID
    /// The base of its addresses, without a slash at the end.
    public let baseURL: String
    /// Reads its replies.
    public let adapter: any Adapter
    /// Which hosts its addresses may lead to.
    public let security: HostPolicy
    /// Sent with each request; may hold the provider's key, so they are never printed.
    public let headers: [(name: String, value: String)]
    /// How often it is asked.
    public let cadence: Cadence
    /// Requests that the provider's plan allows in an hour; nil for no limit.
    public let hourlyRequests: Int?
    /// Longest reply in bytes after decompression.
    public let bodyLimit: Int

    /// Describes a feed.
    public init(
        id: FeedID,
        baseURL: String,
        adapter: any Adapter,
        security: HostPolicy,
        headers: [(name: String, value: String)] = [],
        cadence: Cadence = Cadence(),
        hourlyRequests: Int? = nil,
        bodyLimit: Int = Transfer.bodyLimitDefault
    ) {
        self.id = id
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.adapter = adapter
        self.security = security
        self.headers = headers
        self.cadence = cadence
        self.hourlyRequests = hourlyRequests
        self.bodyLimit = bodyLimit
    }

    /// What to send for a request of the adapter.
    func transfer(_ request: ProviderRequest, etag: String?) -> Transfer {
        Transfer(
            method: request.method.rawValue,
            url: baseURL + request.target,
            headers: headers + request.headers.map { ($0.name, $0.value) },
            body: request.body,
            etag: etag,
            bodyLimit: bodyLimit,
            security: security
        )
    }
}

extension FeedConfiguration: CustomStringConvertible {
    /// The name alone: address and headers may hold credentials.
    public var description: String { "Feed(\(id))" }
}
