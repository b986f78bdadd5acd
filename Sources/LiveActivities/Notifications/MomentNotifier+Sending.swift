// Pages of followers are read and sent; a bucket is recorded as soon as all its notifications are answered.

internal import FollowService
internal import Foundation
internal import LiveSurface
internal import Logging
internal import MatchEngine
internal import PushDispatcher
internal import ScoreTypes

extension MomentNotifier {
    /// Sends page after page to the followers in a range of buckets, and records the buckets.
    ///
    /// It ends early when the number of fences changes: another node was found to own some of the order's buckets.
    func send(_ announcement: MomentAnnouncement, in range: ClosedRange<Bucket>, term: Term, fence: Int?) async {
        let pages = await withTaskGroup(of: Void.self) { group in
            var pages: [NoticePage] = []
            var cursor: AudienceCursor? = .start
            var left = Bucket.all.filter { range.contains($0) }
            // Pages with followers of the first bucket that is not completely read.
            var open: [NoticePage] = []
            while let after = cursor, underWay[announcement.id]?.fences == fence,
                let (sent, next) = await sendPage(of: announcement, in: range, after: after)
            {
                pages.append(sent)
                open.append(sent)
                cursor = next
                let passed = left.prefix { bucket in next.map { bucket.number < $0.bucket } ?? true }
                guard !passed.isEmpty else { continue }
                group.addTask { [open, passed = Array(passed)] in
                    await self.record(announcement, passed, after: open, term: term)
                }
                left.removeFirst(passed.count)
                open = [sent]
            }
            // The node stops within a bucket: a successor must not notify its first followers again.
            if isStopping, cursor != nil, let cut = left.first, !open.isEmpty {
                group.addTask { [open] in await self.recordCut(announcement, cut, after: open, term: term) }
            }
            return pages
        }
        await remember(announcement, in: range, pages)
        await dispatcher.close(pages)
    }

    /// Reads the next page once it may be sent, and notifies its followers; nil if the moments are old by then.
    private func sendPage(
        of announcement: MomentAnnouncement,
        in range: ClosedRange<Bucket>,
        after cursor: AudienceCursor
    ) async -> (sent: NoticePage, next: AudienceCursor?)? {
        let order = announcement.order
        guard await hasRoom(for: order) else { return nil }
        pagesAhead += 1
        defer { pagesAhead -= 1 }
        let published = Published(announcement.kinds, announcement.committedAt)
        guard let page = await page(for: order, published, in: range, after: cursor) else { return nil }
        return (await notify(page.members, of: announcement), page.next)
    }

    private func remember(
        _ announcement: MomentAnnouncement,
        in range: ClosedRange<Bucket>,
        _ pages: [NoticePage]
    ) async {
        let reached = await dispatcher.bucketsReached(by: pages)
        let missed = await dispatcher.devicesMissed(by: pages).filter { reached.contains(Bucket(of: $0)) }
        // Without the list of the devices no correction is sent, since it would reach people without the alert.
        let isComplete = missed.count <= LiveActivityLimits.devicesMissed
        let alerts = SentAlerts(
            match: announcement.match,
            revisions: Set(announcement.moments.map(\.confirmed.revision)),
            at: clock.wall,
            buckets: range,
            reached: isComplete ? reached : [],
            missed: isComplete ? missed : []
        )
        remember(alerts)
    }

    /// Sends corrections to the devices with the alerts, and records the buckets.
    func send(_ corrections: AlertCorrections, _ announced: [Bucket: Int64], term: Term) async {
        let order = corrections.order
        var pages: [NoticePage] = []
        for group in corrections.groups {
            let reach = CorrectionReach(
                announced,
                of: group.announced.revision,
                in: corrections.match,
                sent: sent
            )
            for range in reach.ranges {
                var cursor: AudienceCursor? = .start
                while let after = cursor, await hasRoom(for: order),
                    let page = await page(for: order, group.published, in: range, after: after)
                {
                    let due = page.members.filter { !reach.missed.contains($0.target.device) }
                    pages.append(await notify(due, of: corrections, group))
                    cursor = page.next
                }
            }
        }
        var answered = Set(announced.keys)
        while isNews(order), !isOutOfTime, await !dispatcher.bucketsUnderWay(of: pages).isEmpty {
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
        }
        if isStopping {
            await dispatcher.withdraw(pages)
            answered.formIntersection(await dispatcher.bucketsReached(by: pages))
        }
        _ = await write(order, answered, term: term)
        await dispatcher.close(pages)
    }

    private func notify(
        _ recipients: [AlertRecipient],
        of corrections: AlertCorrections,
        _ group: AlertCorrections.Group
    ) async -> NoticePage {
        let page = await dispatcher.noticePage()
        let now = clock.wall
        var groups: [Variant<MomentKey>: (text: Moment, recipients: [PushRecipient])] = [:]
        for recipient in recipients {
            guard let text = group.text(for: recipient) else { continue }
            let variant = Variant(
                moment: text.key,
                isQuiet: recipient.isQuiet(at: now),
                hasTable: recipient.stringsVersion >= NotificationKey.version
            )
            groups[variant, default: (text, [])].recipients.append(recipient.target)
        }
        for (variant, (text, recipients)) in groups {
            let content = corrections.content(
                of: text,
                isQuiet: variant.isQuiet,
                hasTable: variant.hasTable,
                form: form,
                log: log
            )
            guard let content else { continue }
            await dispatcher.notify(recipients, of: corrections.match, content, on: page)
        }
        return page
    }

