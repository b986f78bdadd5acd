// Each provider speaks its own dialect; an adapter is the only place that knows it.

public import MatchEngine
public import ScoreTypes

/// Says what to ask one provider for, and turns its replies into neutral terms; all of it pure, so that a poller, a
/// test and a replay of captures read the same bytes the same way.
///
/// ```
/// opening ──▶ session ──▶ listRequests ──▶ fixtures
///                    └──▶ matchRequests ─▶ snapshot      (again and again; parts not asked for keep their reply)
/// ```
public protocol Adapter: Sendable {
    /// Whose dialect it is.
    var provider: Provider { get }

    /// What has to be asked before anything else: sign-in, tables; empty when there is nothing to open.
    ///
    /// - Parameter credentials: What the operator was given by the provider.
    /// - Returns: The requests, which may be sent at once.
    func opening(_ credentials: ProviderCredentials) -> [ProviderRequest]

    /// Reads what the opening brought.
    ///
    /// - Parameters:
    ///   - replies: The replies to `opening`; empty when there was nothing to open.
    ///   - credentials: What the operator was given by the provider.
    ///   - now: When the replies came; the end of a token is told from it.
    /// - Returns: What later requests and readings need.
    /// - Throws: `AdapterError`, which names the place in the reply.
    func session(
        _ replies: ProviderReplies,
        _ credentials: ProviderCredentials,
        at now: Instant
    ) throws(AdapterError) -> ProviderSession

    /// What to ask for the list of matches.
    ///
    /// Replies may name further pages: the poller sends what this returns for none, and then what it returns for what
    /// came, as long as there is a part that was not asked for.
    ///
    /// - Parameters:
    ///   - session: What the opening brought.
    ///   - now: The time around which matches are wanted.
    ///   - replies: The pages that have come; empty at first.
    /// - Returns: The requests; all their replies together are the list.
    func listRequests(
        _ session: ProviderSession,
        at now: Instant,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// Reads the list of matches that the provider has.
    ///
    /// - Parameters:
    ///   - replies: The replies to `listRequests`.
    ///   - session: What the opening brought.
    /// - Returns: The matches, each once, and what was left out.
    /// - Throws: `AdapterError`, which names the place in the reply, when a list is not of its form or nothing of it
    ///   can be read; nothing of a bad reply is used.
    func fixtures(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> FixtureListing

    /// What to ask for one match now; parts that are not asked for again keep their last reply.
    ///
    /// Replies may name further parts, as a page names the one before it. So the poller sends what this returns,
    /// merges what comes, and asks again as long as a part is named that it does not hold; `snapshot` throws
    /// `.missing` until all are there.
    ///
    /// - Parameters:
    ///   - id: The match as the provider names it.
    ///   - session: What the opening brought.
    ///   - replies: What is held of the match; empty at first.
    ///   - record: What is known of the match; empty before the first reply.
    /// - Returns: The requests: what is to be refreshed with each poll, and what is not held yet.
    func matchRequests(
        _ id: ProviderMatchID,
        _ session: ProviderSession,
        replies: ProviderReplies,
        record: MatchRecord
    ) -> [ProviderRequest]

    /// What to ask at once because the provider said that something has changed.
    ///
    /// - Parameters:
    ///   - notice: What the provider said.
    ///   - session: What the opening brought.
    ///   - replies: What is held of the match.
    /// - Returns: The requests; by default those of a poll.
    func requests(
        after notice: ProviderNotice,
        _ session: ProviderSession,
        replies: ProviderReplies
    ) -> [ProviderRequest]

    /// What to send once for a match in play so that the provider tells of it by webhook.
    ///
    /// - Parameters:
    ///   - id: The match as the provider names it.
    ///   - session: What the opening brought.
    /// - Returns: The request, which may be repeated without harm; nil by default: nobody has to ask.
    func subscription(to id: ProviderMatchID, _ session: ProviderSession) -> ProviderRequest?

    /// Reads the answer to `subscription`.
    ///
    /// - Parameter replies: The answer alone.
    /// - Throws: `AdapterError.refused` when it says that nothing will be told; by default any answer will do.
    func subscribed(_ replies: ProviderReplies) throws(AdapterError)

    /// Reads the whole picture of one match.
    ///
    /// - Parameters:
    ///   - replies: The last reply of each part.
    ///   - session: What the opening brought.
    /// - Returns: The match so far.
    /// - Throws: `AdapterError`, which names the place in the reply; nothing of a bad reply is used.
    func snapshot(_ replies: ProviderReplies, _ session: ProviderSession) throws(AdapterError) -> MatchSnapshot

    /// What the replies tell of the plan's use, where the provider counts for its clients.
    ///
    /// - Parameter replies: Replies that have just come.
    /// - Returns: The highest count among them; nil by default.
    func allowance(_ replies: ProviderReplies) -> RequestAllowance?
}
