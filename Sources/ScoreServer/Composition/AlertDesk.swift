// People without a Live Activity, and those who chose their own moments, are told by ordinary notifications.

import FollowService
import LiveSurface
import Logging
import MatchEngine
import PushDispatcher
import ScoreIngest
import ScoreTypes

/// Tells each moment to those who are not told by an activity, from the same publication.
actor AlertDesk {
    /// A moment that is older when its turn comes is not told any more: after a restart, or behind a long queue.
    static let freshness = Duration.seconds(60)
    /// Publications that may wait; beyond it the oldest are dropped, which have told their moment too late anyway.
    static let waitingMax = 64
    /// Recipients found by one query.
    static let pageMax = 500
    /// Time between two pages, so that a million notifications never fill the dispatcher's queue of 50,000.
    static let pagePause = Duration.milliseconds(5)

    /// What is told, and what the match looks like then.
    struct Telling: Sendable {
        let match: MatchID
        let revision: Int64
        let committedAt: Instant
        let moments: [Moment]
        let state: MatchState
        let info: MatchInfo
    }

    private let audience: AlertAudience
    private let dispatcher: Dispatcher
    private let buckets: @Sendable () -> [Bucket]
    private let clock: ServiceClock
    private let scheme: String
    private let log = Logger(label: "score.alerts")
    private var waiting: [Telling] = []
    /// Devices told by what is under way: it may tell two moments of one ball, and nobody hears both.
    private var told: Set<DeviceID> = []
    private let (signals, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))

    init(
        audience: AlertAudience,
        dispatcher: Dispatcher,
        buckets: @escaping @Sendable () -> [Bucket],
        clock: ServiceClock,
        scheme: String
    ) {
        self.audience = audience
        self.dispatcher = dispatcher
        self.buckets = buckets
        self.clock = clock
        self.scheme = scheme
    }

    /// Takes a publication; its moments are told soon, beside the fan-out and never before it.
    func take(_ publication: Publication) {
        take(
            Telling(
                match: publication.match,
                revision: publication.revision.number,
                committedAt: publication.committedAt,
                moments: publication.told,
                state: publication.state,
                info: publication.info
            )
        )
    }

    func take(_ telling: Telling) {
        guard telling.moments.contains(where: { $0.isAlert && $0.kind.wish != nil }) else { return }
        if waiting.count >= Self.waitingMax { waiting.removeFirst() }
        waiting.append(telling)
        signal.yield()
    }

    /// Tells what waits until cancelled.
    func run() async {
        for await _ in signals {
            while !waiting.isEmpty, !Task.isCancelled { await tell(waiting.removeFirst()) }
        }
    }

    private func tell(_ telling: Telling) async {
        guard clock.wall - telling.committedAt <= Self.freshness else { return }
        told = []
        let moments = telling.moments.filter(\.isAlert).sorted { $0.relevance > $1.relevance }
        for moment in moments {
            guard let wish = moment.kind.wish else { continue }
            do {
                let content = try NotificationContent(moment, of: telling, scheme: scheme)
                try await tell(moment, wish, content, in: telling.match)
            } catch {
                log.warning("alerts not told", metadata: ["match.id": "\(telling.match)", "error": "\(error)"])
            }
        }
    }

    private func tell(
        _ moment: Moment,
        _ wish: AlertKinds,
        _ content: NotificationContent,
        in match: MatchID
    ) async throws {
        guard let first = buckets().first, let last = buckets().last else { return }
        var quiet = content
        quiet.interruption = .passive
        var cursor: AudienceCursor? = .start
        while let after = cursor {
            let page = try await audience.page(
                of: match,
                buckets: first...last,
                kind: wish,
                side: moment.intent,
                after: after,
                limit: Self.pageMax
            )
            cursor = page.next
            let fresh = page.recipients.filter { told.insert($0.device).inserted }
            let now = clock.wall
            for (words, isQuiet) in [(content, false), (quiet, true)] {
                let addressed = fresh.filter { StoredProfile.isQuiet($0.profile, at: now) == isQuiet }
                if addressed.isEmpty { continue }
                await dispatcher.notify(addressed.map(NotificationRecipient.init), of: match, words)
            }
            if cursor != nil { try await Task.sleep(for: Self.pagePause) }
        }
    }
}

extension Moment {
    /// Whose followers it is for.
    fileprivate var intent: TeamIntent {
        switch side {
        case .first: .first
        case .second: .second
        case nil: .neither
        }
    }
}

extension Moment.Kind {
    /// The wish that it falls under; nil for what nobody is told by a notification.
    var wish: AlertKinds? {
        switch self {
        case .wicket: .wicket
        case .fifty, .hundred, .fiveWickets, .tenInMatch, .hatTrick, .fourInFour, .sixSixes, .teamMilestone: .milestone
        case .result, .inningsEnd, .superOver: .result
        case .start, .resumption: .start
        default: nil
        }
    }
}

extension NotificationContent {
    /// The words of a moment, with the side-car by which the app refreshes its other surfaces.
    ///
    /// - Throws: `SurfaceError` when the app's URL scheme is not one.
    init(_ moment: Moment, of telling: AlertDesk.Telling, scheme: String) throws(SurfaceError) {
        let context = SurfaceContext(
            match: telling.match,
            revision: telling.revision,
            updatedAt: telling.committedAt,
            scheme: scheme,
            event: moment
        )
        let snapshot = try SurfaceRenderer.snapshot(
            .notification,
            of: telling.state,
            info: telling.info,
            in: context
        )
        let payload = try snapshot.notificationPayload()
        self.init(
            alert: PushAlert(title: payload.aps.alert.title, body: payload.aps.alert.body),
            thread: payload.aps.threadId ?? "match-\(telling.match)",
            relevance: moment.relevance,
            sideCar: SideCar(key: "liveSurface", json: SurfaceRenderer.bytes(of: payload.liveSurface)),
            category: payload.aps.category,
            interruption: payload.aps.interruptionLevel.flatMap { Interruption(rawValue: $0) } ?? .active,
            // A moment that is told again, after a crash or for another subject, takes the place of the first telling.
            collapseID: "\(moment.key)/\(telling.match)"
        )
    }
}

extension NotificationRecipient {
    init(_ recipient: AlertRecipient) {
        self.init(
            device: recipient.device,
            generation: recipient.generation,
            environment: recipient.environment,
            token: recipient.token
        )
    }
}
