// A measurement of the fan-out needs a million tokens in the true arena and no database behind it.

public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// Holds tokens that no table has, in all owned buckets of a match, which can be walked afterwards.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - next: Hands over one entry after the other; returns false at the end. The memory of a token is read during
    ///     the inner call only.
    public func fill(_ match: MatchID, _ next: (_ put: (ArenaEntry) -> Void) -> Bool) {
        let gap = registry.withLock { $0.open(match) }
        while next({ entry in _ = gap.arena[Bucket(of: entry.device)].put(entry) }) {}
        registry.withLock { $0.open(gap) }
    }
}
