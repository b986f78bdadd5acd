// Decides which token receives what next: one match, one environment, one lane's share of the buckets.

internal import ScoreTypes

/// The fan-out of one match to one environment: a value that yields requests and takes their outcomes.
struct Fanout {
    let match: MatchID
    let environment: PushEnvironment
    private(set) var encoded: EncodedPublication?

    var walks = [BucketWalk](repeating: BucketWalk(), count: Bucket.count)
    var passes = PassTable()
    var retries = DueHeap<FanoutToken>(countMax: PushLimits.retriesPerFanout)
    /// The retries that a pass waits for.
    var repeatsAwaited = 0
    /// Tokens that were registered during the match and never sent to, so that they may be bad.
    private var unverified = DueHeap<FanoutToken>(countMax: PushLimits.retriesPerFanout)
    /// Devices of a bucket without which it may be recorded.
    var owedPerBucket = PushLimits.owedPerBucket
    /// Throttled tokens.
    var throttled = ThrottledTokens()
    var round: AlertRound?
    /// Number of the alert round, so that late answers of an older one have no effect; 0 means no alert.
    var roundSerial: UInt32 = 0
    /// Owned buckets whose walk with the newest revision is not complete.
    private(set) var remaining = 0
    private(set) var supersededCount = 0
    var completed: [CompletedBucket] = []
    /// Buckets whose tokens were not in memory at their walk.
    var lost: [Bucket] = []
    var missed: [MissedToken] = []
    var missedCount = 0
    /// Devices that missed a state and received none since, with the newest missed revision.
    var behind: [DeviceID: Int64] = [:]
    /// Devices of `behind` that have received a state since.
    var caughtUp: [DeviceID] = []
    /// Tokens whose retries were given up.
    var expiredCount = 0

    private(set) var slice = TokenSlice()
    /// The token of the last request from outside the slice.
    private(set) var lookedUp: PushToken?
    private var position = 0
    private var walking: Walking?
    private var nextBucket = 0
    /// Tokens that were registered before anything was published, or before their bucket was taken over.
    private var early: [LateToken] = []

    init(match: MatchID, environment: PushEnvironment) {
        self.match = match
        self.environment = environment
    }

    /// Whether an alert or the end is being sent.
    var isUrgent: Bool { round != nil || encoded?.publication.isFinal == true }
    /// Whether a bucket is partly walked; a successor would repeat all of it.
    var isInBucket: Bool { walking != nil }
    private var isAtEndOfBucket: Bool { walking.map { $0.cursor.isAtEnd && position >= slice.count } ?? false }
    /// Requests with a final answer in unreported buckets: a crash repeats them.
    var answeredUnreported: Int { passes.answeredInOpen + completed.reduce(0) { $0 + $1.sends } }
    /// Requests with a final answer in the bucket that is being walked.
    var answeredUnderWay: Int { walking.map { passes.answered(in: $0.pass) } ?? 0 }
    /// When the next retry is due.
    var nextDue: Duration? { retries.nextDue }

    /// Takes the newest publication, and the served buckets with the recorded revision of each.
    ///
    /// Open requests stay; retries are dropped, since the walk reaches their tokens again.
    mutating func offer(_ next: EncodedPublication, resumed: [(bucket: Bucket, revision: Int64)], at now: Duration) {
        if let encoded, next.revision < encoded.revision { return }
        if let encoded, next.revision > encoded.revision { supersede(encoded) }
        encoded = next
        own(resumed)
        turnRound(to: next, resumed: resumed)
        remaining = walks.count { $0.isOwned && $0.walkedRevision < next.revision }
        let waiting = early
        early = []
        for token in waiting { late(token, at: now) }
    }

    /// Drops an alert that is too old; the state is still sent.
    mutating func dropOldAlert(by clock: ServiceClock) {
        if round != nil, encoded?.activeAlert?.isNews(by: clock) != true { round = nil }
    }

    /// Stops serving buckets that another node owns.
    mutating func fence(_ buckets: [Bucket]) {
        for bucket in buckets { disown(Int(bucket.number)) }
        if !early.isEmpty { early.removeAll { buckets.contains(Bucket(of: $0.device)) } }
        recount()
    }

