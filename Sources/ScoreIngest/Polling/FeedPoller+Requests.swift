// Every request of a feed goes through here: its session, its budget, its breaker, one at a time for each address.

internal import CurlTransfer
internal import Logging
internal import MatchEngine
internal import Providers
internal import ScoreTypes

/// A request with the tag it is sent with: whoever asks the same shares the answer.
struct FlightKey: Hashable, Sendable {
    let request: ProviderRequest
    let etag: String?
}

/// What became of a round of requests for one picture.
enum Round: Sendable {
    /// All were answered; the store holds what is new.
    case answered
    /// One of them failed.
    case failed(FetchFailure)
    /// One of them could not be sent: breaker, budget, session.
    case refused(wait: Duration)
}

extension FeedPoller {
    /// Sends the requests of a picture one after the other, and keeps what came even when a later one fails.
    ///
    /// - Returns: The store, which is the caller's again, and what became of the round.
    func ask(
        _ requests: [ProviderRequest],
        of match: MatchID?,
        for use: RequestUse = .rest,
        into store: PartStore
    ) async -> (PartStore, Round) {
        var store = store
        for request in requests.prefix(MatchPoll.requestsMax) {
            switch await fetch(request, of: match, for: use, etag: store.etag(of: request.part)) {
            case .refused where request.isOptional: continue
            case .failed(let failure) where request.isOptional:
                // What the plan does not have is not asked for again: nothing is held in its place.
                if failure.isForGood { store.take([], etag: nil, of: request.part) }
            case .refused(let wait): return (store, .refused(wait: wait))
            case .failed(let failure):
                // A refused token is opened anew at once, at most once a minute.
                let isRefused = failure.status == 401 || failure.status == 403
                if isRefused, opening.refused(now: clock.monotonic) { return (store, .refused(wait: .zero)) }
                return (store, .failed(failure))
            case .notModified:
                metrics.requested(.notModified)
                store.wasAnswered(request.part)
            case .body(let body, let etag):
                metrics.requested(.ok)
                obey(feed.adapter.allowance(ProviderReplies([request.part: body])))
                store.take(body, etag: etag, of: request.part)
                store.wasAnswered(request.part)
            }
        }
        return (store, .answered)
    }

    /// Whether the feed has to be opened anew: a reply says that the token is of no use, with whatever status it came,
    /// or has a word that the tables do not have; at most once a minute (`SessionState.reopenEvery`).
    func asksForOpening(_ error: AdapterError) -> Bool {
        switch error {
        case .refused: break
        // A session that doubts its tables may have none.
        case .unknownWord:
            let session = opening.session
            guard session?.tables.isEmpty == false || session?.doubts.isEmpty == false else { return false }
        case .notJSON, .missing, .wrongForm, .outOfRange, .contradiction: return false
        }
        return opening.refused(now: clock.monotonic)
    }

    /// The session of the feed, opened if need be; else how long to wait.
    func session() async -> Result<ProviderSession, Postponed> {
        while true {
            switch opening.step(now: clock.monotonic) {
            case .use(let session): return .success(session)
            case .wait(let wait): return .failure(Postponed(wait: wait))
            case .open:
                if let wait = quietTime(of: nil) { return .failure(Postponed(wait: wait)) }
                if openers != nil {
                    // Somebody is at it; then look again.
                    await withCheckedContinuation { openers?.append($0) }
                } else {
                    openers = []
                    await open()
                    for waiter in openers.take() ?? [] { waiter.resume() }
                }
                if Task.isCancelled { return .failure(Postponed(wait: Self.standbyInterval)) }
            }
        }
    }

    /// Nothing can be asked before this real time has passed.
    struct Postponed: Error { let wait: Duration }

    /// Signs in and reads the tables.
    private func open() async {
        var replies = PartStore()
        let requests = feed.adapter.opening(feed.credentials)
        for request in requests {
            switch await fetch(request, of: nil, etag: nil) {
            case .body(let body, _):
                metrics.requested(.ok)
                replies.take(body, etag: nil, of: request.part)
            case .notModified: break
            // A table that is held is better than none.
            case .failed(let failure) where request.isOptional && opening.session == nil && !failure.isAboutClient:
                continue
            case .failed(let failure): return openingFailed(failure)
            case .refused: return openingFailed(nil)
            }
        }
        do throws(AdapterError) {
            let session = try feed.adapter.session(replies.replies, feed.credentials, at: clock.wall)
            opening.opened(session, at: clock.wall, now: clock.monotonic)
            if let token = session.token { secrets.take(token) }
            let kept = ProviderSession(
                project: session.project,
                token: session.token,
                expiresAt: session.expiresAt,
                tables: session.tables.withoutSignIn(requests)
            )
            surroundings.capture(FeedCapture(feed: feed.id, wall: clock.wall, kind: .session(feed.source, kept)))
            if let first = session.doubts.first { unreadable(first, nil, kept.tables) }
            for _ in session.doubts.dropFirst() { metrics.quarantined(FetchLabel.badSchema.rawValue) }
        } catch {
            unreadable(error, nil, replies.replies.withoutSignIn(requests))
            openingFailed(nil)
        }
    }

    private func openingFailed(_ failure: FetchFailure?) {
        // Who is told that the key is wrong keeps nothing that was made with it.
        if failure?.status == 401 || failure?.status == 403 { opening.drop() }
        let jitter = surroundings.jitter()
        let wait = opening.failed(retryAfter: failure?.retryAfter, clock: clock, jitter: jitter)
        surroundings.logger.warning("feed not opened", metadata: place(nil, ["wait": "\(wait)"]))
    }

