// What one run of the sweep did, as operators and cron jobs read it.

/// The figures of one run.
public struct SweepSummary: Sendable, Hashable {
    /// The time that the run stands for.
    public var slot: String
    /// Activities looked at.
    public var scanned = 0
    /// Activities that were ended.
    public var changed = 0
    /// Activities that were left alone.
    public var skipped = 0
    /// Activities that could not be ended now.
    public var errors = 0
    /// How long it took.
    public var tookMilliseconds: Int64 = 0
    /// Whether more wait.
    public var hasMore = false
    /// Whether nothing was changed, on demand.
    public var isDryRun = false

    /// An empty summary.
    public init(slot: String) { self.slot = slot }
}
