// A poller requests replies; the owner of the match decides about them.

public import MatchEngine
public import MatchJournal
public import ScoreTypes

/// The outcome of a reply that was handed over.
public struct ReplyResult: Sendable, Hashable {
    /// The fate of the reply.
    public let acceptance: Acceptance
    /// Real time until another answer confirms a pending alert; nil when none does.
    public internal(set) var look: Duration?
}

/// Takes the reports of one feed about one match.
public protocol ReplySink: Sendable {
    /// Takes a snapshot of the match.
    ///
    /// - Throws: When it could not be written; it then counts as not seen.
    func accept(_ reply: SeenReply) async throws -> ReplyResult

    /// Takes note that the feed has answered without news; returns the real time until another answer confirms a
    /// pending alert, nil when none does.
    ///
    /// - Throws: When it could not be noted.
    func unchanged(seenAt: Instant, source: JournalSource) async throws -> Duration?

    /// Does what time has made due: confirmations, keep-alives, ends of overrides.
    ///
    /// - Parameter nextPollIn: Real time until the feed is polled about the match again, after an answer; nil when that
    ///   has not changed.
    /// - Returns: Real time until the next call is of use; nil when only a reply can change something.
    /// - Throws: When it could not be written.
    func tick(nextPollIn: Duration?) async throws -> Duration?

    /// Takes the entry of a feed's list about a match that has not begun.
    ///
    /// - Throws: When it could not be written.
    func announce(_ fixture: Fixture, source: JournalSource) async throws

    /// Whether play has begun and is not over by the reports of the feed; false for a match that is not known.
    ///
    /// - Throws: When it could not be read.
    func isInPlay() async throws -> Bool

    /// Takes note that the provider does not know the match any more.
    ///
    /// - Throws: When it could not be written.
    func removed() async throws

    /// The feed is not polled about the match any more.
    func close() async
}

extension ReplySink {
    /// Nothing to release.
    public func close() async {}
}