    /// Sends one request within the limits that all matches of the feed share, or joins the one that is under way.
    func fetch(
        _ request: ProviderRequest,
        of match: MatchID?,
        for use: RequestUse = .rest,
        etag: String?
    ) async -> FetchOutcome {
        let key = FlightKey(request: request, etag: etag)
        if flights[key] != nil {
            return await withCheckedContinuation { flights[key]?.append($0) }
        }
        if let wait = quietTime(of: match) { return .refused(wait: wait) }
        let before = breaker.gauge
        let admission = breaker.admit(now: clock.monotonic, patience: probeInterval)
        breakerChanged(from: before)
        if case .refused(let wait) = admission { return .refused(wait: wait) }
        if let wait = budget?.take(for: use, by: match, now: clock.monotonic) {
            breaker.abandon()
            facts.overBudget += 1
            metrics.overBudget()
            // Who waits for the same request does not come for it at the same moment.
            return .refused(wait: wait * (1 + 0.1 * min(max(surroundings.jitter(), 0), 1)))
        }
        flights[key] = []
        facts.requests += 1
        let outcome = await send(request, of: match, etag: etag)
        for waiter in flights.removeValue(forKey: key) ?? [] { waiter.resume(returning: outcome) }
        return outcome
    }

    private func send(_ request: ProviderRequest, of match: MatchID?, etag: String?) async -> FetchOutcome {
        let outcome: FetchOutcome
        do throws(TransferError) {
            let reply = try await surroundings.driver.perform(feed.transfer(request, etag: etag))
            outcome = FetchOutcome(reply, now: clock.wall)
            note(reply, outcome)
        } catch {
            guard let failure = FetchOutcome(error) else {
                breaker.abandon()
                return .refused(wait: Self.standbyInterval)
            }
            outcome = failure
        }
        if case .failed(let failure) = outcome {
            failed(failure, request, match)
        } else {
            // Whether it can be read is the matter of its match: one bad page holds up no other.
            record(isSuccess: true)
        }
        return outcome
    }

    /// Notes a reply that could not be read.
    func unreadable(_ error: AdapterError, _ match: MatchID?, _ replies: ProviderReplies) {
        let error = secrets.struck(from: error)
        let label: FetchLabel = error == .notJSON ? .badJson : .badSchema
        metrics.requested(label)
        metrics.quarantined(label.rawValue)
        facts.unreadable += 1
        facts.lastFailure = clock.wall
        facts.lastFailureReason = "\(label.rawValue) \(error)"
        surroundings.logger.warning("reply refused", metadata: place(match, ["reason": "\(error)"]))
        let kind = FeedCapture.Kind.unreadable(match, replies, reason: "\(error)")
        surroundings.capture(FeedCapture(feed: feed.id, wall: clock.wall, kind: kind))
    }

    private var probeInterval: Duration {
        Cadence.real(
            FeedBreaker.probeInterval,
            floor: FeedBreaker.probeFloor,
            clock: clock,
            jitter: surroundings.jitter()
        )
    }

    private func note(_ reply: Reply, _ outcome: FetchOutcome) {
        facts.bytes += reply.body.count
        guard outcome.isUsable else { return }
        metrics.answered(in: reply.duration, bytes: reply.body.count)
    }

    /// Notes that a list or a picture could be read: an answer alone is no sign of life, as a page for people may come
    /// with status 200.
    func wasRead(at now: Instant) {
        facts.lastSuccess = now
        metrics.wasRead(at: now)
    }

    /// Real time for which the provider wants to be left alone; nil when it does not.
    private func quietTime(of match: MatchID?) -> Duration? {
        quiet.wait(of: match, now: clock.monotonic, jitter: surroundings.jitter())
    }

    private func failed(_ failure: FetchFailure, _ request: ProviderRequest, _ match: MatchID?) {
        quiet.note(failure, of: match, now: clock.monotonic)
        facts.lastFailure = clock.wall
        let reason = failure.label.rawValue + (failure.status.map { " \($0)" } ?? "")
        facts.lastFailureReason = reason
        metrics.requested(failure.label)
        surroundings.logger.warning(
            "request failed",
            metadata: place(match, ["reason": "\(reason)", "request": "\(request)"])
        )
        record(isSuccess: !failure.countsAgainstFeed)
    }

    /// Spends no more than the provider says is left of the day.
    private func obey(_ allowance: RequestAllowance?) {
        guard let allowance else { return }
        let now = clock.monotonic
        if budget == nil { budget = HourlyBudget(requests: allowance.limit, now: now) }
        budget?.obey(allowance, now: now, wall: clock.wall)
    }

    private func record(isSuccess: Bool) {
        let before = breaker.gauge
        breaker.record(isSuccess ? .success : .failure, now: clock.monotonic, reopensAfter: probeInterval)
        breakerChanged(from: before)
        // Who waits for the breaker need not wait for its own turn.
        if before != 0, breaker.gauge == 0 { comeBack() }
    }

    private func breakerChanged(from before: Int) {
        guard breaker.gauge != before else { return }
        metrics.breakerIs(breaker.gauge)
        surroundings.logger.warning("breaker changed", metadata: place(nil, ["state": "\(breaker.gauge)"]))
    }
}

extension ProviderReplies {
    /// The replies that captures may have: what answers a sign-in may hold a token that nobody has read, and what is
    /// not known cannot be struck out.
    fileprivate func withoutSignIn(_ opening: [ProviderRequest]) -> ProviderReplies {
        var kept = self
        for request in opening where request.isSignIn { kept[request.part] = nil }
        return kept
    }
}
