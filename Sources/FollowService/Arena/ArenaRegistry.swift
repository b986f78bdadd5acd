// Which tokens this node holds: the open matches times the owned buckets.

internal import ScoreTypes

/// What is held, what is being built, and what must not come back.
struct ArenaRegistry {
    /// Buckets of matches that are to be read from the table.
    struct Gap {
        let match: MatchID
        let arena: MatchArena
        let buckets: [Bucket]
    }

    private(set) var matches: [MatchID: MatchArena] = [:]
    private(set) var owned: Set<Bucket> = []
    private var evicted: [DeviceMatchKey: Int32] = [:]

    /// Adds a match; what of it is to be built.
    mutating func open(_ match: MatchID) -> Gap {
        let arena = matches[match] ?? MatchArena()
        matches[match] = arena
        return gap(match, arena)
    }

    mutating func close(_ match: MatchID) { matches[match] = nil }

    /// Takes over exactly these buckets; what of the open matches is to be built.
    mutating func own(_ buckets: [Bucket]) -> [Gap] {
        for lost in owned.subtracting(buckets) {
            for arena in matches.values { arena[lost].reset() }
        }
        owned = Set(buckets)
        return gaps()
    }

    /// What of the open matches is to be built.
    func gaps() -> [Gap] { matches.map { gap($0.key, $0.value) } }

    /// Drops all tokens, which are no longer known to be true, and nothing of what is to be held.
    mutating func empty() {
        for arena in matches.values { owned.forEach { arena[$0].reset() } }
    }

    /// Whether a built gap is still wanted.
    func wants(_ match: MatchID, _ arena: MatchArena, _ bucket: Bucket) -> Bool {
        matches[match] === arena && owned.contains(bucket)
    }

    private func gap(_ match: MatchID, _ arena: MatchArena) -> Gap {
        Gap(match: match, arena: arena, buckets: owned.filter { !arena[$0].isOpen }.sorted())
    }

    /// Remembers a token that was removed here and not yet in the table.
    mutating func noteEvicted(_ eviction: Eviction) {
        let key = DeviceMatchKey(match: eviction.match, device: eviction.device)
        evicted[key] = max(evicted[key] ?? 0, eviction.generation)
    }

    /// Forgets it once the table agrees.
    mutating func forgetEvicted(_ eviction: Eviction) {
        let key = DeviceMatchKey(match: eviction.match, device: eviction.device)
        if evicted[key] == eviction.generation { evicted[key] = nil }
    }

    /// Whether a row of the table is one that APNs has refused already.
    func isEvicted(_ key: DeviceMatchKey, generation: Int32) -> Bool {
        evicted[key].map { generation <= $0 } ?? false
    }
}
