// The work of a poller between a feed and a writer, as a value with simulated time.

import MatchEngine
import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Simulators

/// One match on its way through one feed.
struct FeedFollowing {
    /// Polls running that change nothing, after which nothing more is to come.
    private static let quietPolls = 15
    /// How soon a poll that failed is tried again.
    private static let retryAfter: Duration = .seconds(5)
    /// Newest balls that a reply may have added.
    private static let newBalls = 48
    /// Balls between two polls.
    private static let stride = 1...12
    /// Polls of one break; after them the stride is that of a night.
    private static let (breakPollsMax, nightStride) = (6, Duration.seconds(3_000))

    let clock: ProofClock
    private(set) var rehearsal: MatchRehearsal
    /// Outcomes of polls, and alerts that were passed over.
    private(set) var sum = FeedVerdictSum()
    private let adapter: any Adapter
    private let feed: SimulatedFeed
    private let match: PlaybackMatch
    private let session: ProviderSession
    private let pace: ProofPace
    private var draw: SeededDraw
    private var replies = MatchReplies()
    private var breaker = CircuitBreaker(IngestLimits.breaker)
    /// Answers running that knew no such match.
    private var gone = 0
    private var wasSilent = false
    private var isHeld = false
    private var snapshots = 0
    /// Replies that were read differently with the caches of earlier ones.
    private(set) var misread = 0
    /// The reason of the last unreadable reply.
    private(set) var lastError: AdapterError?
    /// Alerts that were not sent, without a reason.
    private(set) var lost: [Moment] = []
    /// Lower scores that were shown and that no correction explains.
    private(set) var fallen: [String] = []
    /// The time of the reply that confirmed each sent alert.
    private var announcementTimes: [Duration] = []
    /// When each ball was first read.
    private var firstRead: [DeliveryKey: Duration] = [:]
    private var watch: AnswerWatch

    init(_ proof: FeedProof, _ document: CricsheetDocument) throws(AdapterError) {
        let plan = proof.plan
        pace = proof.pace
        clock = ProofClock(followerSpeed: pace.followerSpeed)
        watch = AnswerWatch(speed: pace.followerSpeed, isClockRight: plan.clockSkew == .zero)
        adapter = AdapterRegistry.adapter(for: proof.provider)
        draw = SeededDraw(seed: plan.seed, purpose: 5, number: 0)
        match = try PlaybackMatch(id: proof.id, document: document, plan: plan)
        let shape = FeedShapes.shape(of: proof.provider, key: FeedProof.key)
        feed = SimulatedFeed(matches: [match], shape: shape, plan: plan, clock: clock.feed)
        rehearsal = MatchRehearsal(
            match: MatchID(unchecked: proof.id.text),
            provider: proof.provider,
            clock: clock.follower,
            waits: proof.waits
        )
        let key = Secret(FeedProof.key)
        let credentials = ProviderCredentials(project: FeedShapes.project, key: key, secret: key)
        var opening = ProviderReplies()
        for request in adapter.opening(credentials) {
            opening[request.part] = feed.plain(ShapeRequest(request), at: .zero).takenBody
        }
        session = try adapter.session(opening, credentials, at: clock.feed.wall)
    }

    /// The match as it was taken in, in the form of a reply; nil when nothing ever was.
    var snapshot: MatchSnapshot? {
        let record = rehearsal.record
        guard let info = record.info else { return nil }
        return MatchSnapshot(
            info: info,
            innings: record.innings,
            deliveries: record.deliveries,
            status: record.status,
            result: record.result
        )
    }

    /// Follows the match to its end.
    mutating func follow() {
        feed.open()
        poll()
        switch pace {
        case .strides: stride()
        case .live:
            while clock.time < match.duration {
                poll()
                move(to: clock.time + untilNextPoll)
            }
        }
        move(to: match.duration)
        var quiet = 0
        for _ in 0..<LabLimits.lastPolls where quiet < Self.quietPolls {
            let before = rehearsal.record
            quiet = poll() && rehearsal.record == before ? quiet + 1 : rehearsal.record == before ? quiet : 0
            waitForAnother()
        }
    }

