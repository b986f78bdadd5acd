// The dispatcher reads slices and single tokens from the arenas, and reports rejected tokens.

internal import Logging
internal import Postgres
public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// The owned buckets of a match whose tokens are complete, in order; empty when the match is not open.
    public func buckets(of match: MatchID) -> [Bucket] { arena(of: match)?.openBuckets ?? [] }

    /// Passes at most 256 entries below the cursor to the body; only those of an environment, unless it is nil.
    ///
    /// Begin with `.start` and continue with the returned cursor until it is at the end. The walk goes backwards: a
    /// concurrent removal may repeat an entry but never skips one. An entry added meanwhile becomes a late token.
    ///
    /// - Returns: The next cursor; nil when the tokens are not held, or were built again since the walk began. Then the
    ///   walk is incomplete.
    public func slice(
        match: MatchID,
        bucket: Bucket,
        before cursor: WalkCursor = .start,
        of environment: PushEnvironment? = nil,
        max: Int = FollowLimits.entriesPerSlice,
        _ body: (ArenaSlice) -> Void
    ) -> WalkCursor? {
        guard let (slice, next) = arena(of: match)?[bucket].slice(before: cursor, max: max, of: environment)
        else { return nil }
        if let slice { body(slice) }
        return next
    }

    /// A device's token; nil when another registration is the newest.
    public func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        arena(of: match)?[Bucket(of: device)].token(of: device, generation: generation)
    }

    /// Activities of a match that began before an instant, for renewal before ActivityKit's eight hours are over.
    public func aged(before instant: Instant, in match: MatchID) -> [HeldActivity] {
        guard let arena = arena(of: match) else { return [] }
        var found: [HeldActivity] = []
        for bucket in arena.openBuckets {
            var cursor = WalkCursor.start
            let most = FollowLimits.entriesPerSlice
            while !cursor.isAtEnd, let (slice, next) = arena[bucket].slice(before: cursor, max: most) {
                slice?.forEach { entry in
                    if Int64(entry.activity.startedAt) < instant.seconds { found.append(entry.activity) }
                }
                cursor = next
            }
        }
        return found
    }

    /// A device's newest registration, as one that shows no revision yet; nil when the arena has none.
    public func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        activity(match: match, device: device).map { LateToken(match, $0) }
    }

    /// The activity that a device shows now; nil when the arena has none.
    public func activity(match: MatchID, device: DeviceID) -> HeldActivity? {
        arena(of: match)?[Bucket(of: device)].activity(of: device)
    }

    /// The state of the arenas, for operators.
    public var status: ArenaStatus {
        var status = ArenaStatus()
        let arenas = registry.withLock { Array($0.matches.values) }
        status.matchCount = arenas.count
        for arena in arenas {
            status.tokenCount += arena.totals.tokenCount
            status.byteCount += arena.totals.byteCount
        }
        status.evictionsWaiting = evictions.withLock { $0.waiting.count }
        status.lag = tail.withLock { $0.lag(at: clock.monotonic) }
        status.changesApplied = changesApplied.load(ordering: .relaxed)
        return status
    }

    private func arena(of match: MatchID) -> MatchArena? { registry.withLock { $0.matches[match] } }
}
