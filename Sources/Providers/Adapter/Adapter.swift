// Each provider has a format of its own; its adapter is the only code that knows it.

public import MatchEngine
public import ScoreTypes

/// Names the requests for one provider and converts its replies to neutral types.
///
/// It is pure, so that a poller, a test and a replay of captures read the same bytes in the same way.
///
/// ```
/// opening ──▶ session ──▶ listRequests ──▶ fixtures
///                    └──▶ matchRequests ─▶ snapshot      (repeated; parts that are not requested keep their reply)
/// ```
public protocol Adapter: Sendable {
    /// The provider.
    var provider: Provider { get }

    /// The requests before all others: sign-in and tables.
    ///
    /// - Parameter credentials: The operator's access to the provider.
    /// - Returns: The requests, which may be sent at once; empty by default.
    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest]

    /// Reads the replies to `opening`.
    ///
    /// - Parameters:
    ///   - replies: The replies; empty when there were no requests.
    ///   - credentials: The operator's access to the provider.
    ///   - now: When the replies were received; the expiry of a token follows from it.
    /// - Returns: The session for all later requests and readings.
    /// - Throws: `AdapterError` that names the place in the reply.
    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession

    /// The requests for the list of matches.
    ///
    /// Replies may name further pages: the poller calls this again with the replies so far, until it names no part that
    /// was not requested.
    ///
    /// - Parameters:
    ///   - session: The session.
    ///   - now: The time around which matches are wanted.
    ///   - replies: The pages so far; empty at first.
    /// - Returns: The requests; all their replies together are the list.
    func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// Reads the list of matches.
    ///
    /// - Parameters:
    ///   - replies: The replies to `listRequests`.
    ///   - session: The session.
    /// - Returns: The matches, each once, and the entries that were left out.
    /// - Throws: `AdapterError` that names the place, when a list has another form or none of its entries can be read.
    func fixtures(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> FixtureListing

    /// The requests for one match now.
    ///
    /// Replies may name further parts, as a page names the one before it: the poller merges the replies and calls this
    /// again, until it names no part that is not held; `snapshot` throws `missing` until then.
    ///
    /// - Parameters:
    ///   - id: The provider's id of the match.
    ///   - session: The session.
    ///   - replies: The replies that are held; empty at first.
    /// - Returns: The requests for parts that change with every poll, and for parts that are not held yet.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// The requests after a notice of a change.
    ///
    /// - Parameters:
    ///   - notice: The notice.
    ///   - session: The session.
    ///   - replies: The replies that are held of the match.
    /// - Returns: The requests; by default those of a poll.
    func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// The request that subscribes a match in play for the webhook.
    ///
    /// - Parameters:
    ///   - id: The provider's id of the match.
    ///   - session: The session.
    /// - Returns: The request, which may be repeated without harm; nil by default.
    func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest?

    /// Reads the reply to `subscription`; by default every reply is an acceptance.
    ///
    /// - Parameter replies: The reply.
    /// - Throws: `AdapterError.refused` when the match was not subscribed.
    func subscribed(_ replies: ProviderReplies) throws(AdapterError)

    /// Reads one match.
    ///
    /// - Parameters:
    ///   - replies: The last reply of each part.
    ///   - session: The session.
    /// - Returns: The match so far.
    /// - Throws: `AdapterError` that names the place; nothing of a bad reply is used.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot

    /// Reads the provider's count of requests.
    ///
    /// - Parameter replies: Replies that were just received.
    /// - Returns: The highest count among them; nil by default.
    func allowance(_ replies: ProviderReplies) -> RequestAllowance?
}

extension Adapter {
    /// No request.
    public func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] { [] }

    /// A session without expiry that has the credentials' key as token and the replies as tables.
    ///
    /// - Throws: Nothing.
    public func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        ProviderSession(token: credentials.key, tables: replies)
    }

    /// The requests of a poll.
    public func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        matchRequests(notice.match, session, replies: replies)
    }

    /// No subscription.
    public func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest? { nil }

    /// Accepts every reply.
    ///
    /// - Throws: Nothing.
    public func subscribed(_ replies: ProviderReplies) throws(AdapterError) {}

    /// No count.
    public func allowance(_ replies: ProviderReplies) -> RequestAllowance? { nil }
}