    /// Looks once in one to twelve balls.
    private mutating func stride() {
        var ball = 0
        while ball < match.ballTimes.count {
            ball = min(match.ballTimes.count, ball + Int.random(in: Self.stride, using: &draw))
            wait(until: match.ballTimes[ball - 1] + draw.duration(.zero...(.seconds(30))))
            // A poll that fails is tried again soon, as a poller would.
            var tries = 1
            while !poll() && tries < LabLimits.pollTries {
                waitForAnother()
                tries += 1
            }
            // A pending moment triggers other polls, as in a poller, whatever the interval is.
            for _ in 0..<LabLimits.confirmingPolls {
                guard let look = rehearsal.look else { break }
                move(to: clock.time + clock.span(Cadence.wait(nil, look: look, clock.follower)))
                poll()
            }
            // A held reply is polled again before the next long interval.
            while let look = secondLook {
                move(to: clock.time + look)
                poll()
            }
        }
    }

    /// Time until a poller polls again.
    private var untilNextPoll: Duration {
        mutating get {
            if let look = secondLook { return look }
            let phase = PlayPhase(of: rehearsal.record.status.status)
            let interval = Cadence(of: adapter.provider).interval(in: phase)
            let wait = draw.duration(interval * 0.9...(interval * 1.1))
            return rehearsal.look.map { Cadence.wait(wait, look: $0, clock.follower) } ?? wait
        }
    }

    /// Time until a poller repeats a held reply; nil when none is held, or too many were.
    private var secondLook: Duration? {
        mutating get {
            guard isHeld else { return nil }
            let jitter = Double.random(in: 0...1, using: &draw)
            return Cadence.waitForSecondLook(held: replies.held, PollContext(clock.follower) { jitter }).map(clock.span)
        }
    }

    /// Waits for the next stride.
    private mutating func wait(until time: Duration) {
        var polls = 0
        var pause = LabLimits.stride
        while clock.time + pause < time {
            move(to: clock.time + pause)
            poll()
            polls += 1
            if polls == Self.breakPollsMax { pause = Self.nightStride }
        }
        move(to: time)
    }

    /// Waits as a poller does before its next request.
    private mutating func waitForAnother() { move(to: clock.time + (secondLook ?? Self.retryAfter)) }

    /// Moves the time; what waits becomes certain meanwhile.
    private mutating func move(to time: Duration) {
        while let wait = rehearsal.wait, clock.time + clock.span(wait) <= time {
            clock.move(to: clock.time + max(clock.span(wait), .milliseconds(1)))
            see(asOf: watch.lastTaken) { $0.tick() }
            if rehearsal.isSilent && !wasSilent { count("silences") }
            wasSilent = rehearsal.isSilent
        }
        clock.move(to: time)
    }

    /// Polls once; returns whether a reply was accepted.
    @discardableResult
    private mutating func poll() -> Bool {
        isHeld = false
        guard ask() else { return false }
        if !replies.store.isFresh {
            count("unchanged")
            see(asOf: clock.time) { $0.unchanged() }
            watch.taken(at: clock.time)
            return true
        }
        do throws(AdapterError) {
            let snapshot = try adapter.snapshot(replies.store.replies, session)
            snapshots += 1
            defer { watch.read(at: clock.time) }
            if snapshots.isMultiple(of: pace.readAnewEvery), isReadOtherwiseAnew(snapshot) { misread += 1 }
            return take(snapshot)
        } catch {
            count("unreadable")
            replies.couldNotRead(error)
            lastError = error
            return false
        }
    }

    /// Sends the requests of a round; whether everything was answered.
    private mutating func ask() -> Bool {
        var round = RequestRound(.match(match.id, after: PushedUpdates()), adapter, session, replies.store)
        while let request = round.next() { round.take(send(request), of: request) }
        replies.store = round.store
        // A round that the breaker stopped begins anew.
        replies.store.roundEnded()
        return round.outcome == .answered
    }

    /// Sends one request, if the breaker admits it.
    private mutating func send(_ request: ProviderRequest) -> FetchOutcome {
        guard case .granted = breaker.admit(now: clock.time, patience: Self.retryAfter) else {
            count("refused")
            return .refused(wait: Self.retryAfter)
        }
        let answer = feed.answer(ShapeRequest(request))
        let evidence: CircuitBreaker.Evidence = answer.isWell ? .success : .failure
        if breaker.record(evidence, now: clock.time, reopensAfter: IngestLimits.probeInterval) {
            count("breaker opened")
        }
        gone = answer.status == 404 ? gone + 1 : 0
        if gone == IngestLimits.goneMax { count("gone") }
        if let body = answer.takenBody { return .body(body, etag: nil) }
        count("failed")
        return FetchOutcome(status: answer.status < 300 ? 502 : answer.status, [])
    }

