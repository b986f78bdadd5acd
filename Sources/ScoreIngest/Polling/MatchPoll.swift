// What a poller knows about its match between two requests, as a value without waits.

internal import MatchEngine
internal import MatchJournal
internal import Providers
internal import ScoreTypes

/// The state of polling one match; a proof that plays a poller keeps to its bounds.
public struct MatchPoll: Sendable {
    /// Most requests of one round: all parts of a match that was never looked at.
    public static let requestsMax = 256

    /// How often in a row a provider may not know a listed match before it is given up; the list, once it is read
    /// again, says whether it is polled on or was dropped.
    public static let goneMax = 10

    /// How long a match in play has to be unknown and unlisted before it is given up, in domain time: a provider that
    /// has lost it for a while is no reason to end what people watch, and nothing is to come after as long as the sweep
    /// waits.
    static let goneGrace: Duration = .seconds(1_800)

    /// Pictures in a row that cannot be read, after which all parts have to come anew: one that can be read alone may
    /// contradict the others.
    public static let unreadableMax = 8

    /// A match that should be in play and of which nothing has changed for so long, in domain time, is asked for as
    /// seldom as overnight: longer than any break but rain, and then the list is read all the while.
    static let stillAfter: Duration = .seconds(4 * 3_600)

    /// How long after its listed start a match that was never anything but to come is let go of, in domain time, and
    /// at the least in real time: it was not played, or its provider has forgotten it.
    static let lateMax: Duration = .seconds(12 * 3_600)
    /// Real floor of that time.
    static let lateFloor: Duration = .seconds(60)

    /// Real time for which the answers of a round that the limits have stopped are good for its rest: parts of very
    /// different age make no picture.
    static let roundLife: Duration = .seconds(300)

    /// The last reply of each part.
    var store = PartStore()
    /// When the limits stopped the round for the first time, by the monotonic clock; nil when they have not.
    private var stoppedAt: Duration?
    /// What the provider has told and nobody could ask for yet.
    var notices: [ProviderNotice] = []
    /// Whether the provider was asked to tell of the match by itself.
    var subscription = Subscription()
    private(set) var phase: PlayPhase
    /// Whether nothing of it has changed for long though it should be in play.
    private(set) var isStill = false
    /// Domain time of the last change, or of the first look.
    private var changedAt: Duration?
    /// Its own word for what it is doing; nil before the first picture.
    private var status: MatchStatus?
    private(set) var backoff = Backoff()
    private(set) var isDone = false
    private var endedAt: Duration?
    private var wasOverAtFirst = false
    private var isFirst = true
    private var gone = 0
    /// Domain time of the first of those answers; nil when the last one knew the match.
    private var goneSince: Duration?
    /// Replies that were held one after the other.
    private var held = 0
    private var unreadable = 0
    /// Pictures in a row that had nothing of what there was before.
    private var emptied = 0

    init(_ fixture: Fixture) { phase = fixture.status.map(PlayPhase.init(of:)) ?? .before }

    /// Whether it is done with because the provider does not know it any more.
    var isGone: Bool { isDone && gone >= Self.goneMax }

    /// Whether its list of balls came empty twice or more in a row: once is a slip, and asking for all of it again at
    /// the usual pace is no cure for what stays.
    var isEmptied: Bool { emptied > 1 }

    /// What a request about the match is for at this moment: play that has begun, or should have.
    func use(of fixture: Fixture, at now: Instant) -> RequestUse {
        if isStill { return .rest }
        return switch phase {
        case .live, .pause: .play
        case .before: fixture.startsAt != nil && untilStart(of: fixture, at: now) == nil ? .play : .rest
        case .overnight, .over: .rest
        }
    }

    /// After an answer: whether the match has stood still for long, by what the list says of its start; while nobody
    /// answers, as with a plan that is used up, nothing is known of that.
    mutating func weigh(_ entry: Fixture, clock: ServiceClock) {
        let since = changedAt ?? clock.domain
        changedAt = since
        let isDue =
            switch phase {
            case .live, .pause: true
            case .before: untilStart(of: entry, at: clock.wall) == nil
            case .overnight, .over: false
            }
        isStill = isDue && clock.domain - since >= Self.stillAfter
    }

    /// After an answer: lets go of a match that should have begun long ago, unless the list calls it begun.
    ///
    /// A start that is known to be delayed may be put off to another day, or to one after that.
    mutating func letGoIfLate(_ entry: Fixture, clock: ServiceClock) {
        guard phase == .before, let startsAt = entry.startsAt,
            entry.status.map(PlayPhase.init(of:)) ?? .before == .before
        else { return }
        let isDelayed = status != .scheduled && status != .lineups
        let limit = isDelayed ? PollSchedule.historyAfter : clock.real(Self.lateMax, floor: Self.lateFloor)
        if clock.wall.duration(toSeconds: startsAt) < .zero - limit { isDone = true }
    }

    /// How long until a match is to begin; nil when it has, should have, or nobody knows when.
    func untilStart(of fixture: Fixture, at now: Instant) -> Duration? {
        guard phase == .before, let startsAt = fixture.startsAt, startsAt > now.seconds else { return nil }
        return .seconds(startsAt.subtractingReportingOverflow(now.seconds).partialValue)
    }

    /// Takes what the provider has told by itself: parts as they are, notices until they are acted on.
    mutating func take(_ news: PushedNews) {
        for part in news.parts.parts { if let body = news.parts[part] { store.take(body, etag: nil, of: part) } }
        // What is told of has changed since a round that was stopped has asked for it.
        if news.notices != notices { store.roundEnded() }
        notices = news.notices
    }

