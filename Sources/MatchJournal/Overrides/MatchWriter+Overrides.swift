// Who writes a match also keeps what an operator's word hides, and clears away what has ended.

internal import MatchEngine
internal import ScoreTypes

extension MatchWriter {
    /// Reads again what operators say.
    func readOverrides(_ now: Duration) async throws(JournalError) {
        let stored = try await journal.storedOverrides(of: match)
        overridesReadAt = now
        guard var after = state else { return }
        after.take(stored)
        guard after.overrides != state?.overrides else { return }
        noteStanding()
        state = after
        note(now, clock.wall, .event(.overrides(after.overrides)))
    }

    /// Keeps what the feed says below an operator's word.
    func keep(_ words: [String: FeedWord]) async throws(JournalError) {
        guard !words.isEmpty else { return }
        guard let fence = fence() else { throw .fenced }
        try await journal.keep(words, of: match, fence: fence)
    }

    /// Forgets what has ended: the match has been written without it.
    func forgetEnded(at wall: Instant, _ now: Duration) async throws(JournalError) {
        guard let fields = state?.endedFields(at: wall), !fields.isEmpty else { return }
        guard let fence = fence() else { throw .fenced }
        try await journal.forgetOverrides(fields, of: match, at: wall, fence: fence)
        guard var after = state else { return }
        noteStanding()
        after.forget(fields)
        state = after
        note(now, wall, .event(.overrides(after.overrides)))
    }
}
