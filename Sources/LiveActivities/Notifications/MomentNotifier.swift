// Followers without an activity, or with their own choice, are notified once of each moment, also after a crash.

internal import FollowService
internal import Foundation
internal import Logging
internal import MatchJournal
internal import PushDispatcher
internal import ScoreTypes

/// Sends the moments of publications to the followers who chose them, on the buckets of this node.
actor MomentNotifier {
    private let audience: AlertAudience
    private let dispatcher: Dispatcher
    private let buckets: @Sendable () -> [Bucket]
    /// The node's term while it may send; nil otherwise.
    private let term: @Sendable () -> Term?
    private let clock: ServiceClock
    /// URL scheme of the app, for deep links.
    private let scheme: String
    /// Recipients of a page, and notifications without an answer.
    private let bounds: (page: Int, underWay: Int)
    private let log = Logger(label: "score.notifications")
    private nonisolated let waiting:
        (
            stream: AsyncStream<MomentAnnouncement>, continuation: AsyncStream<MomentAnnouncement>.Continuation
        )
    /// The newest announcement of each match, for buckets that this node takes over later.
    private var newest: [MatchID: MomentAnnouncement] = [:]
    /// Announcements that are being sent, and whether they have to be looked at once more.
    private var busy: [MomentAnnouncement.ID: Bool] = [:]
    /// Announcements for which another node was found to own some of the buckets.
    private var fenced: Set<MomentAnnouncement.ID> = []

    init(
        audience: AlertAudience,
        dispatcher: Dispatcher,
        buckets: @escaping @Sendable () -> [Bucket],
        term: @escaping @Sendable () -> Term?,
        clock: ServiceClock,
        scheme: String,
        bounds: (page: Int, underWay: Int) = (
            LiveActivityLimits.recipientsPerPage, LiveActivityLimits.notificationsUnderWay
        )
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.buckets = buckets
        self.term = term
        self.clock = clock
        self.scheme = scheme
        self.bounds = bounds
        waiting = AsyncStream.makeStream(
            of: MomentAnnouncement.self,
            bufferingPolicy: .bufferingNewest(LiveActivityLimits.announcementsWaiting)
        )
    }

    /// Queues the moments of a publication; returns at once.
    nonisolated func announce(_ publication: Publication) {
        if let announcement = MomentAnnouncement(publication) { announce(announcement) }
    }

    nonisolated func announce(_ announcement: MomentAnnouncement) { waiting.continuation.yield(announcement) }

    /// This node owns other buckets: it announces there what their last owner may not have announced.
    func bucketsChanged() {
        newest = newest.filter { isNews($0.value) }
        for announcement in newest.values { waiting.continuation.yield(announcement) }
    }

    /// Sends until cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            for await announcement in waiting.stream {
                if Task.isCancelled { break }
                if announcement.revision >= newest[announcement.match]?.revision ?? 0 {
                    newest[announcement.match] = announcement
                }
                if underWay >= LiveActivityLimits.announcementsAtOnce { await group.next() } else { underWay += 1 }
                group.addTask { await self.sendUntilDone(announcement) }
            }
            group.cancelAll()
        }
    }

    /// Sends while it is news; when it is queued again meanwhile, for other buckets, it is looked at once more.
    private func sendUntilDone(_ announcement: MomentAnnouncement) async {
        let id = announcement.id
        guard busy.updateValue(true, forKey: id) == nil else { return }
        defer { busy[id] = nil }
        while busy[id] == true, isNews(announcement), !Task.isCancelled {
            busy[id] = false
            do {
                try await send(announcement)
                guard fenced.remove(id) != nil else { continue }
            } catch {
                let metadata: Logger.Metadata = ["match.id": "\(announcement.match)", "error": "\(error)"]
                log.warning("notifications not sent", metadata: metadata)
            }
            busy[id] = true
            try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
        }
    }

    private func isNews(_ announcement: MomentAnnouncement) -> Bool {
        clock.wall - announcement.committedAt < LiveActivityLimits.momentAge
    }

    private func send(_ announcement: MomentAnnouncement) async throws {
        guard let term = term() else { return }
        let left = try await audience.unannounced(
            announcement.match,
            revision: announcement.revision,
            term: term,
            of: buckets()
        )
        for range in Self.ranges(of: left) where isNews(announcement) {
            try await send(announcement, in: range, term: term)
        }
    }

    /// Neighbouring buckets, which are read as one range.
    private static func ranges(of buckets: [Bucket]) -> [ClosedRange<Bucket>] {
        buckets.reduce(into: []) { ranges, bucket in
            if let last = ranges.last, last.upperBound.number + 1 == bucket.number {
                ranges[ranges.count - 1] = last.lowerBound...bucket
            } else {
                ranges.append(bucket...bucket)
            }
        }
    }

    /// Sends page after page; a bucket is recorded once all pages with its followers have their answers.
    private func send(_ announcement: MomentAnnouncement, in range: ClosedRange<Bucket>, term: Term) async throws {
        // If the store fails, what is under way is recorded first, so that it is not sent again.
        let failure = await withTaskGroup(of: Void.self) { group -> FollowError? in
            var cursor: AudienceCursor? = .start
            var left = Bucket.all.filter { range.contains($0) }
            // Pages with followers of the first bucket that is not completely read.
            var open: [NoticePage] = []
            while let after = cursor, !fenced.contains(announcement.id), await hasRoom(for: announcement) {
                let page: AudiencePage<AlertRecipient>
                do throws(FollowError) {
                    page = try await audience.page(
                        of: announcement.match,
                        buckets: range,
                        kind: announcement.kinds,
                        after: after,
                        limit: bounds.page
                    )
                } catch {
                    return error
                }
                let sent = await notify(page.members, of: announcement)
                open.append(sent)
                cursor = page.next
                let passed = left.prefix { bucket in page.next.map { bucket.number < $0.bucket } ?? true }
                guard !passed.isEmpty else { continue }
                group.addTask { [open, passed = Array(passed)] in
                    await self.record(announcement, passed, after: open, term: term)
                }
                left.removeFirst(passed.count)
                open = [sent]
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Waits until another page may be sent; false if the moments are old by then.
    private func hasRoom(for announcement: MomentAnnouncement) async -> Bool {
        while await dispatcher.noticesUnderWay >= bounds.underWay {
            guard isNews(announcement), !Task.isCancelled else { return false }
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
        }
        return isNews(announcement) && !Task.isCancelled
    }

    /// Records buckets as announced when the pages with their followers were answered.
    private func record(
        _ announcement: MomentAnnouncement,
        _ passed: [Bucket],
        after pages: [NoticePage],
        term: Term
    ) async {
        for page in pages {
            while await dispatcher.isUnderWay(page) {
                // The next owner sends again whatever is lost now, unless it is too old.
                guard isNews(announcement), !Task.isCancelled else { return await dispatcher.giveUp(page) }
                try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
            }
        }
        let (match, revision) = (announcement.match, announcement.revision)
        while isNews(announcement) {
            do {
                if try await audience.recordAnnounced(match, revision: revision, term: term, of: passed) { return }
                fenced.insert(announcement.id)
                return log.notice("another node sends the notifications", metadata: ["match.id": "\(match)"])
            } catch {
                log.warning(
                    "sent notifications not recorded",
                    metadata: ["match.id": "\(match)", "error": "\(error)"]
                )
                if Task.isCancelled { return }
                try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
            }
        }
    }

    /// Notifies each follower of the most important moment that they chose; in their quiet hours without a sound.
    private func notify(_ recipients: [AlertRecipient], of announcement: MomentAnnouncement) async -> NoticePage {
        let page = await dispatcher.noticePage()
        let now = clock.wall
        var groups: [Form: [PushRecipient]] = [:]
        for recipient in recipients {
            guard let index = announcement.moments.firstIndex(where: { $0.suits(recipient) }) else { continue }
            let form = Form(moment: index, isQuiet: recipient.isQuiet(at: now))
            groups[form, default: []].append(recipient.target)
        }
        for (form, recipients) in groups {
            let content = announcement.content(
                of: announcement.moments[form.moment],
                isQuiet: form.isQuiet,
                scheme: scheme,
                log: log
            )
            await dispatcher.notify(recipients, of: announcement.match, content, on: page)
        }
        return page
    }

    /// The properties that distinguish the notifications of one announcement.
    private struct Form: Hashable {
        let moment: Int
        let isQuiet: Bool
    }
}

extension AlertRecipient {
    /// Whether an instant lies in the follower's quiet hours; an unknown time zone counts as UTC.
    fileprivate func isQuiet(at now: Instant) -> Bool {
        guard let quiet = quietHours else { return false }
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        return quiet.contains(secondsOfDay: (now.seconds + Int64(zone.secondsFromGMT(for: date))) % 86_400)
    }
}
