// A poller knows how to ask; what becomes of the answers is the matter of whoever writes the match.

public import MatchEngine
public import MatchJournal
public import ScoreTypes

/// Takes what one feed says about one match.
public protocol ReplySink: Sendable {
    /// Takes a whole picture of the match.
    ///
    /// - Parameter reply: The picture and whose it is.
    /// - Returns: What became of it.
    /// - Throws: When it could not be written; it then counts as not seen.
    func accept(_ reply: SeenReply) async throws -> Acceptance

    /// Takes note that a feed has answered and that nothing had changed.
    ///
    /// - Parameters:
    ///   - seenAt: When it had answered.
    ///   - source: Whose answer it was.
    /// - Throws: When it could not be noted.
    func unchanged(seenAt: Instant, source: JournalSource?) async throws

    /// Does what time brings: confirmations, keep-alive.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply can bring something.
    func tick() async throws -> Duration?

    /// Whether a moment waits that another answer would settle.
    ///
    /// One that only time confirms may have been corrected since.
    func wantsLook() async -> Bool

    /// Takes what a list of matches says about one that has not begun.
    ///
    /// - Parameters:
    ///   - fixture: The entry of the list.
    ///   - source: Whose list it is.
    /// - Throws: When it could not be written.
    func announce(_ fixture: Fixture, source: JournalSource) async throws

    /// The match as it is known, for an adapter that asks for what is missing.
    func known() async throws -> MatchRecord

    /// Takes note that the provider does not know the match any more.
    func removed() async throws

    /// Takes note of when the feed is asked about the match again, after it has answered.
    ///
    /// - Parameter interval: Real time until then.
    func asksAgain(in interval: Duration) async

    /// Takes note that the feed is not asked about the match any more.
    func close() async
}

extension ReplySink {
    /// Nothing waits.
    public func wantsLook() async -> Bool { false }

    /// Nobody else waits for the feed.
    public func asksAgain(in interval: Duration) async {}

    /// Nothing to let go of.
    public func close() async {}
}
