// What a poller does between a feed and a writer, as a value and with time that is moved by hand.

internal import MatchEngine
internal import ScoreIngest
internal import ScoreTypes

/// One match on its way through one feed.
struct FeedFollowing {
    /// Polls after the match is over until it has to look right.
    private static let lastPollsMax = 400
    /// Polls running that change nothing, after which nothing more is to come.
    private static let quietPolls = 15
    /// How often a poll that failed is tried again before the next stride: enough to find a match gone.
    private static let triesMax = MatchPoll.goneMax + 2
    /// Looks at what waits to be told, of which the second comes with the end of its patience.
    private static let confirmingMax = 2
    /// How long each of them is waited for.
    private static let confirming = Cadence.confirming * 0.9...(Cadence.confirming * 1.1)
    /// Every so many pictures one is read again by somebody who remembers nothing.
    private static let readAnewEvery = 4
    /// How soon a poll that failed is tried again; one whose reply is held is looked at again as soon as a poller does.
    private static let retryAfter: Duration = .seconds(5)
    /// Balls between two polls.
    private static let stride = 1...12

    let clock: ProofClock
    private(set) var rehearsal: MatchRehearsal
    /// What became of the polls.
    private(set) var counts: [String: Int] = [:]
    private let adapter: any Adapter
    private let feed: SimulatedFeed
    private let match: PlaybackMatch
    private let session: ProviderSession
    private let pace: ProofPace
    private var draw: SeededDraw
    private var replies = ProviderReplies()
    /// Whether the replies that are held have to be looked at even if the next ones are the same.
    private var isDoubted = true
    private var breaker = CircuitBreaker()
    /// Answers running that knew no such match.
    private var gone = 0
    private var wasSilent = false
    private var unreadable = 0
    private var isHeld = false
    private var pictures = 0
    /// How often fewer balls, or of totals fewer runs, were shown than before, although the feed never had fewer.
    private(set) var falls = 0
    /// Pictures that were read otherwise with what is remembered of the ones before them.
    private(set) var misread = 0
    /// Why the last picture that could not be read was refused.
    private(set) var lastError: AdapterError?