    /// Returns the next request, which counts as open from here on, or nil if there is none now; retries are sent
    /// whatever the limits of walks.
    mutating func next(at now: Duration, _ allowance: WalkAllowance, source: any TokenSource) -> FanoutSend? {
        guard let encoded else { return nil }
        if let send = nextRepeat(at: now, of: encoded, source: source) { return send }
        guard allowance != .nothing || isAtEndOfBucket else { return nil }
        var emptySlices = 0
        while emptySlices < PushLimits.emptySlices {
            if let walking, let send = nextInSlice(of: walking, at: now) { return send }
            guard advance(encoded, mayOpen: allowance == .all, source: source) else { return nil }
            emptySlices += slice.count > 0 ? 1 : 0
        }
        return nil
    }

    /// Takes a token registered after its bucket's walk; it receives the newest state unless its phone shows it.
    mutating func late(_ token: LateToken, at now: Duration) {
        let bucket = Int(Bucket(of: token.device).number)
        // After a restart, tokens are found before the match is published again. A bucket's tokens are in memory before
        // its takeover is complete, and its recorded revision may be the newest one.
        guard let encoded, walks[bucket].isOwned else {
            if early.count < PushLimits.retriesPerFanout { early.append(token) }
            return
        }
        guard token.knownRevision < encoded.revision else { return }
        guard walks[bucket].walkedRevision >= encoded.revision || walking?.bucket == bucket else { return }
        let entry = FanoutToken(
            device: token.device,
            generation: token.generation,
            bucket: Int16(bucket),
            pass: FanoutToken.noPass,
            attempt: 0,
            variant: token.variant.rawValue,
            isInfrequent: token.isInfrequent,
            firstSentAt: now
        )
        if !unverified.insert(entry, due: now) { miss(token.device, token.generation, encoded.revision) }
    }

    private mutating func nextInSlice(of walking: Walking, at now: Duration) -> FanoutSend? {
        while position < slice.count {
            let index = position
            position += 1
            let entry = slice.entries[index]
            guard throttled.isEmpty || !leave(entry, in: walking, at: now) else { continue }
            let hasAlert = round?.take(entry.device, entry.wish, newSince: entry.newSince, in: walking.bucket) ?? false
            passes.sent(walking.pass)
            let token = FanoutToken(
                device: entry.device,
                generation: entry.generation,
                bucket: Int16(walking.bucket),
                pass: walking.pass,
                attempt: 0,
                variant: entry.variant,
                isInfrequent: entry.wish.isInfrequent,
                firstSentAt: now
            )
            return FanoutSend(
                token: token,
                isDemoted: isDemoted(token, withAlert: hasAlert),
                round: hasAlert ? roundSerial : 0,
                revision: walking.revision,
                sliceIndex: index
            )
        }
        return nil
    }

    private func isDemoted(_ token: FanoutToken, withAlert: Bool) -> Bool {
        token.isInfrequent && encoded?.demotesInfrequent(withAlert: withAlert) != false
            || !throttled.isEmpty && throttled.isThrottled(token.device, token.generation)
    }

    /// Whether an unverified token waits.
    var hasUnverified: Bool { unverified.count > 0 }

    /// Returns the next request for an unverified token, for a connection that APNs may limit.
    mutating func nextUnverified(at now: Duration, source: any TokenSource) -> FanoutSend? {
        guard let encoded else { return nil }
        while let entry = unverified.popDue(at: now) {
            if let send = send(entry, of: encoded, source: source) { return send }
        }
        return nil
    }

    private mutating func nextRepeat(at now: Duration, of encoded: EncodedPublication, source: any TokenSource)
        -> FanoutSend?
    {
        while let entry = retries.popDue(at: now) {
            if entry.pass >= 0 { repeatsAwaited -= 1 }
            if let send = send(entry, of: encoded, source: source) { return send }
        }
        return nil
    }

    /// The request for a token that is looked up again; nil if the token is gone.
    private mutating func send(_ entry: FanoutToken, of encoded: EncodedPublication, source: any TokenSource)
        -> FanoutSend?
    {
        guard walks[Int(entry.bucket)].isOwned,
            let token = source.token(of: match, device: entry.device, generation: entry.generation)
        else {
            settle(pass: entry.pass)
            return nil
        }
        lookedUp = token
        let hasAlert = round?.takeForRepeat(entry.device) ?? false
        return FanoutSend(
            token: entry,
            isDemoted: isDemoted(entry, withAlert: hasAlert),
            round: hasAlert ? roundSerial : 0,
            revision: encoded.revision,
            sliceIndex: -1
        )
    }

