// A benchmark of the fan-out needs a million tokens in an arena, and no database.

public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// Fills the owned buckets of a match with tokens of the caller, and opens them.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - next: Passes one entry to `put` and returns true; returns false at the end. The memory of a token is read
    ///     only during the call of `put`.
    public func fill(_ match: MatchID, _ next: (_ put: (ArenaEntry) -> Void) -> Bool) {
        let gap = registry.withLock { $0.open(match) }
        while next({ entry in _ = gap.arena[Bucket(of: entry.activity.device)].put(entry) }) {}
        registry.withLock { $0.open(gap) }
    }
}
