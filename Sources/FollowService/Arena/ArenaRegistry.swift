// A node holds the tokens of open matches in its buckets.

internal import ScoreTypes

/// The arenas of open matches, the owned buckets, and the evictions that are not in the table yet.
struct ArenaRegistry {
    /// Buckets of matches that are to be read from the table.
    struct Gap {
        let match: MatchID
        let arena: MatchArena
        /// In the order of the buckets, with the number of the build that begins.
        let parts: [(bucket: Bucket, build: Int)]

        var buckets: [Bucket] { parts.map(\.bucket) }
    }

    private(set) var matches: [MatchID: MatchArena] = [:]
    private(set) var owned: Set<Bucket> = []
    private var evicted: [DeviceMatchKey: Int32] = [:]

    /// Adds a match; returns the buckets to build.
    mutating func open(_ match: MatchID) -> Gap {
        let arena = matches[match] ?? MatchArena()
        matches[match] = arena
        return gap(match, arena)
    }

    mutating func close(_ match: MatchID) { matches[match] = nil }

    /// Owns exactly these buckets; returns those of open matches to build.
    mutating func own(_ buckets: [Bucket]) -> [Gap] {
        for lost in owned.subtracting(buckets) {
            for arena in matches.values { arena.empty(lost) }
        }
        owned = Set(buckets)
        return gaps()
    }

    /// The buckets of open matches that are to be built.
    func gaps() -> [Gap] { matches.map { gap($0.key, $0.value) } }

    /// Drops all tokens; open matches and owned buckets stay.
    mutating func empty() {
        for arena in matches.values { owned.forEach { arena.empty($0) } }
    }

    /// Opens the built buckets that are still wanted and were not emptied meanwhile.
    func open(_ built: Gap) {
        for (bucket, build) in built.parts where wants(built, bucket) { built.arena.open(bucket, build) }
    }

    /// The buckets of a built gap that are wanted and were emptied during the build; nil for none.
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
        Gap(match: match, arena: arena, parts: buckets.map { ($0, arena.empty($0)) })
    }

    /// Records a token that was removed here and not yet in the table.
    mutating func noteEvicted(_ eviction: RejectedToken) {
        let key = DeviceMatchKey(match: eviction.match, device: eviction.device)
        evicted[key] = max(evicted[key] ?? 0, eviction.generation)
    }

    /// Removes the record once the table has the eviction.
    mutating func forgetEvicted(_ eviction: RejectedToken) {
        let key = DeviceMatchKey(match: eviction.match, device: eviction.device)
        if evicted[key] == eviction.generation { evicted[key] = nil }
    }

    /// Whether APNs has rejected the token of a row.
    func isEvicted(_ key: DeviceMatchKey, generation: Int32) -> Bool {
        evicted[key].map { generation <= $0 } ?? false
    }
}
