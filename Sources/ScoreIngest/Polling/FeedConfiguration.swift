// What an operator says about a feed.

public import CurlTransfer
internal import MatchEngine
public import MatchJournal
public import Providers
public import ScoreTypes

/// A provider's feed: where it is, how it is read, how often it is asked.
public struct FeedConfiguration: Sendable {
    /// Its name in the store, in metrics and on the console.
    public let id: FeedID
    /// The base of its addresses, without a slash at the end.
    public let baseURL: String
    /// Says what to ask for and reads the replies.
    public let adapter: any Adapter
    /// What the provider gave to sign in with.
    public let credentials: ProviderCredentials
    /// Which hosts its addresses may lead to.
    public let security: HostPolicy
    /// Sent with each request; may hold the provider's key, so they are never printed.
    public let headers: [(name: String, value: String)]
    /// How often it is asked.
    public let cadence: Cadence
    /// Requests that the provider's plan allows in an hour; nil for the provider's usual plan, if it has one.
    public let hourlyRequests: Int?
    /// Longest reply in bytes after decompression.
    public let bodyLimit: Int
    /// Which feed speaks for a match that several have: the lowest that answers.
    public let precedence: Int
    /// The duty that has to be held to poll it; feeds that stand in for each other share one.
    public let duty: String
    /// Matches and competitions that the whole world watches, by id or name: polled twice as often.
    public let marquee: Set<String>
    /// Whether the provider tells of changes by webhook: then polls are only for safety.
    public let isPushed: Bool

    /// Describes a feed.
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

    /// Whose words they are.
    public var source: JournalSource { JournalSource(adapter.provider, id) }

    /// What to send for a request of the adapter.
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

    /// How often a match is asked about.
    func cadence(of fixture: Fixture, pushedWithin silence: Duration?) -> Cadence {
        var cadence = cadence
        let isMarquee = marquee.contains(fixture.match.text) || fixture.competition.map(marquee.contains) == true
        if isMarquee { cadence.live = min(cadence.live, cadence.marqueeLive) }
        // While the provider tells of every ball, a poll only finds out what got lost.
        if isPushed, let silence, silence < Cadence.pushTrust { cadence.live = Cadence.pushed }
        return cadence
    }
}

extension FeedConfiguration: CustomStringConvertible {
    /// The name alone: address and headers may hold credentials.
    public var description: String { "Feed(\(id))" }
}