    init(_ proof: FeedProof, _ document: CricsheetDocument) throws(AdapterError) {
        let plan = proof.plan
        pace = proof.pace
        clock = ProofClock(followerSpeed: pace.followerSpeed)
        adapter = FeedProof.adapter(of: proof.provider)
        draw = SeededDraw(seed: plan.seed, purpose: 5, number: 0)
        match = try PlaybackMatch(id: proof.id, document: document, plan: plan)
        let shape = FeedShapes.shape(of: proof.provider, key: FeedProof.key)
        feed = SimulatedFeed(matches: [match], shape: shape, plan: plan, clock: clock.feed)
        rehearsal = MatchRehearsal(
            match: MatchID(unchecked: proof.id.text),
            provider: proof.provider,
            clock: clock.follower
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
                move(to: clock.time + (isHeld ? draw.duration(Cadence.secondLook) : ProofPace.wait(&draw)))
            }
        }
        move(to: match.duration)
        var quiet = 0
        for _ in 0..<Self.lastPollsMax where quiet < Self.quietPolls {
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
            move(to: match.ballTimes[ball - 1] + draw.duration(.zero...(.seconds(30))))
            // A poll that fails is tried again soon, as a poller would.
            var tries = 1
            while !poll() && tries < Self.triesMax {
                waitForAnother()
                tries += 1
            }
            // What waits to be told is looked at again, as a poller does however slow its cadence is.
            for _ in 0..<Self.confirmingMax where rehearsal.wantsLook {
                move(to: clock.time + draw.duration(Self.confirming))
                poll()
            }
            // What is held is looked at again before the next stride.
            for _ in 0..<Cadence.secondLooksMax where isHeld {
                poll()
                waitForAnother()
            }
        }
    }

    /// Waits as a poller does before it asks again.
    private mutating func waitForAnother() {
        move(to: clock.time + (isHeld ? draw.duration(Cadence.secondLook) : Self.retryAfter))
    }

    /// Moves the time; what waits becomes certain meanwhile.
    private mutating func move(to time: Duration) {
        while let wait = rehearsal.wait, clock.time + clock.span(wait) <= time {
            clock.move(to: clock.time + max(clock.span(wait), .milliseconds(1)))
            rehearsal.tick()
            if rehearsal.isSilent && !wasSilent { count("silences") }
            wasSilent = rehearsal.isSilent
        }
        clock.move(to: time)
    }

    /// Asks once; whether a picture was taken.
    @discardableResult
    private mutating func poll() -> Bool {
        let held = replies
        isHeld = false
        guard ask() else { return false }
        if held == replies && !isDoubted {
            count("unchanged")
            rehearsal.unchanged()
            return true
        }
        do throws(AdapterError) {
            let snapshot = try adapter.snapshot(replies, session)
            pictures += 1
            if pictures.isMultiple(of: Self.readAnewEvery), isReadOtherwiseAnew(snapshot) { misread += 1 }
            return take(snapshot)
        } catch {
            count("unreadable")
            // As `MatchPoll` does: what is at fault is forgotten, and after some failures everything.
            unreadable += 1
            if unreadable.isMultiple(of: MatchPoll.unreadableMax) {
                replies = ProviderReplies()
            } else if let part = error.part {
                replies[part] = nil
            }
            lastError = error
            isDoubted = true
            return false
        }
    }

    /// Sends what the adapter wants sent, and again as long as a part is named that is not held.
    private mutating func ask() -> Bool {
        var asked: Set<ReplyPart> = []
        var wanted = requests
        while !wanted.isEmpty && asked.count < MatchPoll.requestsMax {
            for request in wanted {
                asked.insert(request.part)
                let answer = send(request)
                // As `FeedPoller` does: what the plan does not have is not asked for again.
                let isRefused = answer.map { (400..<500).contains($0.status) && $0.status != 429 } ?? false
                guard let body = answer?.takenBody ?? (request.isOptional && isRefused ? [] : nil) else {
                    if request.isOptional { continue }
                    return false
                }
                if replies[request.part] != body { isDoubted = true }
                replies[request.part] = body
            }
            let (now, seen) = (replies, asked)
            wanted = requests.filter { now[$0.part] == nil && !seen.contains($0.part) }
        }
        return true
    }

    /// Sends one request, if the breaker lets it through; nil when it does not.
    private mutating func send(_ request: ProviderRequest) -> ServedAnswer? {
        guard case .granted = breaker.admit(now: clock.time, patience: Self.retryAfter) else {
            count("refused")
            return nil
        }
        let answer = feed.answer(ShapeRequest(request))
        let wasOpen = breaker.gauge == 2
        breaker.record(isSuccess: answer.isWell, now: clock.time, reopensAfter: CircuitBreaker.probeInterval)
        if breaker.gauge == 2 && !wasOpen { count("breaker opened") }
        gone = answer.status == 404 ? gone + 1 : 0
        if gone == MatchPoll.goneMax { count("gone") }
        if answer.takenBody == nil { count("failed") }
        return answer
    }

    /// Whether somebody who remembers nothing reads the same replies otherwise.
    private func isReadOtherwiseAnew(_ snapshot: MatchSnapshot) -> Bool {
        var anew = ProviderReplies()
        anew.merge(replies)
        return (try? adapter.snapshot(anew, session)) != snapshot
    }

    private var requests: [ProviderRequest] {
        adapter.matchRequests(match.id, session, replies: replies, record: rehearsal.record)
    }

    private mutating func take(_ snapshot: MatchSnapshot) -> Bool {
        unreadable = 0
        let before = rehearsal.record.size
        switch rehearsal.accept(snapshot) {
        case .applied, .unchanged, .standby:
            count("taken")
            isDoubted = false
            if rehearsal.record.size < before, truth >= before { falls += 1 }
            return true
        case .held(let reason):
            count("held \(reason)")
            isDoubted = true
            isHeld = true
            return false
        case .dropped(let reason):
            count("dropped \(reason)")
            isDoubted = true
            // As `MatchPoll` does: nobody knows which page it was.
            if reason == .emptyList { replies = ProviderReplies() }
            return false
        }
    }

    /// What the feed has just now, whatever it answers.
    private var truth: Int {
        let shown = feed.shown(at: clock.time)
        guard adapter.provider == .cricketData else { return shown.reduce(0) { $0 + $1.ballIDs.count } }
        return shown.reduce(0) { sum, match in
            match.document.innings.reduce(sum) { sum, innings in
                (innings.overs ?? []).reduce(sum) { $0 + $1.deliveries.reduce(0) { $0 + $1.runs.total } }
            }
        }
    }

    private mutating func count(_ word: String) { counts[word, default: 0] += 1 }
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
