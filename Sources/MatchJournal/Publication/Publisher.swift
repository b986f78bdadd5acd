// Each node renders publications from the rows of the journal alone, so any of them can die.

internal import Logging
public import Postgres
public import ScoreTypes

/// Follows all live matches and gives their newest state to the outlet: one publisher a node.
///
/// The node's own writers and NOTIFY wake it; a poll finds what both have missed.
public actor Publisher {
    nonisolated let cache: PublicationCache
    private let outlet: @Sendable (Publication) async -> Void
    private let conditionChanged: @Sendable (JournalHead) async -> Bool
    private let deleted: @Sendable (MatchID) async -> Void
    let log = Logger(label: "score.publisher")
    let metrics = PublicationMetrics()
    private let info: ConnectionInfo
    private nonisolated let wakes: (stream: AsyncStream<MatchID>, continuation: AsyncStream<MatchID>.Continuation)
    /// Matches without a worker; a worker takes its match out, so that folding never copies it.
    var resting: [MatchID: LiveMatch] = [:]
    /// Matches with a worker, and whether they were woken since it began.
    var busy: [MatchID: Bool] = [:]
    /// Matches that could not be published, and when they are tried again.
    var setbacks: [MatchID: PublicationRetry] = [:]
    /// Whether the last look at all matches failed, so that an outage is logged once.
    var isBlind = false
    /// Matches whose feeds are silent, that are held, or that were removed, as last reported to `conditionChanged`.
    var conditions: [MatchID: MatchCondition] = [:]
    /// Matches that were in play at the start and have not been published since; nil before they are known.
    ///
    /// Each poll wakes them. A match that ended too long ago to be remembered is no longer one of them.
    var unrecovered: Set<MatchID>? {
        didSet { if unrecovered?.isEmpty == true { cache.recovered() } }
    }

    nonisolated var journal: Journal { cache.journal }
    nonisolated var clock: ServiceClock { cache.clock }

    /// Makes a publisher; nothing is published before `run`.
    ///
    /// - Parameters:
    ///   - cache: Receives each publication before the outlet does.
    ///   - info: Where to LISTEN.
    ///   - conditionChanged: Called when the feeds of a match fall silent or answer again, when it is held or released,
    ///     and when it is removed; false when the call has to be repeated.
    ///   - deleted: Called for a match that is not in the journal any more.
    ///   - outlet: Takes each publication; awaited, and while it lasts the match's newer states are merged.
    public init(
        _ cache: PublicationCache,
        info: ConnectionInfo,
        conditionChanged: @escaping @Sendable (JournalHead) async -> Bool = { _ in true },
        deleted: @escaping @Sendable (MatchID) async -> Void = { _ in },
        outlet: @escaping @Sendable (Publication) async -> Void
    ) {
        (self.cache, self.info, self.outlet) = (cache, info, outlet)
        (self.conditionChanged, self.deleted) = (conditionChanged, deleted)
        wakes = AsyncStream.makeStream(of: MatchID.self, bufferingPolicy: .bufferingNewest(JournalLimits.wakes))
    }

    /// Looks at a match at once; called by the writer of the same node after its commit.
    public nonisolated func wake(_ match: MatchID) { wakes.continuation.yield(match) }

    /// Publishes until cancelled; first the head of every match that is in play or has just ended (recovery).
    public func run() async {
        let listener = Listener(info, channels: ["publication"])
        await withDiscardingTaskGroup { group in
            group.addTask { await self.listen(to: listener) }
            group.addTask { await self.poll() }
            for await match in wakes.stream {
                guard begin(match) else { continue }
                group.addTask { await self.work(on: match) }
            }
            group.cancelAll()
        }
        listener.stop()
    }

    /// Whether a match needs a worker; one that has a worker is looked at once more by it.
    private func begin(_ match: MatchID) -> Bool {
        guard busy.updateValue(true, forKey: match) == nil else { return false }
        busy[match] = false
        return true
    }

    /// Publishes a match until nothing is new.
    private func work(on match: MatchID) async {
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

    /// Folds the new rows of a match, renders its head, and gives the publication to the outlet.
    private func advance(_ match: MatchID) async throws(JournalError) {
        guard let before = try await journal.head(of: match) else {
            await forget(match)
            return
        }
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
        guard var publication = cache.renderer.render(live, head: head) else { return }
        let isOld = live.published == 0 && !live.wasHeld
        let isLongOver = isOld && head.overFor.map { $0 >= JournalLimits.recoveryAfterEnd } == true
        let changes = live.changes
        live.close(with: publication)
        live.pace.spend(now: clock.monotonic)
        cache.set(publication, of: match)
        if isLongOver { return }
        metrics.gaveOut(publication, at: clock.wall)
        // Only the outlet gets them: the cache keeps a publication for as long as its match.
        publication.changes = changes
        await outlet(publication)
    }

    /// Drops a match whose rows were deleted.
    private func forget(_ match: MatchID) async {
        resting[match] = nil
        conditions[match] = nil
        cache.set(nil, of: match)
        await deleted(match)
    }

    /// Reports once what has changed about a match beside its content.
    private func reportCondition(_ head: JournalHead) async {
        let condition = MatchCondition(head)
        guard condition != conditions[head.match] ?? MatchCondition() else { return }
        if await conditionChanged(head) { conditions[head.match] = condition }
    }

    private func listen(to listener: Listener) async {
        for await notification in listener.notifications {
            switch notification {
            case .message(_, let payload): if let match = MatchID(payload) { wake(match) }
            // The poll finds whatever was missed meanwhile.
            case .reconnected: continue
            }
        }
    }
}
