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
    private nonisolated let waiting:
        (stream: AsyncStream<Publication>, continuation: AsyncStream<Publication>.Continuation)
    private var pacing = WidgetPacing()
    private let log = Logger(label: "score.widgets")

    init(
        _ audience: WidgetAudience,
        _ dispatcher: Dispatcher,
        _ ownership: BucketOwnership,
        _ clock: ServiceClock,
        scheme: String
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.ownership = ownership
        self.clock = clock
        self.scheme = scheme
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
        var pages: [NoticePage] = []
        var isComplete = true
        let buckets = ownership.buckets
        for range in Bucket.ranges(of: buckets) {
            var cursor: AudienceCursor? = .start
            while let after = cursor, isComplete {
                guard await hasRoom(with: buckets), let page = await page(of: reload, in: range, after: after) else {
                    isComplete = false
                    break
                }
                let notices = await dispatcher.noticePage()
                await dispatcher.reloadWidgets(
                    page.members,
                    of: reload.match,
                    at: reload.revision,
                    priority: reload.hasMoment ? .ten : .five,
                    on: notices
                )
                pages.append(notices)
                cursor = page.next
            }
        }
        await dispatcher.close(pages)
        if !isComplete { pacing.failed(reload) }
        let dimensions = [("cause", reload.hasMoment ? "moment" : "change"), ("complete", "\(isComplete)")]
        Counter(label: "score_widget_reloads_total", dimensions: dimensions).increment()
    }

    /// Waits until another page may be sent; false if this node owns other buckets after it did not trust its lease.
    ///
    /// A node whose renewal takes long does not trust its lease for a moment, and often keeps its buckets.
    private func hasRoom(with buckets: [Bucket]) async -> Bool {
        var hasDoubted = false
        while !Task.isCancelled {
            if !ownership.maySend {
                hasDoubted = true
                try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
                continue
            }
            if hasDoubted, ownership.buckets != buckets { return false }
            if await dispatcher.noticesUnderWay < LiveActivityLimits.widgetPushesUnderWay { return true }
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
                limit: LiveActivityLimits.recipientsPerPage
            )
        } catch {
            let metadata: Logger.Metadata = ["match.id": "\(reload.match)", "error": "\(error)"]
            log.warning("widgets not reloaded", metadata: metadata)
            return nil
        }
    }
}