    /// Whether a reading without caches differs.
    private func isReadOtherwiseAnew(_ snapshot: MatchSnapshot) -> Bool {
        var anew = ProviderReplies()
        anew.merge(replies.store.replies)
        return (try? adapter.snapshot(anew, session)) != snapshot
    }

    private mutating func take(_ snapshot: MatchSnapshot) -> Bool {
        let before = rehearsal.record
        let acceptance = see(asOf: clock.time) { $0.accept(snapshot) }
        replies.handedOver(acceptance)
        switch acceptance {
        case .applied, .unchanged, .standby:
            count("taken")
            if rehearsal.record.size < before.size { judgeFall(from: before) }
            watch.taken(at: clock.time)
            return true
        case .held(let reason):
            count("held \(reason)")
            isHeld = true
            return false
        case .dropped(let reason):
            count("dropped \(reason)")
            return false
        }
    }

    /// Notes places that have less than before, although the feed never had less since the last accepted reply.
    private mutating func judgeFall(from before: MatchRecord) {
        var least = ContentSize(before.deliveries, before.innings)
        let since = watch.lastTaken
        for time in [since] + match.changes(after: since, through: clock.time) {
            guard let document = feed.shown(at: time).first?.document,
                let shown = try? CricsheetAdapter().snapshot(of: document)
            else { continue }
            least.lower(to: ContentSize(shown.deliveries, hasTotalsAlone: adapter.provider == .cricketData))
        }
        let now = ContentSize(rehearsal.record.deliveries, rehearsal.record.innings)
        fallen += now.places(below: least).map { "\($0) at \(clock.time)" }
    }

    /// Ticks the rehearsal, and checks the moments that it leaves out.
    @discardableResult
    private mutating func see<Seen>(asOf time: Duration, _ look: (inout MatchRehearsal) -> Seen) -> Seen {
        let (before, known, announced) = (rehearsal.record, rehearsal.history.count, rehearsal.news.count)
        let seen = look(&rehearsal)
        for ball in rehearsal.record.deliveries.suffix(Self.newBalls) where firstRead[ball.key] == nil {
            firstRead[ball.key] = clock.time
        }
        for moment in rehearsal.news[announced...] where moment.isAlert {
            announcementTimes.append(time)
            if let read = moment.delivery.flatMap({ firstRead[$0] }) { sum.delays.append(clock.time - read) }
        }
        for moment in rehearsal.history[known...] where moment.isAlert {
            let reason = watch.reason(
                toPass: moment,
                before,
                rehearsal.record,
                at: clock.time,
                wall: clock.feed.wall
            )
            if let reason { sum.passedOver[reason, default: 0] += 1 } else { lost.append(moment) }
        }
        return seen
    }

    /// Whether the feed had the statement of an untrue alert when it was sent: then the mistake is the scorer's.
    func hadItSo(_ alert: AlertAudit.Misstatement) -> Bool {
        let shown = feed.shown(at: announcementTimes[alert.place])
        guard let document = shown.first?.document, let then = try? CricsheetAdapter().snapshot(of: document) else {
            return false
        }
        return then.folded.moments.contains {
            $0.kind == alert.announced.kind && $0.innings == alert.announced.innings
                && $0.statement == alert.announced.statement
        }
    }

    private mutating func count(_ word: String) { sum.polls[word, default: 0] += 1 }
}

extension MatchRecord {
    /// Balls, or runs where there are totals alone.
    fileprivate var size: Int {
        deliveries.isEmpty ? innings.reduce(0) { $0 + ($1.reported?.runs ?? 0) } : deliveries.count
    }
}

extension ServedAnswer {
    /// Whether it shows a feed that is well, be the answer of use or not, as `FetchFailure` has it.
    fileprivate var isWell: Bool {
        switch ending {
        case .cutOff: return false
        case .declares(let count) where count > body.count: return false
        case .proper, .endless, .declares: break
        }
        return pace == .prompt && (200..<500).contains(status) && ![302, 401, 403, 429].contains(status)
    }
}
