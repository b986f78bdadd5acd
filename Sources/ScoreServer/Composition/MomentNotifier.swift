// Who has no activity, or chose their own moments, is told by a notification; each moment once, after crashes too.

import FollowService
import Foundation
import LiveSurface
import Logging
import MatchEngine
import MatchJournal
import PushDispatcher
import ScoreTypes

/// Sends the moments of publications to those of this node's followers who chose them.
actor MomentNotifier {
    /// A moment older than this is no news: whoever takes a dead node's buckets over goes back no further.
    static let ageMax = Duration.seconds(60)
    /// Publications with moments that wait, the newest: an over's worth of every match of a busy evening.
    static let waitingMax = 256
    /// Recipients read, sent and recorded at once; after a crash the pages without all their answers are told again.
    static let pageMax = 500
    /// Notifications under way before the next page is read: enough to keep the streams full, and few to tell again.
    static let underWayMax = 2_000
    /// Publications told at once, so that the slow answers of one do not hold up the next.
    static let tellingsMax = 16
    /// How often answers and room are looked for.
    static let lookInterval = Duration.milliseconds(10)
    /// Pause before the store is asked again.
    static let retryPause = Duration.milliseconds(250)

    /// The moments of one publication, and what the match looks like then.
    struct Telling {
        let match: MatchID
        let revision: Int64
        let committedAt: Instant
        /// The most important first.
        let moments: [TellableMoment]
        let state: MatchState
        let info: MatchInfo

        var revised: Revised { Revised(match: match, number: revision) }
        var kinds: AlertKinds { moments.reduce(into: []) { $0.formUnion($1.kind) } }
    }

    /// Names a telling.
    struct Revised: Hashable {
        let match: MatchID
        let number: Int64
    }

    private let audience: AlertAudience
    private let dispatcher: Dispatcher
    private let buckets: @Sendable () -> [Bucket]
    private let term: @Sendable () -> Term?
    private let clock: ServiceClock
    /// URL scheme of the app, for deep links.
    private let scheme: String
    private let bounds: (page: Int, underWay: Int)
    private let log = Logger(label: "score.notifications")
    private nonisolated let orders: (stream: AsyncStream<Telling>, continuation: AsyncStream<Telling>.Continuation)
    /// The newest telling of each match, for buckets that come later.
    private var newest: [MatchID: Telling] = [:]
    /// What is being told, and whether it is to be looked at once more.
    private var busy: [Revised: Bool] = [:]
    /// What somebody else was found to tell in some buckets.
    private var lost: Set<Revised> = []

    init(
        audience: AlertAudience,
        dispatcher: Dispatcher,
        buckets: @escaping @Sendable () -> [Bucket],
        term: @escaping @Sendable () -> Term?,
        clock: ServiceClock,
        scheme: String,
        bounds: (page: Int, underWay: Int) = (MomentNotifier.pageMax, MomentNotifier.underWayMax)
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.buckets = buckets
        self.term = term
        self.clock = clock
        self.scheme = scheme
        self.bounds = bounds
        orders = AsyncStream.makeStream(of: Telling.self, bufferingPolicy: .bufferingNewest(Self.waitingMax))
    }

    /// Takes what a publication tells; returns at once.
    nonisolated func take(_ publication: Publication) {
        let moments = publication.told.compactMap(TellableMoment.init).sorted { $0.relevance > $1.relevance }
        guard !moments.isEmpty else { return }
        take(
            Telling(
                match: publication.match,
                revision: publication.revision.number,
                committedAt: publication.committedAt,
                moments: moments,
                state: publication.state,
                info: publication.info
            )
        )
    }

    nonisolated func take(_ telling: Telling) { orders.continuation.yield(telling) }

    /// This node serves other buckets: what a predecessor may not have told there is told.
    func bucketsChanged() {
        newest = newest.filter { isNews($0.value) }
        for telling in newest.values { orders.continuation.yield(telling) }
    }

    /// Tells until cancelled.
    func run() async {
        await withTaskGroup(of: Void.self) { group in
            var underWay = 0
            for await telling in orders.stream {
                if Task.isCancelled { break }
                if telling.revision >= newest[telling.match]?.revision ?? 0 { newest[telling.match] = telling }
                if underWay >= Self.tellingsMax { await group.next() } else { underWay += 1 }
                group.addTask { await self.tellUntilDone(telling) }
            }
            group.cancelAll()
        }
    }

    /// Tells while it is news; what comes again meanwhile, for other buckets, is looked at afterwards.
    private func tellUntilDone(_ telling: Telling) async {
        let revision = telling.revised
        guard busy.updateValue(true, forKey: revision) == nil else { return }
        defer { busy[revision] = nil }
        while busy[revision] == true, isNews(telling), !Task.isCancelled {
            busy[revision] = false
            do {
                try await tell(telling)
                guard lost.remove(revision) != nil else { continue }
            } catch {
                log.warning("notifications wait", metadata: ["match.id": "\(telling.match)", "error": "\(error)"])
            }
            busy[revision] = true
            try? await Task.sleep(for: Self.retryPause)
        }
    }

    private func isNews(_ telling: Telling) -> Bool { clock.wall - telling.committedAt < Self.ageMax }

    private func tell(_ telling: Telling) async throws {
        guard let term = term() else { return }
        let untold = try await audience.untold(telling.match, revision: telling.revision, term: term, of: buckets())
        for run in Self.runs(of: untold) where isNews(telling) { try await tell(telling, in: run, term: term) }
    }

    /// Neighbouring buckets, which are read as one range.
    private static func runs(of buckets: [Bucket]) -> [ClosedRange<Bucket>] {
        buckets.reduce(into: []) { runs, bucket in
            if let last = runs.last, last.upperBound.number + 1 == bucket.number {
                runs[runs.count - 1] = last.lowerBound...bucket
            } else {
                runs.append(bucket...bucket)
            }
        }
    }

    /// Tells page after page; buckets are recorded as told once all of their pages have their answers.
    private func tell(_ telling: Telling, in run: ClosedRange<Bucket>, term: Term) async throws {
        // What is under way when the store fails is recorded first, so that it is not told again.
        let failure = await withTaskGroup(of: Void.self) { group -> FollowError? in
            var cursor: AudienceCursor? = .start
            var untold = Bucket.all.filter { run.contains($0) }
            // Pages with people of the first bucket that is not through.
            var open: [NoticePage] = []
            while let after = cursor, !lost.contains(telling.revised), await hasRoom(for: telling) {
                let page: AlertPage
                do throws(FollowError) {
                    page = try await audience.page(
                        of: telling.match,
                        buckets: run,
                        kind: telling.kinds,
                        after: after,
                        limit: bounds.page
                    )
                } catch {
                    return error
                }
                let sent = await notify(page.recipients, of: telling)
                open.append(sent)
                cursor = page.next
                let passed = untold.prefix { bucket in page.next.map { bucket.number < $0.bucketNumber } ?? true }
                guard !passed.isEmpty else { continue }
                group.addTask { [open, passed = Array(passed)] in
                    await self.record(telling, passed, after: open, term: term)
                }
                untold.removeFirst(passed.count)
                open = [sent]
            }
            return nil
        }
        if let failure { throw failure }
    }

    /// Waits until another page may be sent; false when the news is old by then.
    private func hasRoom(for telling: Telling) async -> Bool {
        while await dispatcher.noticesUnderWay >= bounds.underWay {
            guard isNews(telling), !Task.isCancelled else { return false }
            try? await Task.sleep(for: Self.lookInterval)
        }
        return isNews(telling) && !Task.isCancelled
    }

    /// Records buckets as told when the pages with their people were answered.
    private func record(_ telling: Telling, _ passed: [Bucket], after pages: [NoticePage], term: Term) async {
        for page in pages {
            while await dispatcher.isUnderWay(page) {
                // What is lost now a successor tells again, unless it is old news for everybody.
                guard isNews(telling), !Task.isCancelled else { return await dispatcher.giveUp(page) }
                try? await Task.sleep(for: Self.lookInterval)
            }
        }
        let (match, revision) = (telling.match, telling.revision)
        while isNews(telling) {
            do {
                if try await audience.recordTold(match, revision: revision, term: term, of: passed) { return }
                lost.insert(telling.revised)
                return log.notice("somebody else tells", metadata: ["match.id": "\(match)"])
            } catch {
                log.warning("told and not recorded", metadata: ["match.id": "\(match)", "error": "\(error)"])
                if Task.isCancelled { return }
                try? await Task.sleep(for: Self.retryPause)
            }
        }
    }

    /// Tells each person the most important moment that they want; in their quiet hours without a sound.
    private func notify(_ recipients: [AlertRecipient], of telling: Telling) async -> NoticePage {
        let page = await dispatcher.noticePage()
        let now = clock.wall
        var groups: [Words: [NotificationRecipient]] = [:]
        for recipient in recipients {
            guard let place = telling.moments.firstIndex(where: { $0.suits(recipient) }) else { continue }
            groups[Words(moment: place, isQuiet: recipient.isQuiet(at: now)), default: []].append(.init(recipient))
        }
        for (words, recipients) in groups {
            let moment = telling.moments[words.moment]
            let content = content(of: moment, telling, words.isQuiet)
            await dispatcher.notify(recipients, of: telling.match, content, on: page)
        }
        return page
    }

    /// What is said is the same for all who want a moment, but for its loudness.
    private struct Words: Hashable {
        let moment: Int
        let isQuiet: Bool
    }

    private func content(of told: TellableMoment, _ telling: Telling, _ isQuiet: Bool) -> NotificationContent {
        let context = SurfaceContext(
            match: telling.match,
            revision: telling.revision,
            updatedAt: telling.committedAt,
            scheme: scheme,
            event: told.moment,
            isQuiet: isQuiet
        )
        var content = NotificationContent(
            alert: PushAlert(title: told.moment.title, body: told.moment.body),
            thread: "match-\(telling.match)",
            relevance: told.moment.relevance,
            interruption: isQuiet ? .passive : .active,
            // A moment that is told again, after a crash or for another subject, takes the place of the first telling.
            collapseID: "\(told.moment.key)/\(telling.match)"
        )
        do throws(SurfaceError) {
            let snapshot = try SurfaceRenderer.snapshot(
                .notification,
                of: telling.state,
                info: telling.info,
                in: context
            )
            let payload = try snapshot.notificationPayload()
            content.sideCar = .init(key: "liveSurface", json: SurfaceRenderer.bytes(of: payload.liveSurface))
            content.category = payload.aps.category
            let level = payload.aps.interruptionLevel.flatMap { NotificationContent.Interruption(rawValue: $0) }
            if let level, !isQuiet { content.interruption = level }
        } catch {
            log.error("notification without its side-car", metadata: ["error": "\(error)"])
        }
        return content
    }
}

extension NotificationRecipient {
    fileprivate init(_ recipient: AlertRecipient) {
        self.init(
            device: recipient.device,
            generation: recipient.generation,
            environment: recipient.environment,
            token: recipient.token
        )
    }
}

extension AlertRecipient {
    /// Whether the person wants to be left alone at a moment; a time zone that nobody knows counts as UTC.
    fileprivate func isQuiet(at now: Instant) -> Bool {
        guard let quiet = quietHours else { return false }
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? .gmt
        let date = Date(timeIntervalSince1970: Double(now.milliseconds) / 1000)
        return quiet.contains(secondsOfDay: (now.seconds + Int64(zone.secondsFromGMT(for: date))) % 86_400)
    }
}