    /// Reads a page, again and again while the store fails: a second read from the start would notify again.
    private func page(
        for order: NoticeOrder,
        _ published: Published,
        in range: ClosedRange<Bucket>,
        after cursor: AudienceCursor
    ) async -> AudiencePage<AlertRecipient>? {
        while maySend(order) {
            do throws(FollowError) {
                return try await audience.page(
                    of: order.id.match,
                    buckets: range,
                    kind: published.kinds,
                    publishedAt: published.at,
                    followedBy: published.isCorrected ? published.at : nil,
                    after: cursor,
                    limit: bounds.page
                )
            } catch {
                log.warning("followers not read", metadata: ["match.id": "\(order.id.match)", "error": "\(error)"])
                try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
            }
        }
        return nil
    }

    /// Waits until another page may be sent; false if the moments are old by then.
    ///
    /// Pages that are being read count as full, since ranges of buckets are read side by side.
    private func hasRoom(for order: NoticeOrder) async -> Bool {
        while await dispatcher.noticesUnderWay + pagesAhead * bounds.page >= bounds.underWay {
            guard maySend(order) else { return false }
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
        }
        return maySend(order)
    }

    /// Records buckets as announced, each when all its notifications are answered.
    ///
    /// After a stop nothing is repeated: a bucket counts as announced once one of its notifications may have arrived.
    private func record(
        _ announcement: MomentAnnouncement,
        _ passed: [Bucket],
        after pages: [NoticePage],
        term: Term
    ) async {
        var left = Set(passed)
        while !left.isEmpty, isNews(announcement.order), !isOutOfTime {
            // A record covers older revisions too.
            let open = hasOlder(announcement.id) ? left : await dispatcher.bucketsUnderWay(of: pages)
            let answered = left.subtracting(open)
            guard !answered.isEmpty else {
                try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
                continue
            }
            guard await write(announcement.order, answered, term: term) else { return }
            left.subtract(answered)
        }
        guard isStopping, !left.isEmpty else { return }
        await dispatcher.withdraw(pages)
        _ = await write(announcement.order, await dispatcher.bucketsReached(by: pages).intersection(left), term: term)
    }

    /// Records a bucket that was partly read before the stop, if one of its followers may have been notified.
    private func recordCut(
        _ announcement: MomentAnnouncement,
        _ bucket: Bucket,
        after pages: [NoticePage],
        term: Term
    ) async {
        while isNews(announcement.order), !isOutOfTime, await dispatcher.bucketsUnderWay(of: pages).contains(bucket) {
            try? await Task.sleep(for: LiveActivityLimits.answerPollInterval)
        }
        await dispatcher.withdraw(pages)
        guard await dispatcher.bucketsReached(by: pages).contains(bucket) else { return }
        _ = await write(announcement.order, [bucket], term: term)
    }

    /// Writes the progress, again and again while the store fails; false if another node owns one of the buckets.
    private func write(_ order: NoticeOrder, _ buckets: Set<Bucket>, term: Term) async -> Bool {
        let (match, revision) = (order.id.match, order.id.revision)
        let patience = LiveActivityLimits.stopPatience + LiveActivityLimits.stopRecording
        while !buckets.isEmpty, isNews(order), !isStopped(for: patience) {
            do throws(FollowError) {
                if try await audience.recordAnnounced(match, revision: revision, term: term, of: buckets.sorted()) {
                    return true
                }
                underWay[order.id]?.fences += 1
                log.notice("another node sends the notifications", metadata: ["match.id": "\(match)"])
                return false
            } catch {
                log.warning(
                    "sent notifications not recorded",
                    metadata: ["match.id": "\(match)", "error": "\(error)"]
                )
                try? await Task.sleep(for: LiveActivityLimits.storeRetryPause)
            }
        }
        return true
    }

    /// Notifies each follower of the most important moment that they chose; in their quiet hours without a sound.
    private func notify(_ recipients: [AlertRecipient], of announcement: MomentAnnouncement) async -> NoticePage {
        let page = await dispatcher.noticePage()
        let now = clock.wall
        var groups: [Variant<Int>: [PushRecipient]] = [:]
        for recipient in recipients {
            guard let index = announcement.standingMoment(for: recipient) else { continue }
            let variant = Variant(
                moment: index,
                isQuiet: recipient.isQuiet(at: now),
                hasTable: recipient.stringsVersion >= NotificationKey.version
            )
            groups[variant, default: []].append(recipient.target)
        }
        for (variant, recipients) in groups {
            let moment = announcement.moments[variant.moment]
            let content = announcement.content(
                of: moment,
                isQuiet: variant.isQuiet,
                hasTable: variant.hasTable,
                form: form,
                log: log
            )
            guard let content else { continue }
            await dispatcher.notify(recipients, of: announcement.match, content, on: page)
        }
        return page
    }

    /// The moments whose audience is read, and when they were published.
    struct Published: Sendable {
        let kinds: AlertKinds
        let at: Instant
        var isCorrected = false

        init(_ kinds: AlertKinds, _ at: Instant, isCorrected: Bool = false) {
            (self.kinds, self.at, self.isCorrected) = (kinds, at, isCorrected)
        }
    }

    /// The properties that distinguish the notifications of one announcement.
    private struct Variant<Text: Hashable & Sendable>: Hashable {
        let moment: Text
        let isQuiet: Bool
        /// Whether the app has all texts of this server, so that they can be keys.
        let hasTable: Bool
    }
}

extension MomentAnnouncement {
    /// The index of the most important moment that a follower chose and that was not withdrawn.
    fileprivate func standingMoment(for recipient: AlertRecipient) -> Int? {
        moments.firstIndex { $0.suits(recipient) && !$0.recall.isWithdrawn }
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
