// What a sender asks of the arenas: parts, slices, single tokens; and what it tells them: dead tokens.

internal import Logging
internal import Postgres
public import ScoreTypes
internal import Synchronization

extension ArenaIndex {
    /// The owned buckets of a match whose tokens are complete, in order; empty when the match is not open.
    public func buckets(of match: MatchID) -> [Bucket] {
        arena(of: match)?.open.map(\.bucket) ?? []
    }

    /// Hands at most 256 entries below the cursor to the body.
    ///
    /// Begin with `.start`, go on with the answer, stop at the end. Going backwards, what is removed meanwhile can make
    /// an entry appear twice, never be skipped; what is added meanwhile is reported as a late token.
    ///
    /// - Returns: The next cursor; nil when the tokens are not held, or no longer those that the walk began with: then
    ///   nothing is known of those that the walk has not seen.
    public func slice(
        match: MatchID,
        bucket: Bucket,
        before cursor: WalkCursor = .start,
        max: Int = ArenaSlice.countMax,
        _ body: (ArenaSlice) -> Void
    ) -> WalkCursor? {
        guard let (slice, next) = arena(of: match)?[bucket].slice(before: cursor, max: max) else { return nil }
        if let slice { body(slice) }
        return next
    }

    /// A device's token, if this very registration is still the newest.
    public func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? {
        arena(of: match)?[Bucket(of: device)].token(of: device, generation: generation)
    }

    /// Activities of a match that began before an instant, for renewal before ActivityKit's eight hours are over.
    public func aged(before instant: Instant, in match: MatchID) -> [HeldActivity] {
        guard let arena = arena(of: match) else { return [] }
        var found: [HeldActivity] = []
        for (bucket, _) in arena.open {
            var cursor = WalkCursor.start
            while !cursor.isAtEnd, let (slice, next) = arena[bucket].slice(before: cursor, max: ArenaSlice.countMax) {
                slice?.forEach { entry in
                    guard Int64(entry.startedAt) < instant.seconds else { return }
                    found.append(HeldActivity(entry))
                }
                cursor = next
            }
        }
        return found
    }

    /// A device's registration as it is now, as one that shows nothing yet.
    ///
    /// - Parameters:
    ///   - match: The match.
    ///   - device: The device.
    /// - Returns: The registration; nil when the arena has none.
    public func newest(of match: MatchID, device: DeviceID) -> LateToken? {
        activity(match: match, device: device).map { activity in
            LateToken(
                match: match,
                device: device,
                generation: activity.generation,
                environment: activity.environment,
                variant: activity.variant
            )
        }
    }

    /// The activity that a device shows now; nil when the arena has none.
    public func activity(match: MatchID, device: DeviceID) -> HeldActivity? {
        arena(of: match)?[Bucket(of: device)].activity(of: device)
    }

    /// What an operator sees.
    public var status: ArenaStatus {
        var status = ArenaStatus()
        let arenas = registry.withLock { Array($0.matches.values) }
        status.matchCount = arenas.count
        for arena in arenas {
            for bucket in Bucket.all {
                status.tokenCount += arena[bucket].count
                status.byteCount += arena[bucket].byteCount
            }
        }
        (status.evictionsWaiting, status.evictionsDropped) = evictions.withLock { ($0.waiting.count, $0.droppedCount) }
        status.lag = tail.withLock { $0.lag(at: clock.monotonic) }
        status.changesApplied = changesApplied.load(ordering: .relaxed)
        return status
    }

    private func arena(of match: MatchID) -> MatchArena? { registry.withLock { $0.matches[match] } }
}
