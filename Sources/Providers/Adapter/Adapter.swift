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

    /// The requests before all others, which may be sent at once: sign-in and tables; empty by default.
    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest]

    /// Reads the replies to `opening`, which came at `now`, into the session for all later requests and readings.
    ///
    /// - Throws: `AdapterError` that names the place in the reply.
    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession

    /// The requests whose replies together are the list of matches around a time.
    ///
    /// Replies may name further pages: the poller calls this again with the replies so far, none at first, until it
    /// names no part that was not requested.
    func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// Reads the replies to `listRequests`: the matches, each once, and the entries that were left out.
    ///
    /// - Throws: `AdapterError` that names the place, when a list has another form or none of its entries can be read.
    func fixtures(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> FixtureListing

    /// The requests for the parts of a match that change with every poll, and for parts that are not held yet.
    ///
    /// Replies may name further parts, as a page names the one before it: the poller merges the replies and calls this
    /// again, until it names no part that is not held; `snapshot` throws `missing` until then.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// The requests after a notice of a change, with the held replies of the match; by default those of a poll.
    func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// The request that subscribes a match in play for the webhook and may be repeated without harm; nil by default.
    func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest?

    /// Reads the reply to `subscription`; by default every reply is an acceptance.
    ///
    /// - Throws: `AdapterError.refused` when the match was not subscribed.
    func subscribed(_ replies: ProviderReplies) throws(AdapterError)

    /// Reads the match so far from the last reply of each part.
    ///
    /// - Throws: `AdapterError` that names the place; nothing of a bad reply is used.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot

    /// The highest of the provider's counts of requests in replies that were just received; nil by default.
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
