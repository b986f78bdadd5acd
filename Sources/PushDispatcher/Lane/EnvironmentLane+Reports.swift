// A lane reports buckets at once, and counts at intervals.

internal import HTTP2
internal import ScoreTypes

extension EnvironmentLane {
    /// Hands the collected events to the dispatcher, if there are any.
    func report() {
        for match in matches { collect(match) }
        guard !counts.isEmpty else { return }
        // Adding counts costs the same for one answer as for ten thousand.
        guard context.now - countsReportedAt >= PushLimits.countsInterval else { return }
        countsReportedAt = context.now
        setting.outbox.add { report in
            if !quarantines.isEmpty { report.quarantines[environment, default: []] += quarantines }
            report.counts[environment, default: LaneCounts()].add(counts)
        }
        quarantines.removeAll(keepingCapacity: true)
        counts = LaneCounts()
    }

    /// Updates the gauges; called by the dispatcher's clock.
    func measure() {
        var gauges = LaneGauges()
        for pool in pools {
            gauges.connections += pool.slotCount
            gauges.connectionsOpen += pool.openCount
            gauges.streamsInUse += pool.streamsInUse
            gauges.streamsAllowed += pool.streamsAllowed
        }
        gauges.directedWaiting = directed.count + lifecycle.count + broadcasts.count
        gauges.broadcasts = broadcasts.gauge(at: context.now)
        gauges.lifecycle = lifecycle.gauge(at: context.now)
        gauges.notifications = directed.gauge(at: context.now)
        gauges.bucketsUnderWay = matches.count { $0.fanout.isInBucket }
        gauges.retriesWaiting = matches.reduce(0) { $0 + $1.fanout.retries.count }
        if breaker.state != .closed { (gauges.breakersOpen, gauges.breakerReason) = (1, breakerReason) }
        if case .halfOpen = breaker.state { gauges.breakersHalfOpen = 1 }
        setting.outbox.set(gauges, of: environment, lane: setting.index)
    }

    private func collect(_ match: MatchLane) {
        let superseded = match.fanout.supersededCount
        counts.superseded += superseded - match.reportedSuperseded
        match.reportedSuperseded = superseded
        let expired = match.fanout.expiredCount
        if expired > match.reportedExpired {
            counts.countExpired(.update, wasTried: true, expired - match.reportedExpired)
            match.reportedExpired = expired
        }
        if !match.fanout.lost.isEmpty {
            let lost = match.fanout.lost.takeAll()
            setting.outbox.add { $0.lost[match.match, default: []].formUnion(lost) }
        }
        if !match.fanout.caughtUp.isEmpty {
            let caughtUp = match.fanout.caughtUp.takeAll()
            setting.outbox.add { $0.caughtUp += caughtUp.map { (match.match, $0) } }
        }
        guard !match.fanout.completed.isEmpty || !match.fanout.missed.isEmpty else { return }
        let completed = match.fanout.completed.takeAll()
        let missed = match.fanout.missed.takeAll()
        let isFinal = match.fanout.encoded?.publication.isFinal ?? false
        setting.unrecorded.completed(completed.reduce(0) { $0 + $1.sends })
        let missedNow = match.fanout.missedCount - match.reportedMissed
        match.reportedMissed += missedNow
        setting.outbox.add { report in
            report.missedCount += missedNow
            report.completions += completed.map { (match.match, environment, $0) }
            let misses: [LaneReport.Missed] = missed.map { (match.match, environment, $0, isFinal && $0.isGivenUp) }
            report.missed.append(misses, upTo: PushLimits.missedPerReport)
        }
    }
}
