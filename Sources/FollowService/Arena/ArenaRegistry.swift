// Which tokens this node holds: the open matches times the owned buckets.

internal import ScoreTypes

/// What is held, what is being built, and what must not come back.
struct ArenaRegistry {
    /// Buckets of matches that are to be read from the table.
    struct Gap {
        let match: MatchID
        let arena: MatchArena
        /// In the order of the buckets, with the number of the build that begins with this.
        let parts: [(bucket: Bucket, build: Int)]

        var buckets: [Bucket] { parts.map(\.bucket) }
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

    /// Lets walkers into what was built, as far as it is still wanted and was not emptied meanwhile.
    func open(_ built: Gap) {
        for (bucket, build) in built.parts where wants(built, bucket) { built.arena[bucket].open(build) }
    }

    /// What of a built gap is wanted and was emptied while it was built; nil when nothing is.
    func gap(in built: Gap) -> Gap? {
        let missing = built.buckets.filter { wants(built, $0) && !built.arena[$0].isOpen }
        return missing.isEmpty ? nil : gap(built.match, built.arena, missing)
    }

    private func wants(_ built: Gap, _ bucket: Bucket) -> Bool {
        matches[built.match] === built.arena && owned.contains(bucket)
    }

    private func gap(_ match: MatchID, _ arena: MatchArena) -> Gap {
        gap(match, arena, owned.filter { !arena[$0].isOpen }.sorted())
    }

    private func gap(_ match: MatchID, _ arena: MatchArena, _ buckets: [Bucket]) -> Gap {
        Gap(match: match, arena: arena, parts: buckets.map { ($0, arena[$0].reset()) })
    }

    /// Remembers a token that was removed here and not yet in the table.
    mutating func noteEvicted(_ eviction: RejectedToken) {
        let key = DeviceMatchKey(match: eviction.match, device: eviction.device)
        evicted[key] = max(evicted[key] ?? 0, eviction.generation)
    }

    /// Forgets it once the table agrees.
    mutating func forgetEvicted(_ eviction: RejectedToken) {
        let key = DeviceMatchKey(match: eviction.match, device: eviction.device)
        if evicted[key] == eviction.generation { evicted[key] = nil }
    }

    /// Whether a row of the table is one that APNs has refused already.
    func isEvicted(_ key: DeviceMatchKey, generation: Int32) -> Bool {
        evicted[key].map { generation <= $0 } ?? false
    }
}
