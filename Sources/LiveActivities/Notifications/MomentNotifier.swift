// Followers without an activity, or with their own choice, are notified once of each moment, also after a restart.

internal import FollowService
internal import Logging
internal import MatchEngine
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes
internal import Synchronization

/// Sends the moments of publications to the followers who chose them, on the buckets of this node.
///
/// A bucket is recorded with the revision up to which its followers were notified. A moment counts by the revision that
/// confirmed it, not by that of the publication: a node that starts publishes the moments of the last minute again,
/// under the newer revision of the head.
actor MomentNotifier {
    let audience: AlertAudience
    let dispatcher: Dispatcher
    private let buckets: @Sendable () -> [Bucket]
    /// The node's term while it may send; nil otherwise.
    private let trustedTerm: @Sendable () -> Term?
    let clock: ServiceClock
    /// The app's settings for notifications.
    let form: NotificationForm
    /// Recipients of a page, and notifications without an answer.
    let bounds: (page: Int, underWay: Int)
    let log = Logger(label: "score.notifications")
    /// A notice that waits to be sent.
    private enum Order: Sendable {
        case alerts(MomentAnnouncement)
        case corrections(AlertCorrections)
    }

    /// One order that is being sent.
    struct OrderProgress: Sendable {
        /// Calls that send it, also while they wait.
        var callers = 0
        /// All calls so far: when there is another one, this node may own other buckets.
        var calls = 0
        /// The buckets in which it is being sent.
        var buckets: Set<Bucket> = []
        /// How often another node was found to own some of its buckets.
        var fences = 0
    }

    private nonisolated let waiting:
        (
            stream: AsyncStream<Order>, continuation: AsyncStream<Order>.Continuation
        )
    /// The announcements of the last minute, whose moments may be withdrawn.
    private nonisolated let recent = Mutex<[MomentAnnouncement]>([])
    /// When the node began to stop, in milliseconds of monotonic time; 0 while it runs.
    private nonisolated let stoppedAt = Atomic<Int64>(0)
    /// The newest announcement of each match while it is news, for buckets that this node takes over later.
    private(set) var newest: [MatchID: MomentAnnouncement] = [:]
    /// The newest corrections of each match while they are news, for the same buckets.
    private(set) var newestCorrections: [MatchID: AlertCorrections] = [:]
    /// Where the alerts of the last minutes went.
    private(set) var sent: [SentAlerts] = []
    /// The orders that are being sent.
    var underWay: [MomentAnnouncement.ID: OrderProgress] = [:]
    /// Pages of announcements that are being read: their notifications are not yet under way.
    var pagesAhead = 0

    init(
        audience: AlertAudience,
        dispatcher: Dispatcher,
        buckets: @escaping @Sendable () -> [Bucket],
        term: @escaping @Sendable () -> Term?,
        clock: ServiceClock,
        form: NotificationForm,
        bounds: (page: Int, underWay: Int) = (
            LiveActivityLimits.recipientsPerPage, LiveActivityLimits.notificationsUnderWay
        )
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.buckets = buckets
        trustedTerm = term
        self.clock = clock
        self.form = form
        self.bounds = bounds
        waiting = AsyncStream.makeStream(
            of: Order.self,
            bufferingPolicy: .bufferingNewest(LiveActivityLimits.announcementsWaiting)
        )
    }

    /// Queues corrections and moments of a publication, and withdraws moments that the match no longer has; returns at
    /// once.
    nonisolated func announce(_ publication: Publication) {
        withdrawMoments(of: publication.match, except: publication.state.moments)
        AlertCorrections.all(of: publication).forEach(correct)
        if let announcement = MomentAnnouncement(publication) { announce(announcement) }
    }

    nonisolated func correct(_ corrections: AlertCorrections) { waiting.continuation.yield(.corrections(corrections)) }

    nonisolated func announce(_ announcement: MomentAnnouncement) {
        recent.withLock { recent in
            recent.removeAll { !isNews($0.order) }
            recent.append(announcement)
        }
        waiting.continuation.yield(.alerts(announcement))
    }

    /// Sends no further notification of the moments that a match no longer has, and repeats none.
    nonisolated func withdrawMoments(of match: MatchID, except held: @autoclosure () -> [Moment]) {
        let moments = recent.withLock { recent in
            recent.filter { $0.match == match && isNews($0.order) }.flatMap(\.moments)
        }
        guard !moments.isEmpty else { return }
        let happened = Set(held().map(MomentIdentity.init))
        for withdrawn in moments where !happened.contains(MomentIdentity(withdrawn.moment)) {
            withdrawn.recall.withdraw()
        }
    }

    /// This node owns other buckets: it announces there what their last owner may not have announced.
    func bucketsChanged() {
        forgetOldOrders()
        for corrections in newestCorrections.values { waiting.continuation.yield(.corrections(corrections)) }
        for announcement in newest.values { waiting.continuation.yield(.alerts(announcement)) }
    }

    /// Sends until cancelled; then waits for open answers and records them, since a successor sends the rest.
    func run() async {
        // A task of its own: a cancelled one could neither wait for answers nor for the store.
        let work = Task { await self.work() }
        await withTaskCancellationHandler {
            await work.value
        } onCancel: {
            stoppedAt.store(max(1, clock.monotonic.milliseconds), ordering: .releasing)
            waiting.continuation.finish()
        }
    }

    private func work() async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            for await order in waiting.stream {
                if isStopping { break }
                remember(order)
                if underWay >= LiveActivityLimits.announcementsAtOnce { await group.next() } else { underWay += 1 }
                group.addTask { await self.sendUntilDone(order) }
            }
        }
    }

    /// Remembers an order for buckets that are taken over later, and no match that is old news.
    private func remember(_ order: Order) {
        switch order {
        case .alerts(let announcement):
            if announcement.revision >= newest[announcement.match]?.revision ?? 0 {
                newest[announcement.match] = announcement
            }
        case .corrections(let corrections):
            if corrections.revision >= newestCorrections[corrections.match]?.revision ?? 0 {
                newestCorrections[corrections.match] = corrections
            }
        }
        forgetOldOrders()
    }

    private func forgetOldOrders() {
        newest = newest.filter { isNews($0.value.order) }
        newestCorrections = newestCorrections.filter { isNews($0.value.order) }
    }

    /// Sends while it is news; when it is queued again meanwhile, it looks for further buckets once more.
    ///
    /// The new call sends in its buckets at once: the first one may wait for answers until the order is old news.
    private func sendUntilDone(_ order: Order) async {
        let notice =
            switch order {
            case .alerts(let announcement): announcement.order
            case .corrections(let corrections): corrections.order
            }
        let id = notice.id
        underWay[id, default: OrderProgress()].callers += 1
        underWay[id]?.calls += 1
        defer { leave(id) }
        var isDue = true
        while isDue, maySend(notice) {
            let before = underWay[id]
            var isUndone = true
            do {
                switch order {
                case .alerts(let announcement): try await send(announcement)
                case .corrections(let corrections): try await send(corrections)
                }
                isUndone = underWay[id]?.fences != before?.fences
            } catch {
                let metadata: Logger.Metadata = ["match.id": "\(id.match)", "error": "\(error)"]
                log.warning("notifications not sent", metadata: metadata)
            }
            if isUndone { try? await Task.sleep(for: LiveActivityLimits.storeRetryPause) }
            isDue = isUndone || underWay[id]?.calls != before?.calls
        }
    }

    /// Notes that a call has sent its part of an order.
    private func leave(_ id: MomentAnnouncement.ID) {
        underWay[id]?.callers -= 1
        if underWay[id]?.callers == 0 { underWay[id] = nil }
    }

    /// The buckets of this node in which an order is not being sent; from now on it is.
    private func begin(_ id: MomentAnnouncement.ID) -> [Bucket] {
        let free = buckets().filter { underWay[id]?.buckets.contains($0) != true }
        underWay[id]?.buckets.formUnion(free)
        return free
    }

    private func end(_ id: MomentAnnouncement.ID, in buckets: [Bucket]) { underWay[id]?.buckets.subtract(buckets) }

    private func send(_ announcement: MomentAnnouncement) async throws(FollowError) {
        guard let term = await term(toSend: announcement.order) else { return }
        let fence = underWay[announcement.id]?.fences
        let free = begin(announcement.id)
        defer { end(announcement.id, in: free) }
        let announced = try await audience.unannounced(
            announcement.match,
            revision: announcement.revision,
            term: term,
            of: free
        )
        // Side by side: a device that APNs does not answer holds up the record of its own range only.
        await withTaskGroup(of: Void.self) { group in
            for share in announcement.shares(announced) where maySend(announcement.order) {
                group.addTask { await self.send(share.announcement, in: share.buckets, term: term, fence: fence) }
            }
        }
    }

    private func send(_ corrections: AlertCorrections) async throws(FollowError) {
        // An alert that is under way has to be answered first: only who may have it needs the correction.
        while hasOlder(corrections.order.id), maySend(corrections.order) {
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
        }
        guard let term = await term(toSend: corrections.order) else { return }
        let free = begin(corrections.order.id)
        defer { end(corrections.order.id, in: free) }
        let announced = try await audience.unannounced(
            corrections.match,
            revision: corrections.revision,
            term: term,
            of: free
        )
        await send(corrections, announced, term: term)
    }

    /// The node's term, once it may send; nil if the notice is old by then.
    ///
    /// A node whose renewal takes long does not trust its term for a moment, and often continues in it.
    private func term(toSend order: NoticeOrder) async -> Term? {
        while maySend(order) {
            if let term = trustedTerm() { return term }
            try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
        }
        return nil
    }

    /// Remembers where alerts went, for as long as they may be corrected.
    func remember(_ alerts: SentAlerts) {
        sent.removeAll { clock.wall - $0.at >= LiveActivityLimits.sentAlertsKept }
        sent = sent.suffix(LiveActivityLimits.sentAlerts - 1) + [alerts]
    }

    // MARK: Conditions

    var isStopping: Bool { stoppedAt.load(ordering: .acquiring) > 0 }

    /// Whether the node stopped longer ago than a wait lasts.
    func isStopped(for wait: Duration) -> Bool {
        let stopped = stoppedAt.load(ordering: .acquiring)
        return stopped > 0 && clock.monotonic >= .milliseconds(stopped) + wait
    }

    /// Whether no further answer is waited for.
    var isOutOfTime: Bool { isStopped(for: LiveActivityLimits.stopPatience) }

    nonisolated func isNews(_ order: NoticeOrder) -> Bool { clock.wall - order.since < LiveActivityLimits.momentAge }

    /// Whether another notification may be sent.
    func maySend(_ order: NoticeOrder) -> Bool { isNews(order) && !isStopping }

    /// Whether older notifications of the match are being sent: a record of these would cover them too.
    func hasOlder(_ id: MomentAnnouncement.ID) -> Bool { underWay.keys.contains { $0.precedes(id) } }
}
