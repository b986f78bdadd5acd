// The writer of a match stores the feed's values below its overrides, and deletes expired ones.

internal import MatchEngine
internal import ScoreTypes

extension MatchWriter {
    /// Reads the overrides again.
    func readOverrides(_ now: Duration) async throws(JournalError) {
        let stored = try await journal.storedOverrides(of: match)
        overridesReadAt = now
        guard var after = state else { return }
        after.take(stored)
        guard after.overrides != state?.overrides else { return }
        noteStateBefore()
        state = after
        note(now, clock.wall, .event(.overrides(after.overrides)))
    }

    /// Stores the feed's values of overridden fields.
    func keep(_ values: [String: OverriddenValue]) async throws(JournalError) {
        guard !values.isEmpty else { return }
        guard let fence = fence() else { throw .fenced }
        try await journal.keep(values, of: match, fence: fence)
    }

    /// Deletes expired overrides; the match has been written without them.
    func forgetEnded(at wall: Instant, _ now: Duration) async throws(JournalError) {
        let fields = (state?.overrides ?? []).filter { $0.expiresAt <= wall }.map(\.value.field)
        guard !fields.isEmpty else { return }
        guard let fence = fence() else { throw .fenced }
        try await journal.forgetOverrides(fields, of: match, at: wall, fence: fence)
        guard var after = state else { return }
        noteStateBefore()
        after.forget(fields)
        state = after
        note(now, wall, .event(.overrides(after.overrides)))
    }
}
