// The orders of the dispatcher to a lane.

internal import HTTP2
internal import ScoreTypes

extension LaneThread {
    func fence(_ buckets: [Bucket], of match: MatchID) {
        perform { core in core.forEach { $0.matchLane(match).fanout.fence(buckets) } }
    }

    func late(_ tokens: [LateToken]) {
        perform { core in
            for token in tokens {
                guard let lane = core[token.environment] else { continue }
                lane.matchLane(token.match).fanout.late(token, at: lane.context.now)
            }
            core.forEach { $0.pump() }
        }
    }

    /// Sends requests; all of them are reported as unsent if the lane has stopped or its queue of orders is full.
    func send(_ pushes: [DirectedPush], in environment: PushEnvironment, reportingTo outbox: LaneOutbox) {
        let isTaken = perform { core in
            guard let lane = core[environment] else { return }
            for push in pushes {
                var push = push
                push.queuedAt = lane.context.now
                guard !lane.keep(push) else { continue }
                lane.counts.directedDropped += 1
                lane.finish(push, .unsent)
            }
            lane.pump()
        }
        guard !isTaken else { return }
        outbox.add { $0.directed += pushes.map { DirectedResult($0, in: environment, .unsent) } }
    }

    /// Sets a new provider token; waiting requests are sent.
    func use(_ issue: ProviderTokenCache.Issue) {
        perform { core in
            core[issue.environment]?.use(issue.token, version: issue.version, isOfNewKey: issue.isOfNewKey)
        }
    }

    /// Looks for work again, for example after sends were recorded.
    func pump() {
        perform { core in
            core.forEach { lane in
                lane.pump()
                lane.report()
            }
        }
    }

    func pause(_ environment: PushEnvironment, _ isPaused: Bool) {
        perform { core in
            core[environment]?.isPaused = isPaused
            core[environment]?.pump()
        }
    }

    /// Closes the breaker of an environment, so that requests pass at once.
    func resetBreaker(_ environment: PushEnvironment) {
        perform { core in
            core[environment]?.breaker.reset()
            core[environment]?.pump()
        }
    }

    /// Starts nothing new; only current work is finished.
    func leave() {
        perform { core in
            core.forEach { lane in
                lane.isLeaving = true
                lane.pump()
            }
        }
    }

    /// Ends all open requests as ambiguous; returns when their results are reported.
    func abandon() async { await performed { core in core.forEach { $0.abandon() } } }

    /// Returns the waiting requests for single devices unsent; returns when their results are reported.
    func returnWaiting() async { await performed { core in core.forEach { $0.returnWaiting() } } }

    /// Returns waiting notifications unsent; open requests stay.
    func withdraw(_ tickets: Set<UInt64>) async {
        await performed { core in
            core.forEach { lane in
                for push in lane.directed.removeAll(where: { tickets.contains($0.ticket) }) {
                    lane.finish(push, .unsent)
                }
            }
        }
    }

    /// Runs a body on the thread and returns after it.
    private func performed(_ body: @escaping @Sendable (LaneCore) -> Void) async {
        await withCheckedContinuation { continuation in
            let isTaken = perform { core in
                body(core)
                continuation.resume()
            }
            if !isTaken { continuation.resume() }
        }
    }

    func forget(_ match: MatchID) {
        perform { core in core.forEach { $0.forget(match) } }
    }

    func measure() {
        perform { core in
            core.forEach { lane in
                // A gauge of no open request says that all results are reported.
                lane.report()
                lane.measure()
            }
        }
    }
}
