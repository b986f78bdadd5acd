// The configuration of a feed by an operator.

public import CurlTransfer
internal import MatchEngine
public import MatchJournal
public import Providers
public import ScoreTypes

/// A provider's feed: its address, its adapter, its limits.
public struct FeedConfiguration: Sendable {
    /// Its name in the store, in metrics and on the console.
    public let id: FeedID
    /// The base of its addresses, without a slash at the end.
    public let baseURL: String
    /// Makes requests and reads the replies.
    public let adapter: any Adapter
    /// The operator's access to the provider.
    public let credentials: ProviderCredentials
    /// The hosts that its addresses may resolve to.
    public let security: HostPolicy
    /// Sent with each request; may hold the provider's key, so they are never printed.
    public let headers: [(name: String, value: String)]
    /// How often it is polled.
    public let cadence: Cadence
    /// Requests that the provider's plan allows in an hour; nil for the provider's usual plan, if it has one.
    public let hourlyRequests: Int?
    /// Longest reply in bytes after decompression.
    public let bodyLimit: Int
    /// Of several feeds of a match the lowest that answers leads.
    public let precedence: Int
    /// The lease that a node holds to poll it; feeds that can lead the same matches share one.
    public let duty: String
    /// Marquee matches and competitions, by id or name: polled twice as often.
    public let marquee: Set<String>
    /// Whether the provider pushes changes by webhook; then polls only find what got lost.
    public let isPushed: Bool

    /// Describes a feed; the defaults are those of its provider.
    public init(
        id: FeedID,
        baseURL: String,
        adapter: any Adapter,
        credentials: ProviderCredentials = .none,
        security: HostPolicy,
        headers: [(name: String, value: String)] = [],
        cadence: Cadence? = nil,
        hourlyRequests: Int? = nil,
        bodyLimit: Int = TransferLimits.bodyBytes,
        precedence: Int = 1,
        duty: String? = nil,
        marquee: Set<String> = [],
        isPushed: Bool = false
    ) {
        self.id = id
        self.baseURL = baseURL.hasSuffix("/") ? String(baseURL.dropLast()) : baseURL
        self.adapter = adapter
        self.credentials = credentials
        self.security = security
        self.headers = headers
        self.cadence = cadence ?? Cadence(of: adapter.provider)
        self.hourlyRequests = hourlyRequests
        self.bodyLimit = bodyLimit
        self.precedence = precedence
        self.duty = duty ?? "feed:\(id)"
        self.marquee = marquee
        self.isPushed = isPushed
    }

    /// The feed as the journal names it.
    public var source: JournalSource { JournalSource(adapter.provider, id) }

    /// The transfer of a request.
    func transfer(_ request: ProviderRequest, etag: String?) -> Transfer {
        var transfer = Transfer(
            method: request.method.rawValue,
            url: baseURL + request.target,
            headers: headers + request.headers.map { ($0.name, $0.value) },
            body: request.body,
            etag: etag,
            bodyLimit: bodyLimit,
            security: security
        )
        transfer.wantsText = true
        return transfer
    }

    /// How often a match is polled; `silence` is domain time since the last push, nil before the first.
    func cadence(of fixture: Fixture, pushedWithin silence: Duration?) -> Cadence {
        var cadence = cadence
        let isMarquee = marquee.contains(fixture.match.text) || fixture.competition.map(marquee.contains) == true
        if isMarquee { cadence.live = min(cadence.live, cadence.marqueeLive) }
        // While the provider pushes every ball, a poll only finds what got lost.
        if isPushed, let silence, silence < Cadence.pushTrust { cadence.live = Cadence.pushed }
        return cadence
    }
}

extension FeedConfiguration: CustomStringConvertible {
    /// The name alone: address and headers may hold credentials.
    public var description: String { "Feed(\(id))" }
}
