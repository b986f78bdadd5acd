// Applies answers to the fan-out: every request gets one final answer.

internal import ScoreTypes

extension Fanout {
    /// Applies the outcome of a request.
    ///
    /// A configuration error says nothing about the token: the token waits for the breaker's next probe, however long
    /// that takes.
    ///
    /// - Parameters:
    ///   - send: The request.
    ///   - outcome: Its outcome.
    ///   - now: The loop's time.
    ///   - jitter: A number of at least 0 and less than 1, drawn for this answer.
    ///   - retryAfter: The wait that APNs requested; nil for none.
    /// - Returns: Whether the request is not repeated.
    @discardableResult
    mutating func settle(
        _ send: FanoutSend,
        as outcome: PushOutcome,
        at now: Duration,
        jitter: Double,
        retryAfter: Duration? = nil
    ) -> Bool {
        let token = send.token
        switch outcome {
        case .accepted:
            if !throttled.isEmpty { throttled.release(token.device) }
            if !behind.isEmpty, behind.removeValue(forKey: token.device) != nil { caughtUp.append(token.device) }
            settle(pass: token.pass)
            return true
        case .rejected(.stopEnvironment):
            giveBackAlert(of: send)
            var waiting = token
            waiting.firstSentAt = now + PushLimits.probeInterval
            return again(waiting, send.revision, after: PushLimits.probeInterval, at: now, jitter: jitter)
        case .rejected(let action):
            // The token is good, or not yet proved bad: its activity has missed this state.
            if action == .dropRequest || action == .quarantine {
                miss(token.device, token.generation, send.revision, isGivenUp: action == .dropRequest)
            }
            settle(pass: token.pass)
            return true
        case .failed(let retry):
            if retry.wasCertainlyNotDelivered { giveBackAlert(of: send) }
            let delay =
                retry == .throttled
                ? throttled.hold(token.device, token.generation, asked: retryAfter, at: now)
                : max(Self.delay(of: retry, attempt: token.attempt, jitter: jitter), retryAfter ?? .zero)
            return again(token, send.revision, after: delay, at: now, jitter: jitter)
        }
    }

    /// Leaves a throttled token alone: it is owed this state, and receives the newest one later.
    mutating func leave(_ entry: TokenSlice.Entry, in walking: Walking, at now: Duration) -> Bool {
        let bucket = walking.bucket
        guard let until = throttled.until(entry.device, entry.generation, at: now) else { return false }
        let repeated = FanoutToken(
            device: entry.device,
            generation: entry.generation,
            bucket: Int16(bucket),
            pass: FanoutToken.releasedPass,
            attempt: 1,
            variant: entry.variant,
            isInfrequent: entry.wish.isInfrequent,
            firstSentAt: now
        )
        guard retries.insert(repeated, due: until) else { return false }
        if round?.take(entry.device, entry.wish, newSince: entry.newSince, in: bucket) == true {
            round?.giveBack(entry.device)
        }
        miss(entry.device, entry.generation, walking.revision, isGivenUp: false)
        return true
    }

    /// Notes that a token did not receive a state and its bucket continues.
    mutating func miss(_ device: DeviceID, _ generation: Int32, _ revision: Int64, isGivenUp: Bool = true) {
        missedCount += 1
        note(device, generation, revision, isGivenUp: isGivenUp)
    }

    mutating func note(_ device: DeviceID, _ generation: Int32, _ revision: Int64, isGivenUp: Bool) {
        if behind.count < PushLimits.missedTokens || behind[device] != nil { behind[device] = revision }
        guard missed.count < PushLimits.missedTokens else { return }
        missed.append(
            MissedToken(device: device, generation: generation, revision: revision, isGivenUp: isGivenUp)
        )
    }

    private mutating func giveBackAlert(of send: FanoutSend) {
        guard send.hasAlert, send.round == roundSerial else { return }
        round?.giveBack(send.token.device)
    }

    /// Takes back a request that was never sent.
    mutating func takeBack(_ send: FanoutSend, at now: Duration) {
        settle(send, as: .failed(.refused), at: now, jitter: 0)
    }

    /// Completes buckets without the tokens that wait for another try.
    ///
    /// These tokens are still retried, and recorded as owed for a successor.
    mutating func releaseRepeats() {
        guard repeatsAwaited > 0 else { return }
        let owedMax = owedPerBucket
        var passes: [Int32] = []
        var owedCounts: [Int16: Int] = [:]
        retries.changeAll { entry in
            guard entry.pass >= 0, owedCounts[entry.bucket, default: 0] < owedMax else { return }
            owedCounts[entry.bucket, default: 0] += 1
            passes.append(entry.pass)
            entry.pass = FanoutToken.releasedPass
        }
        repeatsAwaited -= passes.count
        for pass in passes { settle(pass: pass) }
    }

