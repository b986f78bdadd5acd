// Who has no activity, or chose their own moments, is told by a notification; each moment once, after crashes too.

import FollowService
import Foundation
import LiveSurface
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

    /// The moments of one publication, and what the match looks like then.
    struct Telling {
        let match: MatchID
        let revision: Int64
        let committedAt: Instant
        /// The most important first.
        let moments: [TellableMoment]
        let state: MatchState
        let info: MatchInfo

        var kinds: AlertKinds { moments.reduce(into: []) { $0.formUnion($1.kind) } }
    }

    private let audience: AlertAudience
    private let dispatcher: Dispatcher
    private let buckets: @Sendable () -> [Bucket]
    private let term: @Sendable () -> Term?
    private let clock: ServiceClock
    /// URL scheme of the app, for deep links.
    private let scheme: String
    private let log = Logger(label: "score.notifications")
    private nonisolated let orders: (stream: AsyncStream<Telling>, continuation: AsyncStream<Telling>.Continuation)
    /// The newest telling of each match, for buckets that come later.
    private var newest: [MatchID: Telling] = [:]

    init(
        audience: AlertAudience,
        dispatcher: Dispatcher,
        buckets: @escaping @Sendable () -> [Bucket],
        term: @escaping @Sendable () -> Term?,
        clock: ServiceClock,
        scheme: String
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.buckets = buckets
        self.term = term
        self.clock = clock
        self.scheme = scheme
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
            await notify(page.recipients, of: telling)
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

    /// Tells each person the most important moment that they want; in their quiet hours without a sound.
    private func notify(_ recipients: [AlertRecipient], of telling: Telling) async {
        let now = clock.wall
        var groups: [Words: [NotificationRecipient]] = [:]
        for recipient in recipients {
            guard let place = telling.moments.firstIndex(where: { $0.suits(recipient) }) else { continue }
            groups[Words(moment: place, isQuiet: recipient.isQuiet(at: now)), default: []].append(.init(recipient))
        }
        for (words, recipients) in groups {
            let moment = telling.moments[words.moment]
            await dispatcher.notify(recipients, of: telling.match, content(of: moment, telling, words.isQuiet))
        }
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

/// A moment in the terms in which people choose what they are told.
struct TellableMoment: Sendable {
    let moment: Moment
    let kind: AlertKinds
    let side: TeamIntent

    var relevance: Int { moment.relevance }

    /// nil for what nobody can choose: it is only drawn.
    init?(_ moment: Moment) {
        guard let kind = AlertKinds(moment.kind) else { return nil }
        self.moment = moment
        self.kind = kind
        side =
            switch moment.side {
            case .first: .first
            case .second: .second
            case nil: .neither
            }
    }

    /// Whether a person chose it: its kind, and the side that it belongs to.
    func suits(_ recipient: AlertRecipient) -> Bool {
        guard recipient.alerts.contains(kind) else { return false }
        return recipient.teamIntent == .neither || side == .neither || recipient.teamIntent == side
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
