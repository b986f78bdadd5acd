// Most tests need a snapshot alone, whatever its source.

public import MatchEngine
public import MatchJournal
public import ScoreTypes

extension MatchWriter {
    /// Accepts a snapshot of the writer's feed.
    ///
    /// - Throws: `JournalError`.
    public func accept(_ snapshot: MatchSnapshot, seenAt: Instant) async throws(JournalError) -> Acceptance {
        try await accept(SeenReply(snapshot, seenAt: seenAt, source: JournalSource(.cricsheet, feed)))
    }

    /// Records that the writer's feed has nothing new.
    ///
    /// - Throws: `JournalError`.
    public func unchanged(seenAt: Instant) async throws(JournalError) {
        try await unchanged(seenAt: seenAt, source: JournalSource(.cricsheet, feed))
    }
}
