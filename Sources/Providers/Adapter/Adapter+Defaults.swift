// Most providers need no opening and push nothing; they should not have to say so.

internal import MatchEngine
public import ScoreTypes

extension Adapter {
    /// Nothing has to be asked first.
    ///
    /// - Parameter credentials: What the operator was given by the provider.
    /// - Returns: No request.
    public func opening(_ credentials: ProviderCredentials) -> [ProviderRequest] { [] }

    /// Keeps the opening's replies as tables, without a token.
    ///
    /// - Parameters:
    ///   - replies: The replies to `opening`.
    ///   - credentials: What the operator was given by the provider.
    ///   - now: When the replies came.
    /// - Returns: A session that does not end.
    /// - Throws: Nothing by default.
    public func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession {
        ProviderSession(tables: replies)
    }

    /// The requests of a poll.
    ///
    /// - Parameters:
    ///   - notice: What the provider said.
    ///   - session: What the opening brought.
    ///   - replies: What is held of the match.
    /// - Returns: The requests.
    public func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest] {
        matchRequests(notice.match, session, replies: replies, record: MatchRecord())
    }

    /// Nothing has to be subscribed.
    ///
    /// - Parameters:
    ///   - id: The match.
    ///   - session: What the opening brought.
    /// - Returns: nil.
    public func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest? { nil }

    /// Takes any answer for a yes.
    ///
    /// - Parameter replies: The answer.
    /// - Throws: Nothing by default.
    public func subscribed(_ replies: ProviderReplies) throws(AdapterError) {}

    /// Tells nothing.
    ///
    /// - Parameter replies: Replies that have just come.
    /// - Returns: nil.
    public func allowance(_ replies: ProviderReplies) -> RequestAllowance? { nil }
}