    /// Sends nothing more: the rest of the current bucket counts as owed, and no bucket waits for repeats.
    ///
    /// A bucket that was partly walked would otherwise be repeated with its alert. The owed devices receive the state
    /// from the successor, without a sound.
    mutating func withhold(at now: Duration, source: any TokenSource) {
        owedPerBucket = PushLimits.owedPerBucketAtStop
        while let send = next(at: now, .bucketUnderWay, source: source) {
            settle(send, as: .failed(.ambiguous), at: now, jitter: 0)
        }
    }

    /// The devices of a bucket that wait for another try without holding up the bucket.
    private func owed(in bucket: Int16) -> [DeviceID] {
        guard retries.count > repeatsAwaited else { return [] }
        return retries.all { $0.bucket == bucket && $0.pass < 0 }.prefix(owedPerBucket).map(\.device)
    }

    /// Notes the final answer of one token of a pass.
    mutating func settle(pass: Int32) {
        guard pass >= 0, let done = passes.settle(pass) else { return }
        complete(done)
    }

    mutating func complete(_ pass: PassTable.Pass) {
        let walk = walks[Int(pass.bucket)]
        guard walk.isOwned else { return }
        completed.append(
            CompletedBucket(
                bucket: walk.bucket,
                revision: pass.revision,
                sends: Int(pass.sends),
                hasAlert: pass.hasAlert,
                owed: owed(in: pass.bucket)
            )
        )
    }

    /// Schedules another try; returns true if there is none.
    private mutating func again(
        _ token: FanoutToken,
        _ revision: Int64,
        after delay: Duration,
        at now: Duration,
        jitter: Double
    ) -> Bool {
        // The token receives a newer state anyway.
        if let encoded, revision < encoded.revision {
            settle(pass: token.pass)
            return true
        }
        var entry = token
        entry.attempt &+= 1
        if now + delay <= token.firstSentAt + PushLimits.bucketRetryWindow, retries.insert(entry, due: now + delay) {
            if entry.pass >= 0 { repeatsAwaited += 1 }
            return false
        }
        let isFinal = encoded?.publication.isFinal ?? true
        if token.pass != FanoutToken.noPass || isFinal {
            miss(token.device, token.generation, revision, isGivenUp: isFinal)
        } else {
            note(token.device, token.generation, revision, isGivenUp: false)
        }
        // Comes last, so that the bucket is recorded with the devices that it owes.
        defer { settle(pass: token.pass) }
        // The bucket continues, but the phone still receives the newest state once APNs can be reached; the end of a
        // match has its own repetitions.
        guard !isFinal else { return true }
        let isFrequent = now <= token.firstSentAt + PushLimits.frequentRetryWindow
        let wait = max(delay, isFrequent ? Self.backOff(jitter) : PushLimits.owedRetryInterval * (1 + jitter))
        guard now + wait <= token.firstSentAt + PushLimits.owedRetryWindow else {
            expiredCount += 1
            return true
        }
        entry.pass = FanoutToken.noPass
        return !retries.insert(entry, due: now + wait)
    }

    /// The wait before another try: none if APNs did not process the request (100 ms from the second time on, to avoid
    /// a tight loop), else 1 to 5 s.
    private static func delay(of retry: RetryClass, attempt: UInt8, jitter: Double) -> Duration {
        switch retry {
        case .refused, .renewedToken, .newConnection, .draining: attempt == 0 ? .zero : .milliseconds(100)
        case .throttled: PushLimits.throttleWait
        case .server, .ambiguous, .sameToken: backOff(jitter)
        }
    }

    /// 1 to 5 s: the wait after a failure that may last.
    private static func backOff(_ jitter: Double) -> Duration { .seconds(1 + 4 * jitter) }
}

extension Array {
    /// Appends elements until there are as many as a bound allows.
    mutating func append(_ elements: [Element], upTo bound: Int) {
        append(contentsOf: elements.prefix(Swift.max(0, bound - count)))
    }

    /// Removes and returns all elements.
    mutating func takeAll() -> [Element] {
        defer { removeAll(keepingCapacity: true) }
        return self
    }
}
