// Every request of a feed passes its gate: session, pauses, breaker, budget, and one request at a time for each
// address.

internal import CurlTransfer
internal import MatchEngine
internal import Providers
internal import ScoreTypes

extension FeedPoller {
    /// The session of the feed, opened if need be; else the real time until there may be one.
    func session() async -> Result<ProviderSession, Postponed> {
        while true {
            switch state.gate.findSession(context) {
            case .use(let session): return .success(session)
            case .wait(let wait): return .failure(Postponed(wait: wait))
            case .join: await withCheckedContinuation { openers.append($0) }
            case .open:
                await open()
                for opener in openers { opener.resume() }
                openers = []
            }
            if Task.isCancelled { return .failure(Postponed(wait: IngestLimits.standbyInterval)) }
        }
    }

    /// Nothing can be requested before this real time has passed.
    struct Postponed: Error { let wait: Duration }

    /// Signs in and reads the tables.
    private func open() async {
        var store = PartStore()
        let requests = feed.adapter.opening(feed.credentials)
        for request in requests {
            let outcome = await fetch(request, of: nil, for: .rest, etag: nil)
            switch outcome {
            case .body(let body, _):
                telemetry.answered(outcome)
                store.take(body, etag: nil, of: request.part)
            case .notModified: break
            // Tables that are held are better than an opening without this one.
            case .failed(let failure)
            where request.isOptional && state.gate.session.session == nil && !failure.isAboutClient: continue
            case .failed(let failure): return openingFailed(failure)
            case .refused: return openingFailed(nil)
            }
        }
        do throws(AdapterError) {
            let session = try feed.adapter.session(store.replies, feed.credentials, at: clock.wall)
            state.gate.session.opened(session, context)
            if let token = session.token { secrets.take(token) }
            let kept = ProviderSession(
                project: session.project,
                token: session.token,
                expiresAt: session.expiresAt,
                tables: session.tables.withoutSignIn(requests)
            )
            capture(.session(feed.source, kept))
            if let first = session.doubts.first { unreadable(first, nil, kept.tables) }
            telemetry.entriesUnreadable(session.doubts.count - 1)
        } catch {
            unreadable(error, nil, store.replies.withoutSignIn(requests))
            openingFailed(nil)
        }
    }

    private func openingFailed(_ failure: FetchFailure?) {
        telemetry.notOpened(state.gate.session.failed(failure, context))
    }

    /// Sends the requests of a round one after the other; returns the round with its outcome.
    func send(_ round: RequestRound, of match: MatchID?) async -> RequestRound {
        var round = round
        while let request = round.next() {
            var outcome = await fetch(
                request,
                of: match,
                for: round.use,
                etag: round.store.etag(of: request.part)
            )
            switch outcome {
            case .body(let body, _):
                telemetry.answered(outcome)
                if let allowance = feed.adapter.allowance(ProviderReplies([request.part: body])) {
                    state.gate.adopt(allowance, context)
                }
            case .notModified: telemetry.answered(outcome)
            case .failed(let failure) where !request.isOptional && failure.isTokenRefused:
                if state.gate.session.refused(now: clock.monotonic) { outcome = .refused(wait: .zero) }
            case .failed, .refused: break
            }
            round.take(outcome, of: request)
        }
        return round
    }

    /// Sends one request when the gate admits it, or shares the answer of the same request in flight.
    func fetch(
        _ request: ProviderRequest,
        of match: MatchID?,
        for use: RequestUse,
        etag: String?
    ) async -> FetchOutcome {
        let flight = RequestGate.Flight(request: request, etag: etag)
        let answer = state.gate.admit(flight, of: match, for: use, context)
        telemetry.breakerIs(state.gate.breaker.gauge)
        switch answer {
        case .join: return await withCheckedContinuation { flights[flight, default: []].append($0) }
        case .wait(let wait, let limit):
            if limit == .budget { telemetry.waitedForBudget() }
            return .refused(wait: wait)
        case .send: break
        }
        telemetry.sent()
        let outcome = await perform(request, of: match, etag: etag)
        let isBreakerClosed = state.gate.ended(flight, outcome, of: match, context)
        telemetry.breakerIs(state.gate.breaker.gauge)
        // Matches that wait for the breaker need not wait for their next poll.
        if isBreakerClosed { handle(.breakerClosed) }
        for waiter in flights.removeValue(forKey: flight) ?? [] { waiter.resume(returning: outcome) }
        return outcome
    }

    private func perform(_ request: ProviderRequest, of match: MatchID?, etag: String?) async -> FetchOutcome {
        let outcome: FetchOutcome
        do throws(TransferError) {
            let reply = try await dependencies.driver.perform(feed.transfer(request, etag: etag))
            outcome = FetchOutcome(reply, now: clock.wall)
            telemetry.replied(reply, outcome)
        } catch {
            outcome = FetchOutcome(error) ?? .refused(wait: IngestLimits.standbyInterval)
        }
        if case .failed(let failure) = outcome { telemetry.failed(failure, request, of: match) }
        return outcome
    }

    /// Records a reply that could not be read.
    func unreadable(_ error: AdapterError, _ match: MatchID?, _ replies: ProviderReplies) {
        let error = secrets.struck(from: error)
        telemetry.unreadable(error, of: match)
        capture(.unreadable(match, replies, reason: "\(error)"))
    }

    private func capture(_ kind: FeedCapture.Kind) {
        dependencies.capture(FeedCapture(feed: feed.id, wall: clock.wall, kind: kind))
    }
}

extension ProviderReplies {
    /// The replies that captures may have: the answer to a sign-in may hold a token that was not read, and what is not
    /// known cannot be struck out.
    fileprivate func withoutSignIn(_ opening: [ProviderRequest]) -> ProviderReplies {
        var kept = self
        for request in opening where request.isSignIn { kept[request.part] = nil }
        return kept
    }
}
