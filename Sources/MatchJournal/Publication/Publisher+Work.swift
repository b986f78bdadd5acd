// Each match has at most one worker: it reads, renders, hands over, and starts again if it was woken meanwhile.

internal import Logging
internal import MatchEngine
internal import ScoreTypes

extension Publisher {
    /// Whether a match needs a worker; one that has a worker is looked at once more by it.
    func begin(_ match: MatchID) -> Bool {
        guard busy.updateValue(true, forKey: match) == nil else { return false }
        busy[match] = false
        return true
    }

    /// Publishes a match until nothing is new.
    func work(on match: MatchID) async {
        repeat {
            busy[match] = false
            // The poll wakes the match again.
            if let setback = setbacks[match], clock.monotonic < setback.until { break }
            do {
                try await advance(match)
                setbacks[match] = nil
                unrecovered?.remove(match)
            } catch {
                setbacks[match] = PublicationRetry(after: setbacks[match], now: clock.monotonic)
                metrics.failed()
                log.warning("match not published", metadata: ["match.id": "\(match)", "error": "\(error)"])
            }
        } while busy[match] == true && !Task.isCancelled
        busy[match] = nil
    }

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
        setbacks = setbacks.filter { alive.contains($0.key) }
        let remembered = Set(cache.known).union(conditions.keys).union(resting.keys)
        for match in remembered where !alive.contains(match) && busy[match] == nil {
            resting[match] = nil
            conditions[match] = nil
            cache.set(nil, of: match)
        }
        for head in heads where MatchCondition(head) != conditions[head.match] ?? MatchCondition() { wake(head.match) }
        for head in heads where head.heldReason == nil {
            guard head.revision.number > cache.current(head.match)?.revision.number ?? 0 else { continue }
            if !isFirst && busy[head.match] == nil && setbacks[head.match] == nil { metrics.caughtUp() }
            wake(head.match)
        }
    }

    private func advance(_ match: MatchID) async throws(JournalError) {
        guard let before = try await journal.head(of: match) else { return }
        var live = resting.removeValue(forKey: match) ?? LiveMatch(match, clock: clock, options: cache.options)
        defer { resting[match] = live }
        await reportCondition(before)
        if before.heldReason != nil { live.wasHeld = true }
        guard before.heldReason == nil, before.revision.number > live.published else { return }
        let wait = live.pace.wait(now: clock.monotonic)
        if wait > .zero { try? await Task.sleep(for: wait) }
        if Task.isCancelled { return }
        // Read again: newer rows are merged, and an operator may have held the match.
        guard let head = wait > .zero ? try await journal.head(of: match) : before, head.heldReason == nil else {
            return
        }
        try await journal.advance(&live)
        guard let publication = cache.renderer.render(live, head: head) else { return }
        let isOld = live.published == 0 && !live.wasHeld
        let isLongOver = isOld && head.overFor.map { $0 >= JournalLimits.recoveryAfterEnd } == true
        live.close(with: publication)
        live.pace.spend(now: clock.monotonic)
        cache.set(publication, of: match)
        if isLongOver { return }
        metrics.gaveOut(publication, at: clock.wall)
        await outlet(publication)
    }

    /// Reports once what has changed about a match beside its content.
    private func reportCondition(_ head: JournalHead) async {
        let condition = MatchCondition(head)
        guard condition != conditions[head.match] ?? MatchCondition() else { return }
        if await conditionChanged(head) { conditions[head.match] = condition }
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

extension Journal {
    /// Reads the rows and entries of a match, up to its newest publication, or the newest up to a revision.
    func advance(_ live: inout LiveMatch, through last: Int64 = .max) async throws(JournalError) {
        live.take(try await publications(of: live.match, after: live.known, through: last))
        guard let end = live.rows.last?.revision else { return }
        var notes: [JournalEntry] = []
        defer { for entry in notes { live.note(entry) } }
        try await follow(live.match, with: &live.replica, from: &live.applied, through: end) { entry in
            switch entry.change {
            case .confirmed, .status: notes.append(entry)
            default: break
            }
        }
    }
}

extension PublicationRenderer {
    /// Renders the unsent rows of a match.
    func render(_ live: LiveMatch, head: JournalHead) -> Publication? {
        PublicationBatch(live.rows, confirmed: live.confirmed, now: head.readAt).flatMap { batch in
            render(
                batch,
                of: live.replica,
                match: live.match,
                epoch: head.revision.epoch,
                dayEndedAt: live.dayEndedAt,
                recent: live.alerts
            )
        }
    }
}
