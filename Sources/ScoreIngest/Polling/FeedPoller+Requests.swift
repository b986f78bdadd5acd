// Every request of a feed passes its gate: pauses, breaker, budget, and one request at a time for each address.

internal import CurlTransfer
internal import MatchEngine
internal import Providers
internal import ScoreTypes

extension FeedPoller {
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
        let outcome: FetchOutcome
        do throws(TransferError) {
            let reply = try await dependencies.driver.perform(feed.transfer(request, etag: etag))
            outcome = FetchOutcome(reply, now: clock.wall)
            telemetry.replied(reply, outcome)
        } catch {
            outcome = FetchOutcome(error) ?? .refused(wait: IngestLimits.standbyInterval)
        }
        if case .failed(let failure) = outcome { telemetry.failed(failure, request, of: match) }
        let isBreakerClosed = state.gate.ended(flight, outcome, of: match, context)
        telemetry.breakerIs(state.gate.breaker.gauge)
        // Matches that wait for the breaker need not wait for their next poll.
        if isBreakerClosed { handle(.breakerClosed) }
        for waiter in flights.removeValue(forKey: flight) ?? [] { waiter.resume(returning: outcome) }
        return outcome
    }

    /// Records a reply that could not be read.
    func unreadable(_ error: AdapterError, _ match: MatchID?, _ replies: ProviderReplies) {
        let error = secrets.struck(from: error)
        telemetry.unreadable(error, of: match)
        capture(.unreadable(match, replies, reason: "\(error)"))
    }

    func capture(_ kind: FeedCapture.Kind) {
        dependencies.capture(FeedCapture(feed: feed.id, wall: clock.wall, kind: kind))
    }
}
