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
        switch outcome {
        case .accepted:
            if !throttled.isEmpty { throttled.release(send.device) }
            if !behind.isEmpty, behind.removeValue(forKey: send.device) != nil { caughtUp.append(send.device) }
            settle(pass: send.pass)
            return true
        case .rejected(.stopEnvironment):
            giveBackAlert(of: send)
            return again(
                send,
                after: PushLimits.probeInterval,
                at: now,
                jitter: jitter,
                firstSentAt: now + PushLimits.probeInterval
            )
        case .rejected(let action):
            // The token is good, or not yet proved bad: its activity has missed this state.
            if action == .dropRequest || action == .quarantine {
                miss(send.device, send.generation, send.revision, isGivenUp: action == .dropRequest)
            }
            settle(pass: send.pass)
            return true
        case .failed(let retry):
            if retry.wasCertainlyNotDelivered { giveBackAlert(of: send) }
            let delay =
                retry == .throttled
                ? throttled.hold(send.device, send.generation, asked: retryAfter, at: now)
                : max(Self.delay(of: retry, attempt: send.attempt, jitter: jitter), retryAfter ?? .zero)
            return again(
                send,
                after: delay,
                at: now,
                jitter: jitter,
                firstSentAt: send.firstSentAt
            )
        }
    }

    /// Leaves a throttled token alone: it is owed this state, and receives the newest one later.
    mutating func leave(_ entry: TokenSlice.Entry, in walking: Walking, at now: Duration) -> Bool {
        let bucket = walking.bucket
        guard let until = throttled.until(entry.device, entry.generation, at: now) else { return false }
        let repeated = FanoutRetry(
            device: entry.device,
            generation: entry.generation,
            bucket: Int16(bucket),
            pass: FanoutRetry.releasedPass,
            attempt: 1,
            variant: entry.variant,
            firstSentAt: now
        )
        guard retries.insert(repeated, due: until) else { return false }
        if round?.take(entry.device, entry.wish, in: bucket) == true { round?.giveBack(entry.device, in: bucket) }
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
        round?.giveBack(send.device, in: Int(send.bucket))
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
        var passes: [Int32] = []
        var owedCounts: [Int16: Int] = [:]
        retries.changeAll { entry in
            guard entry.pass >= 0, owedCounts[entry.bucket, default: 0] < PushLimits.owedPerBucket else { return }
            owedCounts[entry.bucket, default: 0] += 1
            passes.append(entry.pass)
            entry.pass = FanoutRetry.releasedPass
        }
        repeatsAwaited -= passes.count
        for pass in passes { settle(pass: pass) }
    }

    /// The devices of a bucket that wait for another try without holding up the bucket.
    private func owed(in bucket: Int16) -> [DeviceID] {
        guard retries.count > repeatsAwaited else { return [] }
        return retries.all { $0.bucket == bucket && $0.pass < 0 }.prefix(PushLimits.owedPerBucket).map(\.device)
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
        _ send: FanoutSend,
        after delay: Duration,
        at now: Duration,
        jitter: Double,
        firstSentAt: Duration
    ) -> Bool {
        // The token receives a newer state anyway.
        if let encoded, send.revision < encoded.revision {
            settle(pass: send.pass)
            return true
        }
        var entry = FanoutRetry(
            device: send.device,
            generation: send.generation,
            bucket: send.bucket,
            pass: send.pass,
            attempt: send.attempt &+ 1,
            variant: send.variant,
            firstSentAt: firstSentAt
        )
        if now + delay <= firstSentAt + PushLimits.bucketRetryWindow, retries.insert(entry, due: now + delay) {
            if entry.pass >= 0 { repeatsAwaited += 1 }
            return false
        }
        let isFinal = encoded?.publication.isFinal ?? true
        if send.pass != FanoutRetry.noPass || isFinal {
            miss(send.device, send.generation, send.revision, isGivenUp: isFinal)
        } else {
            note(send.device, send.generation, send.revision, isGivenUp: false)
        }
        // Comes last, so that the bucket is recorded with the devices that it owes.
        defer { settle(pass: send.pass) }
        // The bucket continues, but the phone still receives the newest state once APNs can be reached; the end of a
        // match has its own repetitions.
        guard !isFinal else { return true }
        let wait = max(delay, PushLimits.owedRetryInterval * (1 + jitter))
        guard now + wait <= firstSentAt + PushLimits.owedRetryWindow else {
            expiredCount += 1
            return true
        }
        entry.pass = FanoutRetry.noPass
        return !retries.insert(entry, due: now + wait)
    }

    /// The wait before another try: none if APNs did not process the request (100 ms from the second time on, to avoid
    /// a tight loop), else 1 to 5 s, then twice that.
    private static func delay(of retry: RetryClass, attempt: UInt8, jitter: Double) -> Duration {
        switch retry {
        case .refused, .renewedToken, .newConnection, .draining: attempt == 0 ? .zero : .milliseconds(100)
        case .throttled: PushLimits.throttleWait
        case .server, .ambiguous, .sameToken: .seconds((1 + 4 * jitter) * (attempt == 0 ? 1 : 2))
        }
    }
}

extension Array {
    /// Removes and returns all elements.
    mutating func takeAll() -> [Element] {
        defer { removeAll(keepingCapacity: true) }
        return self
    }
}
