// A notification can be lost, so the rows of all matches are read at intervals.

internal import Logging
internal import ScoreTypes

extension Publisher {
    /// Wakes matches whose notifications were lost, and forgets matches that ended long ago.
    func poll() async {
        while !Task.isCancelled {
            do {
                try await look()
                isBlind = false
            } catch {
                if !isBlind { log.warning("match rows not read", metadata: ["error": "\(error)"]) }
                isBlind = true
            }
            try? await Task.sleep(for: JournalLimits.pollInterval)
        }
    }

    private func look() async throws(JournalError) {
        let heads = try await journal.heads(overWithin: JournalLimits.memoryAfterEnd)
        let alive = Set(heads.map(\.match))
        let isFirst = unrecovered == nil
        // A held match is recovered when it is released.
        if isFirst { unrecovered = Set(heads.filter { $0.heldReason == nil }.map(\.match)) }
        unrecovered?.formIntersection(alive)
        setbacks = setbacks.filter { alive.contains($0.key) }
        let remembered = Set(cache.known).union(conditions.keys).union(resting.keys)
        for match in remembered where !alive.contains(match) && busy[match] == nil {
            resting[match] = nil
            conditions[match] = nil
            cache.set(nil, of: match)
        }
        // A match that was published before the first poll has nothing new, and its worker has still to confirm that.
        var woken = unrecovered ?? []
        for head in heads {
            if MatchCondition(head) != conditions[head.match] ?? MatchCondition() { woken.insert(head.match) }
            guard head.heldReason == nil, head.revision.number > cache.current(head.match)?.revision.number ?? 0 else {
                continue
            }
            if !isFirst && busy[head.match] == nil && setbacks[head.match] == nil { metrics.caughtUp() }
            woken.insert(head.match)
        }
        for match in woken { wake(match) }
    }
}

/// The condition of a match beside its content.
struct MatchCondition: Sendable, Hashable {
    var silentSince: Instant?
    var isRemoved = false
    var heldReason: String?

    init() {}

    init(_ head: JournalHead) {
        silentSince = head.silentSince
        isRemoved = head.isRemoved
        heldReason = head.heldReason
    }
}
