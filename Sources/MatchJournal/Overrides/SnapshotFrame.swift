// Overrides concern everything of a snapshot except its balls, which are large: this value leaves the balls out.

internal import MatchEngine
internal import ScoreTypes

/// A snapshot without its balls.
struct SnapshotFrame: Sendable, Hashable {
    var info: MatchInfo
    var innings: [InningsInfo]
    var status: StatusReport
    var result: ProviderResult?

    init(_ snapshot: MatchSnapshot) {
        info = snapshot.info
        innings = snapshot.innings
        status = snapshot.status
        result = snapshot.result
    }

    /// nil for a match without a report of a feed.
    init?(_ record: MatchRecord) {
        guard let info = record.info else { return nil }
        self.info = info
        innings = record.innings
        status = record.status
        result = record.result
    }

    /// The frame with the overrides that have not expired.
    func with(_ overrides: [MatchOverride], at now: Instant) -> SnapshotFrame {
        var frame = self
        for override in overrides where override.expiresAt > now { frame.take(override.value) }
        return frame
    }

    private mutating func take(_ value: OverrideValue) {
        switch value {
        case .status(let word, let note):
            if status.status != word { status.since = nil }
            (status.status, status.note, status.isUnknown) = (word, note, false)
        case .target(let ordinal, let target):
            guard let index = innings.firstIndex(where: { $0.ordinal == ordinal }) else { return }
            innings[index].target = target
        case .result(let said): result = said
        case .startsAt(let seconds): info.startsAt = seconds
        }
    }

    /// The changes from a record to this frame; the balls stay.
    func changes(from record: MatchRecord) -> [Change] {
        let target = MatchSnapshot(
            info: info,
            innings: innings,
            deliveries: record.deliveries,
            status: status,
            result: result
        )
        return Differ.changes(from: record, to: target)
    }
}

extension MatchSnapshot {
    /// The snapshot with the overrides that have not expired.
    func with(_ overrides: [MatchOverride], at now: Instant) -> MatchSnapshot {
        guard overrides.contains(where: { $0.expiresAt > now }) else { return self }
        let frame = SnapshotFrame(self).with(overrides, at: now)
        var snapshot = self
        snapshot.info = frame.info
        snapshot.innings = frame.innings
        snapshot.status = frame.status
        snapshot.result = frame.result
        return snapshot
    }
}
