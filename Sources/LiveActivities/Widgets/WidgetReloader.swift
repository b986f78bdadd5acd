// Reloads the widgets of followers by push; nothing is stored, since a widget that reloads reads the newest state.

internal import FollowService
internal import Logging
internal import MatchJournal
internal import Metrics
internal import PushDispatcher
internal import ScoreTypes

/// Lets iOS reload the widgets that show a match after it has changed, on the buckets of this node.
///
/// A reload that is lost with its node is not repeated: the next change of the match causes another one.
actor WidgetReloader {
    private let audience: WidgetAudience
    private let dispatcher: Dispatcher
    private let ownership: BucketOwnership
    private let clock: ServiceClock
    /// The URL scheme of the app, for snapshots.
    private let scheme: String
    /// Devices of a page, and pushes without an answer, of all matches together.
    private let bounds: (page: Int, underWay: Int)
    private nonisolated let waiting:
        (stream: AsyncStream<Publication>, continuation: AsyncStream<Publication>.Continuation)
    private var pacing = WidgetPacing()
    /// Pages that are being read: their pushes are not yet under way.
    private var pagesAhead = 0
    /// All pages so far.
    private var pagesBegun = 0
    private let log = Logger(label: "score.widgets")

    init(
        _ audience: WidgetAudience,
        _ dispatcher: Dispatcher,
        _ ownership: BucketOwnership,
        _ clock: ServiceClock,
        scheme: String,
        bounds: (page: Int, underWay: Int) = (
            LiveActivityLimits.recipientsPerPage, LiveActivityLimits.widgetPushesUnderWay
        )
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.ownership = ownership
        self.clock = clock
        self.scheme = scheme
        self.bounds = bounds
        waiting = AsyncStream.makeStream(
            of: Publication.self,
            bufferingPolicy: .bufferingNewest(LiveActivityLimits.widgetChangesWaiting)
        )
    }

    /// Notes a publication; returns at once.
    nonisolated func note(_ publication: Publication) {
        // A node that starts publishes the heads of all matches, also of those that changed long ago.
        guard clock.wall - publication.committedAt < LiveActivityLimits.widgetSpacing else { return }
        waiting.continuation.yield(publication)
    }

    /// Reloads until cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask { await self.takeChanges() }
            while !Task.isCancelled {
                // Changes wait while this node does not trust its lease.
                let due = ownership.maySend ? pacing.begin(at: clock.domain) : []
                for reload in due { group.addTask { await self.perform(reload) } }
                try? await Task.sleep(for: clock.real(LiveActivityLimits.widgetLookInterval, .round))
            }
        }
    }

    private func takeChanges() async {
        for await publication in waiting.stream {
            if let change = WidgetChange(publication, scheme: scheme) { pacing.note(change) }
        }
    }

    private func perform(_ reload: WidgetPacing.Reload) async {
        // Pages with pushes that may have no answer, the oldest first.
        var pages: [NoticePage] = []
        var isComplete = true
        let buckets = ownership.buckets
        for range in Bucket.ranges(of: buckets) {
            var cursor: AudienceCursor? = .start
            while let after = cursor, isComplete {
                guard let (sent, next) = await sendPage(of: reload, in: range, after: after, of: buckets) else {
                    isComplete = false
                    break
                }
                pages.append(sent)
                cursor = next
                await closeAnswered(&pages)
            }
        }
        if !isComplete { pacing.failed(reload) }
        let dimensions = [("cause", reload.hasMoment ? "moment" : "change"), ("complete", "\(isComplete)")]
        Counter(label: "score_widget_reloads_total", dimensions: dimensions).increment()
        // Until then the pages count for other reloads.
        let end = clock.monotonic + LiveActivityLimits.widgetAnswerPatience
        while !pages.isEmpty, !Task.isCancelled, clock.monotonic < end {
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
            await closeAnswered(&pages)
        }
        await dispatcher.close(pages)
    }

    /// Reads the next page once it may be sent, and sends it; nil if the store fails, or the node owns other buckets.
    private func sendPage(
        of reload: WidgetPacing.Reload,
        in range: ClosedRange<Bucket>,
        after cursor: AudienceCursor,
        of buckets: [Bucket]
    ) async -> (sent: NoticePage, next: AudienceCursor?)? {
        guard await reservePage(in: buckets) else { return nil }
        defer { pagesAhead -= 1 }
        guard let page = await page(of: reload, in: range, after: cursor) else { return nil }
        let notices = await dispatcher.noticePage()
        await dispatcher.reloadWidgets(
            page.members,
            of: reload.match,
            at: reload.revision,
            priority: reload.hasMoment ? .ten : .five,
            on: notices
        )
        return (notices, page.next)
    }

    /// Closes the oldest pages, up to the first one with a push without an answer.
    private func closeAnswered(_ pages: inout [NoticePage]) async {
        while let oldest = pages.first, await dispatcher.bucketsUnderWay(of: [oldest]).isEmpty {
            await dispatcher.close([oldest])
            pages.removeFirst()
        }
    }

    /// Waits until another page may be sent, and reserves it; false if this node owns other buckets after it did not
    /// trust its lease.
    ///
    /// A node whose renewal takes long does not trust its lease for a moment, and often keeps its buckets.
    private func reservePage(in buckets: [Bucket]) async -> Bool {
        var hasDoubted = false
        while !Task.isCancelled {
            if !ownership.maySend {
                hasDoubted = true
                try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
                continue
            }
            if hasDoubted, ownership.buckets != buckets { return false }
            let (ahead, begun) = (pagesAhead, pagesBegun)
            let open = await dispatcher.noticesUnderWay
            // A page that was sent meanwhile is not in `open`, and one that was reserved meanwhile is not in `ahead`.
            if open + (ahead + pagesBegun - begun) * bounds.page < bounds.underWay {
                pagesAhead += 1
                pagesBegun += 1
                return true
            }
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
        }
        return false
    }

    private func page(
        of reload: WidgetPacing.Reload,
        in range: ClosedRange<Bucket>,
        after cursor: AudienceCursor
    ) async -> AudiencePage<PushRecipient>? {
        do throws(FollowError) {
            return try await audience.page(
                of: reload.match,
                buckets: range,
                without: reload.recent,
                after: cursor,
                limit: bounds.page
            )
        } catch {
            let metadata: Logger.Metadata = ["match.id": "\(reload.match)", "error": "\(error)"]
            log.warning("widgets not reloaded", metadata: metadata)
            return nil
        }
    }
}
