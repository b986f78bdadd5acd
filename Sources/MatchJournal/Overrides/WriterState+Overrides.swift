// Overrides replace the feed's values, and their end restores them; both are decided on values.

internal import MatchEngine
internal import ScoreTypes

extension WriterState {
    /// The frame with the feed's values; nil for a match without a report of a feed.
    var feedFrame: SnapshotFrame? {
        guard var frame = SnapshotFrame(replica.record) else { return nil }
        for value in feedValues.values { frame.take(value) }
        return frame
    }

    /// Remembers the feed's values of overridden fields.
    mutating func rememberFeed(_ feed: SnapshotFrame) {
        for override in overrides { feedValues[override.value.field] = OverriddenValue(of: override.value, in: feed) }
    }

    /// Takes over the stored overrides; a feed's value in memory is newer than the stored one.
    ///
    /// An override whose row is gone has ended.
    mutating func take(_ stored: [StoredOverride]) {
        let fields = Set(stored.map(\.override.value.field))
        var vanished = overrides.filter { !fields.contains($0.value.field) }
        for index in vanished.indices { vanished[index].expiresAt = Instant(milliseconds: 0) }
        overrides = stored.map(\.override) + vanished
        for found in stored where feedValues[found.override.value.field] == nil {
            feedValues[found.override.value.field] = found.feedValue
        }
    }

    /// Forgets expired overrides that are undone.
    mutating func forget(_ fields: [String]) {
        overrides.removeAll { fields.contains($0.value.field) }
        for field in fields { feedValues[field] = nil }
    }

    /// The decision about overrides and their ends; nil when they change nothing.
    func overridden(at wall: Instant, now: Duration) -> Decision? {
        guard !overrides.isEmpty, let feed = feedFrame else { return nil }
        let changes = feed.with(overrides, at: wall).changes(from: replica.record)
        guard !changes.isEmpty else { return nil }
        let occasion = Occasion(kind: .report, changes: changes, at: wall, source: .operator)
        var decision = decide(on: occasion, now: now)
        decision.after.rememberFeed(feed)
        return decision
    }

    /// The end of a match in play that its provider does not know any more, below its overrides.
    ///
    /// - Returns: nil when the feed does not have the match in play.
    func dropped(at wall: Instant, now: Duration) -> Decision? {
        guard var frame = feedFrame, frame.status.isInPlay(hasBalls: !record.deliveries.isEmpty) else { return nil }
        frame.status = StatusReport(status: .abandoned)
        let changes = frame.with(overrides, at: wall).changes(from: replica.record)
        guard !changes.isEmpty else {
            var after = self
            after.rememberFeed(frame)
            return Decision(after: after)
        }
        var state = self
        state.isRemoved = true
        var decision = state.decide(on: Occasion(kind: .report, changes: changes, at: wall), now: now)
        decision.after.rememberFeed(frame)
        return decision
    }
}
