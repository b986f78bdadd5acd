// Who has no activity, or chose their own moments, is told by a notification; each moment once, after crashes too.

import FollowService
import Foundation
import Logging
import MatchEngine
import PushDispatcher
import ScoreIngest
import ScoreTypes

/// Sends the moments of publications to those of this node's followers who chose them.
actor MomentNotifier {
    /// A moment older than this is no news: whoever takes a dead node's buckets over goes back no further.
    static let ageMax = Duration.seconds(60)
    /// Publications with moments that wait, the newest: an over's worth of every match of a busy evening.
    static let waitingMax = 256
    /// Recipients read, sent and recorded at once; after a crash at most so many are told twice.
    static let pageMax = 500
    /// Pause before the store is asked again.
    static let retryPause = Duration.milliseconds(250)

    /// The moments of one publication.
    private struct Telling {
        let match: MatchID
        let revision: Int64
        let committedAt: Instant
        /// The most important first.
        let moments: [TellableMoment]

        var kinds: AlertKinds { moments.reduce(into: []) { $0.formUnion($1.kind) } }
    }

    private let audience: AlertAudience
    private let dispatcher: Dispatcher
    private let buckets: @Sendable () -> [Bucket]
    private let term: @Sendable () -> Term?
    private let clock: ServiceClock
    private let log = Logger(label: "score.notifications")
    private nonisolated let orders: (stream: AsyncStream<Telling>, continuation: AsyncStream<Telling>.Continuation)
    /// The newest telling of each match, for buckets that come later.
    private var newest: [MatchID: Telling] = [:]

    init(
        audience: AlertAudience,
        dispatcher: Dispatcher,
        buckets: @escaping @Sendable () -> [Bucket],
        term: @escaping @Sendable () -> Term?,
        clock: ServiceClock
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.buckets = buckets
        self.term = term
        self.clock = clock
        orders = AsyncStream.makeStream(of: Telling.self, bufferingPolicy: .bufferingNewest(Self.waitingMax))
    }

    /// Takes what a publication tells; returns at once.
    nonisolated func take(_ publication: Publication) {
        let moments = publication.told.compactMap(TellableMoment.init).sorted { $0.relevance > $1.relevance }
        guard !moments.isEmpty else { return }
        orders.continuation.yield(
            Telling(
                match: publication.match,
                revision: publication.revision.number,
                committedAt: publication.committedAt,
                moments: moments
            )
        )
    }

    /// This node serves other buckets: what a predecessor may not have told there is told.
    func bucketsChanged() {
        newest = newest.filter { isNews($0.value) }
        for telling in newest.values { orders.continuation.yield(telling) }
    }

    /// Tells until cancelled.
    func run() async {
        for await telling in orders.stream {
            if Task.isCancelled { return }
            if telling.revision >= newest[telling.match]?.revision ?? 0 { newest[telling.match] = telling }
            while isNews(telling), !Task.isCancelled {
                do {
                    try await tell(telling)
                    break
                } catch {
                    log.warning("notifications wait", metadata: ["match.id": "\(telling.match)", "error": "\(error)"])
                    try? await Task.sleep(for: Self.retryPause)
                }
            }
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

    private func tell(_ telling: Telling, in run: ClosedRange<Bucket>, term: Term) async throws {
        var cursor: AudienceCursor? = .start
        var untold = Bucket.all.filter { run.contains($0) }
        while let after = cursor {
            let page = try await audience.page(
                of: telling.match,
                buckets: run,
                kind: telling.kinds,
                after: after,
                limit: Self.pageMax
            )
            await dispatcher.notify(page.recipients.compactMap { notification(for: $0, of: telling) })
            cursor = page.next
            let passed = untold.prefix { bucket in page.next.map { bucket.number < $0.bucketNumber } ?? true }
            untold.removeFirst(passed.count)
            let isOurs = try await audience.recordTold(
                telling.match,
                revision: telling.revision,
                term: term,
                of: Array(passed)
            )
            if !isOurs { return log.notice("somebody else tells", metadata: ["match.id": "\(telling.match)"]) }
        }
    }

    /// The first moment that the person wants, unless it is their quiet time.
    private func notification(for recipient: AlertRecipient, of telling: Telling) -> PushNotification? {
        guard !recipient.isQuiet(at: clock.wall) else { return nil }
        let wanted = telling.moments.first { moment in
            recipient.alerts.contains(moment.kind)
                && (recipient.teamIntent == .neither || moment.side == .neither || recipient.teamIntent == moment.side)
        }
        guard let wanted else { return nil }
        return PushNotification(
            match: telling.match,
            device: recipient.device,
            generation: recipient.generation,
            environment: recipient.environment,
            token: recipient.token,
            content: NotificationContent(
                alert: PushAlert(title: wanted.title, body: wanted.body),
                thread: telling.match.text,
                relevance: wanted.relevance
            )
        )
    }
}

/// A moment in the terms in which people choose what they are told.
struct TellableMoment: Sendable, Hashable {
    let kind: AlertKinds
    let side: TeamIntent
    let title: String
    let body: String
    let relevance: Int

    /// nil for what nobody can choose: it is only drawn.
    init?(_ moment: Moment) {
        guard let kind = AlertKinds(moment.kind) else { return nil }
        self.kind = kind
        side =
            switch moment.side {
            case .first: .first
            case .second: .second
            case nil: .neither
            }
        title = moment.title
        body = moment.body
        relevance = moment.relevance
    }
}

extension AlertKinds {
    /// The choice that a kind of moment falls under.
    init?(_ kind: Moment.Kind) {
        switch kind {
        case .wicket: self = .wicket
        case .fifty, .hundred, .fiveWickets, .tenInMatch, .hatTrick, .fourInFour, .sixSixes, .teamMilestone,
            .partnership:
            self = .milestone
        case .inningsEnd, .superOver, .result: self = .result
        case .toss, .start, .resumption: self = .start
        default: return nil
        }
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
