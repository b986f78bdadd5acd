// Every request gets one final answer, whatever happens to it; this is where it is booked.

internal import ScoreTypes

extension Fanout {
    /// Books the outcome of a request.
    ///
    /// An answer that blames the whole environment (its key, its topic) is no answer for the token: it waits until the
    /// breaker probes again, however long that takes.
    ///
    /// - Parameters:
    ///   - send: The request.
    ///   - outcome: What became of it.
    ///   - now: The loop's time.
    ///   - jitter: A number from 0 up to 1, drawn for this answer.
    ///   - retryAfter: How long APNs asked to wait, if it did.
    /// - Returns: Whether nothing more is tried for this request.
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
            if !held.isEmpty { held.release(send.device) }
            if !behind.isEmpty, behind.removeValue(forKey: send.device) != nil { caughtUp.append(send.device) }
            settle(pass: send.pass)
            return true
        case .rejected(.stopEnvironment):
            giveBackAlert(of: send)
            return again(
                send,
                after: EnvironmentBreaker.probeInterval,
                at: now,
                jitter: jitter,
                firstSentAt: now + EnvironmentBreaker.probeInterval
            )
        case .rejected(let action):
            // The token is not to blame, or not yet believed to be: its activity has missed this state.
            if action == .dropRequest || action == .quarantine {
                miss(send.device, send.generation, send.revision, isGivenUp: action == .dropRequest)
            }
            settle(pass: send.pass)
            return true
        case .failed(let retry):
            if retry.wasCertainlyNotDelivered { giveBackAlert(of: send) }
            let delay =
                retry == .throttled
                ? held.hold(send.device, send.generation, asked: retryAfter, at: now)
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

    /// Leaves a token alone that APNs throttles: it is owed what the walk brings, and gets the newest state in time.
    mutating func leave(_ entry: TokenSlice.Entry, in walking: Walking, at now: Duration) -> Bool {
        let bucket = walking.bucket
        guard let until = held.until(entry.device, entry.generation, at: now) else { return false }
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

    /// A token did not get a state while its bucket went on.
    mutating func miss(_ device: DeviceID, _ generation: Int32, _ revision: Int64, isGivenUp: Bool = true) {
        missedCount += 1
        note(device, generation, revision, isGivenUp: isGivenUp)
    }

    mutating func note(_ device: DeviceID, _ generation: Int32, _ revision: Int64, isGivenUp: Bool) {
        if behind.count < Self.missedMax || behind[device] != nil { behind[device] = revision }
        guard missed.count < Self.missedMax else { return }
        missed.append(
            MissedToken(device: device, generation: generation, revision: revision, isGivenUp: isGivenUp)
        )
    }

    private mutating func giveBackAlert(of send: FanoutSend) {
        guard send.hasAlert, send.round == roundSerial else { return }
        round?.giveBack(send.device, in: Int(send.bucket))
    }

    /// A request that never left: its capacity was gone.
    mutating func takeBack(_ send: FanoutSend, at now: Duration) {
        settle(send, as: .failed(.refused), at: now, jitter: 0)
    }

    /// Hands over the buckets that were completed since the last call.
    mutating func takeCompleted() -> [CompletedBucket] {
        defer { completed.removeAll(keepingCapacity: true) }
        return completed
    }

    /// Hands over the buckets that were given up since the last call, because their tokens were gone.
    mutating func takeLost() -> [Bucket] {
        defer { lost.removeAll(keepingCapacity: true) }
        return lost
    }

    /// Hands over the tokens that missed a state since the last call.
    mutating func takeMissed() -> [MissedToken] {
        defer { missed.removeAll(keepingCapacity: true) }
        return missed
    }

    /// Hands over the devices that were behind and got a state since the last call.
    mutating func takeCaughtUp() -> [DeviceID] {
        defer { caughtUp.removeAll(keepingCapacity: true) }
        return caughtUp
    }

    /// Lets buckets be complete without the tokens that wait for another try; those are tried all the same, and are
    /// recorded as owed, so that a successor knows of them.
    mutating func releaseRepeats() {
        guard repeatsAwaited > 0 else { return }
        var passes: [Int32] = []
        var owedCounts: [Int16: Int] = [:]
        retries.changeAll { entry in
            guard entry.pass >= 0, owedCounts[entry.bucket, default: 0] < FanoutRetry.owedMax else { return }
            owedCounts[entry.bucket, default: 0] += 1
            passes.append(entry.pass)
            entry.pass = FanoutRetry.releasedPass
        }
        repeatsAwaited -= passes.count
        for pass in passes { settle(pass: pass) }
    }

    /// Who waits for another try in a bucket that does not wait for them.
    private func owed(in bucket: Int16) -> [DeviceID] {
        guard retries.count > repeatsAwaited else { return [] }
        return retries.all { $0.bucket == bucket && $0.pass < 0 }.prefix(FanoutRetry.owedMax).map(\.device)
    }

    /// One token less to wait for.
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

    /// True when it is not tried again.
    private mutating func again(
        _ send: FanoutSend,
        after delay: Duration,
        at now: Duration,
        jitter: Double,
        firstSentAt: Duration
    ) -> Bool {
        // A newer state is on its way to this token anyway.
        if let launch, send.revision < launch.revision {
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
        if now + delay <= firstSentAt + Self.retryWindow, retries.insert(entry, due: now + delay) {
            if entry.pass >= 0 { repeatsAwaited += 1 }
            return false
        }
        let isFinal = launch?.publication.isFinal ?? true
        if send.pass != FanoutRetry.noPass || isFinal {
            miss(send.device, send.generation, send.revision, isGivenUp: isFinal)
        } else {
            note(send.device, send.generation, send.revision, isGivenUp: false)
        }
        // Last, so that the bucket is recorded with what it owes.
        defer { settle(pass: send.pass) }
        // The bucket need not wait any longer, but the phone still gets the newest state once APNs can be reached; the
        // end of a match has repetitions of its own.
        guard !isFinal else { return true }
        let wait = max(delay, Self.patience * (1 + jitter))
        guard now + wait <= firstSentAt + Self.patienceMax else {
            expiredCount += 1
            return true
        }
        entry.pass = FanoutRetry.noPass
        return !retries.insert(entry, due: now + wait)
    }

    /// How long to wait before another try: at once where APNs did not even look (from the second time on a little
    /// later, so that a peer that refuses everything is not asked in a tight circle), else 1 to 5 s, then the double.
    private static func delay(of retry: RetryClass, attempt: UInt8, jitter: Double) -> Duration {
        switch retry {
        case .refused, .renewedToken, .newConnection, .draining: attempt == 0 ? .zero : .milliseconds(100)
        case .throttled: HeldTokens.waitMin
        case .server, .ambiguous, .sameToken: .seconds((1 + 4 * jitter) * (attempt == 0 ? 1 : 2))
        }
    }
}
