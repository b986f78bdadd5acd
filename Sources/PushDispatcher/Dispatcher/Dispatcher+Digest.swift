// Processes the reports of the lanes: progress, provider tokens, results, counts.

internal import HTTP2
internal import Logging
internal import ScoreTypes

extension Dispatcher {
    /// Takes the lanes' report and processes it.
    func digest() async {
        let report = outbox.take()
        // First, since the rest may wait for the store.
        for result in report.directed { notices.settle(result.ticket, as: result.outcome) }
        var discarded = 0
        for completion in report.completions where !tracker.note(completion, among: counted) {
            discarded += completion.bucket.sends
        }
        unrecorded.settled(discarded)
        giveUp(report.lost)
        for (environment, counts) in report.counts {
            metrics.add(counts, in: environment)
            let (new, known) = (counts.outcomes, answered[environment] ?? (0, 0, 0))
            answered[environment] = (
                known.accepted + new.accepted, known.rejected + new.rejected, known.failed + new.failed
            )
            expired[environment, default: 0] += counts.expiredCount
            for send in counts.firstSends {
                matches[send.match]?.firstRequests.note(send.revision, afterMilliseconds: send.milliseconds)
            }
            roundTrips[environment, default: RoundTrips()].add(counts.durations)
        }
        noteQuarantines(report)
        for trip in report.trips {
            log.error(
                "sends stopped",
                metadata: ["env": "\(trip.environment.rawValue)", "reason": "\(trip.reason.rawValue)"]
            )
        }
        for refusal in report.refusals { await providers.refused(refusal.tokenVersion, in: refusal.environment) }
        metrics.missed(report.missedCount)
        noteMissed(report.missed)
        for (match, device) in report.caughtUp { matches[match]?.exceptions.reached(device) }
        await flushIfDue()
        await settle(report.directed)
    }

    /// Sends new provider tokens to the lanes.
    func renewProviderTokens() async {
        for issue in await providers.renew() {
            for lane in lanes { lane.use(issue) }
        }
    }

    /// Records progress when it is due: soon after an alert, at once when a crash would repeat too much.
    func flushIfDue() async {
        let waited = clock.monotonic - lastFlush
        let isFull = tracker.waitingSends >= max(1, configuration.unrecordedSendsMax / 2)
        let interval = tracker.hasAlert ? PushLimits.flushInterval.alert : PushLimits.flushInterval.ordinary
        guard isFull || waited >= interval else { return }
        await flush()
    }

    /// Records all completed buckets.
    func flush() async {
        guard !isFlushing, !tracker.isEmpty, clock.monotonic >= nextFlushTry else { return }
        isFlushing = true
        var isReleased = false
        defer {
            if isReleased { for lane in lanes { lane.pump() } }
            isFlushing = false
            lastFlush = clock.monotonic
        }
        for batch in tracker.take() {
            do {
                let isRecorded = try await progress.record(
                    match: batch.match,
                    buckets: batch.buckets,
                    revision: batch.revision,
                    owed: batch.owed,
                    at: clock.wall
                )
                unrecorded.settled(batch.sends)
                isReleased = isReleased || batch.sends > 0
                if isRecorded {
                    matches[batch.match]?.served.record(batch.revision, of: batch.buckets)
                } else {
                    fence(batch)
                }
            } catch {
                tracker.add(batch)
                nextFlushTry = clock.monotonic + PushLimits.storeRetryInterval
                log.warning("progress not recorded", metadata: ["match.id": "\(batch.match)", "error": "\(error)"])
            }
        }
    }

    /// Releases buckets whose tokens are not in memory; if they return, they are taken over again.
    private func giveUp(_ lost: [MatchID: Set<Bucket>]) {
        for (match, buckets) in lost {
            matches[match]?.served.release(buckets)
            tracker.forget(Array(buckets), of: match)
        }
    }

    /// Stops serving buckets that another node owns.
    private func fence(_ batch: ProgressTracker.Batch) {
        log.warning(
            "buckets belong to another node",
            metadata: ["match.id": "\(batch.match)", "buckets": "\(batch.buckets.count)"]
        )
        matches[batch.match]?.served.release(batch.buckets)
        tracker.forget(batch.buckets, of: batch.match)
        for (index, lane) in lanes.enumerated() {
            lane.fence(batch.buckets.filter { Int($0.number) % lanes.count == index }, of: batch.match)
        }
    }

    /// Decides again for which environments progress waits; buckets that only waited for another one are recorded.
    func countEnvironments() {
        let reachable = environments.filter { isReachable($0) }
        let now = reachable.isEmpty ? environments : reachable
        if counted.contains(where: { !now.contains($0) }) { tracker.reconsider(among: now) }
        counted = now
    }

    /// Whether requests of an environment pass.
    ///
    /// The phones of a paused, failing or unreachable one get the newest state later, and the progress of the other
    /// environment must continue.
    private func isReachable(_ environment: PushEnvironment) -> Bool {
        guard !paused.contains(environment), outbox.gauges(of: environment).breakersOpen == 0 else { return false }
        return clock.monotonic - (lastReachable[environment] ?? startedAt) < PushLimits.unreachable
    }

    private func noteMissed(_ missed: [LaneReport.Missed]) {
        for miss in missed {
            guard let encoded = matches[miss.match]?.encoded else { continue }
            matches[miss.match]?.exceptions.missed(miss.token.device, miss.token.revision, at: clock.monotonic)
            let (device, generation) = (miss.token.device, miss.token.generation)
            guard miss.isFinal, encoded.publication.isFinal,
                let newest = tokens.newest(of: miss.match, device: device), newest.generation == generation,
                let token = tokens.token(of: miss.match, device: device, generation: generation)
            else { continue }
            let recipient = PushRecipient(
                device: device,
                generation: generation,
                environment: miss.environment,
                token: token
            )
            let end = PushEnd(recipient, content: EndContent(encoded.publication, for: newest.variant))
            _ = endRetries.failed(EndRetrySchedule.PendingEnd(end: end, firstTry: clock.monotonic))
        }
    }
}

extension EndContent {
    /// The end that a final publication makes for the activities that decode a variant of its state.
    init(_ publication: PushPublication, for variant: ActivityVariant) {
        self.init(
            match: publication.match,
            revision: publication.revision,
            apnsTimestamp: publication.apnsTimestamp,
            contentState: publication.contentState(for: variant)
        )
    }
}

extension PushPublication {
    /// The content state of a variant; a missing one is the first, as in the bodies of the fan-out.
    fileprivate func contentState(for variant: ActivityVariant) -> [UInt8] {
        let states = [contentState] + otherStates
        let number = Int(variant.rawValue)
        return number < states.count ? states[number] : contentState
    }
}
