// The dispatcher's periodic work: paced publications, repeated ends, planned starts, gauges.

internal import ScoreTypes

extension Dispatcher {
    func tick() async {
        await publishDue()
        await flushIfDue()
        await makeDueStarts()
        await evaluateQuarantines()
        let repeats = endRetries.due(at: clock.monotonic)
        if !repeats.isEmpty { send(repeats) }
        guard clock.monotonic - lastSlowTick >= PushLimits.slowTick else { return }
        lastSlowTick = clock.monotonic
        await takeOverNewBuckets()
        for lane in lanes { lane.measure() }
        for environment in environments {
            let status = await status(of: environment)
            if status.gauges.connectionsOpen > 0 { lastReachable[environment] = clock.monotonic }
            metrics.set(status)
            metrics.minted(environment, status.providerTokensMinted - reportedMinted[environment, default: 0])
            reportedMinted[environment] = status.providerTokensMinted
        }
        countEnvironments()
    }

    private func publishDue() async {
        for match in matches.keys.sorted() {
            guard matches[match]?.pacing.waiting != nil,
                let decision = matches[match]?.pacing.due(at: clock.domain)
            else { continue }
            await carryOut(decision, for: match)
        }
    }

    /// Takes over buckets whose ownership changed without a publication.
    private func takeOverNewBuckets() async {
        for match in matches.keys.sorted() where matches[match]?.encoded != nil {
            await takeOver(match)
            // A new publication does not wait for all other matches.
            await Task.yield()
        }
    }
}
