// A poller knows how to ask; what becomes of the answers is the matter of whoever writes the match.

public import MatchEngine
public import ScoreTypes

/// Takes the replies about one match.
public protocol ReplySink: Sendable {
    /// Takes a whole picture of the match.
    ///
    /// - Parameters:
    ///   - snapshot: The picture.
    ///   - seenAt: When the reply had been read.
    /// - Returns: What became of it.
    /// - Throws: When it could not be written; it then counts as not seen.
    func accept(_ snapshot: MatchSnapshot, seenAt: Instant) async throws -> Acceptance

    /// Takes note that the provider has answered and that nothing had changed.
    func unchanged(seenAt: Instant) async throws

    /// Does what time brings: confirmations, keep-alive.
    ///
    /// - Returns: Real time until the next call is of use; nil when only a reply can bring something.
    func tick() async throws -> Duration?
}