    /// Reads the next slice, or opens the next bucket; false if there is none.
    private mutating func advance(_ encoded: EncodedPublication, mayOpen: Bool, source: any TokenSource) -> Bool {
        slice.removeAll()
        position = 0
        guard var current = walking ?? (mayOpen ? open(encoded) : nil) else { return false }
        guard !current.cursor.isAtEnd else {
            finish(current, encoded)
            return remaining > 0
        }
        let bucket = walks[current.bucket].bucket
        guard
            let next = source.copyTokens(
                of: match,
                bucket: bucket,
                environment: environment,
                before: current.cursor,
                into: &slice
            )
        else {
            // Another node serves it, or it is being reloaded: its next walk starts at the end of the bucket.
            lost.append(bucket)
            fence([bucket])
            return remaining > 0
        }
        current.cursor = next
        walking = current
        return true
    }

    private mutating func open(_ encoded: EncodedPublication) -> Walking? {
        guard remaining > 0, !passes.isFull else { return nil }
        for step in 0..<walks.count {
            let bucket = (nextBucket + step) % walks.count
            guard walks[bucket].isOwned, walks[bucket].walkedRevision < encoded.revision else { continue }
            // While APNs is slow, states must not pile up: a bucket waits for the answers of its last walk. An alert
            // and the end do not wait.
            guard isUrgent || !passes.isWaiting(for: bucket) else { continue }
            nextBucket = (bucket + 1) % walks.count
            let pass = passes.open(bucket: Int16(bucket), revision: encoded.revision, hasAlert: round != nil)
            let opened = Walking(bucket: bucket, pass: pass, revision: encoded.revision, cursor: .start)
            walking = opened
            return opened
        }
        return nil
    }

    private mutating func finish(_ done: Walking, _ encoded: EncodedPublication) {
        walking = nil
        walks[done.bucket].walkedRevision = done.revision
        if done.revision >= encoded.revision { remaining -= 1 }
        round?.finish(done.bucket)
        if let pass = passes.walked(done.pass) { complete(pass) }
    }

    private mutating func supersede(_ older: EncodedPublication) {
        // The walk of the newer publication reaches them.
        unverified.removeAll()
        repeatsAwaited = 0
        for entry in retries.removeAll() {
            supersededCount += 1
            settle(pass: entry.pass)
            // A healthy device usually receives a state at the second try; one that was behind has missed it.
            if behind[entry.device] != nil { note(entry.device, entry.generation, older.revision, isGivenUp: false) }
        }
        if !behind.isEmpty { behind = behind.filter { $0.value >= older.revision } }
    }

    private mutating func own(_ resumed: [(bucket: Bucket, revision: Int64)]) {
        var isKept = [Bool](repeating: false, count: walks.count)
        for (bucket, revision) in resumed {
            let index = Int(bucket.number)
            isKept[index] = true
            walks[index].bucket = bucket
            if !walks[index].isOwned { walks[index].walkedRevision = revision }
            walks[index].isOwned = true
        }
        for index in walks.indices where walks[index].isOwned && !isKept[index] { disown(index) }
    }

    private mutating func turnRound(to next: EncodedPublication, resumed: [(bucket: Bucket, revision: Int64)]) {
        guard let activeAlert = next.activeAlert else {
            round = nil
            return
        }
        if round?.key != activeAlert.key {
            breakOff()
            round = AlertRound(activeAlert)
            roundSerial &+= 1
        }
        for (bucket, revision) in resumed where revision >= activeAlert.revision { round?.markDone(Int(bucket.number)) }
    }

    private mutating func disown(_ bucket: Int) {
        walks[bucket].isOwned = false
        if walking?.bucket == bucket { breakOff() }
    }

    /// Abandons the current walk; its bucket is walked again from its end.
    private mutating func breakOff() {
        guard let broken = walking else { return }
        passes.abandon(broken.pass)
        nextBucket = broken.bucket
        walking = nil
        slice.removeAll()
        position = 0
    }

    private mutating func recount() {
        let newest = encoded?.revision ?? 0
        remaining = walks.count { $0.isOwned && $0.walkedRevision < newest }
    }

    struct Walking {
        let bucket: Int
        let pass: Int32
        /// The revision at the start of the walk; after a newer one the bucket is walked again.
        let revision: Int64
        var cursor: WalkCursor
    }
}