    /// The limits have stopped a round.
    mutating func wasStopped(now: Duration) { stoppedAt = stoppedAt ?? now }

    /// Goes on with a round that was stopped not long ago, or begins one.
    mutating func beginsRound(now: Duration) {
        if store.answered.isEmpty { stoppedAt = nil }
        guard let stoppedAt, now - stoppedAt > Self.roundLife else { return }
        store.roundEnded()
        self.stoppedAt = nil
    }

    /// When to ask next: an answered round has brought everything; another one puts off nothing that was due before.
    ///
    /// - Parameters:
    ///   - before: When the match was due, by the monotonic clock; in the future when a push came earlier.
    ///   - wait: Real time to wait after the round.
    ///   - isAnswered: Whether all that was asked for came.
    ///   - now: The monotonic clock.
    /// - Returns: The time by the same clock.
    static func due(before: Duration, wait: Duration, isAnswered: Bool, now: Duration) -> Duration {
        isAnswered || before <= now ? now + wait : min(before, now + wait)
    }

    /// Notes a picture that was handed over; `isAnswer` says whether the provider has answered all that was asked.
    mutating func handedOver(
        status: MatchStatus,
        acceptance: Acceptance,
        isAnswer: Bool = true,
        domain now: Duration
    ) {
        unreadable = 0
        if case .dropped(.emptyList) = acceptance { emptied += 1 } else { emptied = 0 }
        switch acceptance {
        case .applied, .standby, .held: (changedAt, isStill) = (now, false)
        case .unchanged, .dropped: break
        }
        switch acceptance {
        case .applied, .unchanged, .standby:
            held = 0
            store.looked()
            self.status = status
            note(PlayPhase(of: status), now)
        // What is doubted has to come whole again, or it could never be seen a second time.
        case .held:
            held += 1
            store.doubt()
        // A page that is asked for but once may be the empty one: all have to come anew, or it would be for ever.
        case .dropped(.emptyList):
            held = 0
            store = PartStore()
        case .dropped:
            held = 0
            store.doubt()
        }
        if isAnswer && !isEmptied { answered() }
    }

    /// Notes that the provider answered without anything new.
    mutating func answered() {
        backoff.succeeded()
        (gone, goneSince) = (0, nil)
    }

    /// Notes a failure.
    ///
    /// - Parameters:
    ///   - failure: What came instead of an answer; nil when an answer was of no use.
    ///   - isInPlay: Whether the match has begun and is not over: it is given up only after `goneGrace`.
    ///   - isListed: Whether the provider lists it all the same, which contradicts that it is gone.
    ///   - clock: Scales the wait, and measures how long the match is gone.
    ///   - jitter: 0 to 1 from a generator.
    /// - Returns: The real time to wait.
    mutating func failed(
        _ failure: FetchFailure?,
        isInPlay: Bool = false,
        isListed: Bool = false,
        clock: ServiceClock,
        jitter: Double
    ) -> Duration {
        if failure?.isGone == true {
            let since = goneSince ?? clock.domain
            (gone, goneSince) = (gone + 1, since)
            let isPatient = isInPlay && (isListed || clock.domain - since < Self.goneGrace)
            if gone >= Self.goneMax && !isPatient { isDone = true }
        } else {
            (gone, goneSince) = (0, nil)
        }
        return backoff.failed(retryAfter: failure?.retryAfter, clock: clock, jitter: jitter)
    }

    /// Notes that what is held cannot be read.
    ///
    /// A part that is held is not always asked for again, so the one at fault has to be forgotten, or the match would
    /// stand still.
    mutating func couldNotRead(_ error: AdapterError) {
        unreadable += 1
        if unreadable.isMultiple(of: Self.unreadableMax) { return store = PartStore() }
        if let part = error.part { store.forget(part) }
        store.doubt()
    }

    /// Knows nothing any more, as after somebody else has written the match.
    mutating func forget() { store = PartStore() }

    /// Real time until the next request; notes when none is needed any more.
    ///
    /// - wantsLook: Whether something waits that another answer would settle.
    mutating func wait(
        _ cadence: Cadence,
        wantsLook: Bool = false,
        clock: ServiceClock,
        jitter: Double
    ) -> Duration {
        let soon =
            Cadence.waitForSecondLook(held: held, clock: clock, jitter: jitter)
            ?? (wantsLook ? Cadence.waitForConfirmation(clock: clock, jitter: jitter) : nil)
        let endedFor = endedAt.map { clock.domain - $0 }
        let wait = cadence.wait(
            in: phase,
            endedFor: endedFor,
            wasOverAtFirst: wasOverAtFirst,
            clock: clock,
            jitter: jitter
        )
        if let soon { return min(soon, wait ?? soon) }
        guard let wait else {
            isDone = true
            return .zero
        }
        return seldom(wait, cadence, clock: clock, jitter: jitter)
    }

    /// A wait, or that of the night for a match that stands still.
    func seldom(_ wait: Duration, _ cadence: Cadence, clock: ServiceClock, jitter: Double) -> Duration {
        guard isStill else { return wait }
        return max(wait, Cadence.real(cadence.overnight, floor: Cadence.slowFloor, clock: clock, jitter: jitter))
    }

    private mutating func note(_ phase: PlayPhase, _ now: Duration) {
        if isFirst { wasOverAtFirst = phase == .over }
        isFirst = false
        self.phase = phase
        if phase != .over {
            endedAt = nil
            wasOverAtFirst = false
        } else if endedAt == nil {
            endedAt = now
        }
    }
}
