// Decides who gets what next: one match, one environment, one lane's share of the buckets.

internal import ScoreTypes

/// The fan-out of one match into one environment; a value that is asked for the next request and told every answer.
struct Fanout {
    /// How long after its first try a bucket waits for a token that fails again and again.
    static let retryWindow: Duration = .seconds(10)
    /// Wait between the tries of a token that its bucket no longer waits for, before jitter of as much again.
    static let patience: Duration = .seconds(15)
    /// How long such a token is tried: afterwards its phone calls the picture stale.
    static let patienceMax: Duration = .seconds(30 * 60)
    /// Slices looked through in one call without finding a token of this environment, so that a lane never stalls.
    static let emptySlicesMax = 8
    /// Tokens that missed a state and are kept for the sweep and the repeats of an end.
    static let missedMax = 10_000

    let match: MatchID
    let environment: PushEnvironment
    private(set) var launch: Launch?

    var walks = [BucketWalk](repeating: BucketWalk(), count: Bucket.count)
    var passes = PassTable()
    var retries = DueHeap<FanoutRetry>(countMax: FanoutRetry.countMax)
    /// How many of them a pass waits for.
    var repeatsAwaited = 0
    /// Tokens that came in while the match was on and were never sent to: nobody knows yet whether they are good.
    private var suspects = DueHeap<FanoutRetry>(countMax: FanoutRetry.countMax)
    /// Tokens that APNs throttles.
    var held = HeldTokens()
    var round: AlertRound?
    /// Tells the rounds apart, so that a late answer of an older one changes nothing; 0 means no alert.
    var roundSerial: UInt32 = 0
    /// Owned buckets whose walk has not come to its end with the newest revision.
    private(set) var remaining = 0
    private(set) var supersededCount = 0
    var completed: [CompletedBucket] = []
    /// Buckets whose tokens were gone when the walk came by.
    var lost: [Bucket] = []
    var missed: [MissedToken] = []
    var missedCount = 0
    /// Devices that missed a state and got none since, with the newest that they missed.
    var behind: [DeviceID: Int64] = [:]
    /// Those of them that got one after all.
    var caughtUp: [DeviceID] = []
    /// Tokens that were given up after half an hour of tries.
    var expiredCount = 0

    private(set) var slice = TokenSlice()
    /// The token of the last request that did not come out of the slice.
    private(set) var lookedUp: PushToken?
    private var position = 0
    private var walking: Walking?
    private var nextBucket = 0
    /// Tokens that came before anything was launched.
    private var early: [LateToken] = []

    init(match: MatchID, environment: PushEnvironment) {
        self.match = match
        self.environment = environment
    }

    /// An alert is being told, or the end: it waits for nobody.
    var isUrgent: Bool { round != nil || launch?.publication.isFinal == true }
    /// Whether the walk has work left.
    var wantsWalk: Bool { launch != nil && (walking != nil || remaining > 0) }
    /// Whether a bucket is half walked: left like that, a successor would tell all of it again.
    var isInBucket: Bool { walking != nil }
    private var isAtEndOfBucket: Bool { walking.map { $0.cursor.isAtEnd && position >= slice.count } ?? false }
    /// Requests that have their final answer and that a crash now would make again: their buckets are not reported yet.
    var answeredUnreported: Int { passes.answeredInOpen + completed.reduce(0) { $0 + $1.sends } }
    /// Those of them whose bucket is being walked, and so is not complete before the walk goes on.
    var answeredUnderWay: Int { walking.map { passes.answered(in: $0.pass) } ?? 0 }
    /// When the next repeat is due.
    var nextDue: Duration? { retries.nextDue }
    /// Passes that wait for answers or for their walk.
    var openPasses: Int { passes.openCount }

    /// Takes the newest launch and the buckets to serve with the revision that each is recorded at.
    ///
    /// What is in the air stays; what waits for another try is given up, since the walk comes by again.
    mutating func offer(_ next: Launch, resumed: [(bucket: Bucket, revision: Int64)], at now: Duration) {
        if let launch, next.revision < launch.revision { return }
        if let launch, next.revision > launch.revision { supersede(launch) }
        launch = next
        own(resumed)
        turnRound(to: next, resumed: resumed)
        remaining = walks.count { $0.isOwned && $0.walkedRevision < next.revision }
        let waiting = early
        early = []
        for token in waiting { late(token, at: now) }
    }

    /// Lets go of an alert that has become too old to be told; the picture goes on to those who have not had it.
    mutating func dropOldAlert(by clock: ServiceClock) {
        if round != nil, launch?.riding?.isNews(by: clock) != true { round = nil }
    }

    /// Stops serving buckets that somebody else serves now.
    mutating func fence(_ buckets: [Bucket]) {
        for bucket in buckets { disown(Int(bucket.number)) }
        recount()
    }

    /// Gives the next request, or nil when there is none now; `wantsWalk` says whether to ask again soon.
    ///
    /// - Parameters:
    ///   - now: The loop's time.
    ///   - allowance: What walks may do; repeats are always made.
    ///   - source: Where the tokens are.
    /// - Returns: The request, which counts as being in the air from here on.
    mutating func next(at now: Duration, _ allowance: WalkAllowance, source: any TokenSource) -> FanoutSend? {
        guard let launch else { return nil }
        if let send = nextRepeat(at: now, of: launch, source: source) { return send }
        guard allowance != .nothing || isAtEndOfBucket else { return nil }
        var emptySlices = 0
        while emptySlices < Self.emptySlicesMax {
            if let walking, let send = nextInSlice(of: walking, at: now) { return send }
            guard advance(launch, mayOpen: allowance == .all, source: source) else { return nil }
            emptySlices += slice.count > 0 ? 1 : 0
        }
        return nil
    }

    /// A token that came in after its bucket was walked; it gets the newest state unless it knows it.
    mutating func late(_ token: LateToken, at now: Duration) {
        let bucket = Int(Bucket(of: token.device).number)
        guard let launch else {
            // After a restart, tokens are found before the match is published again.
            if early.count < FanoutRetry.countMax { early.append(token) }
            return
        }
        guard token.knownRevision < launch.revision, walks[bucket].isOwned else { return }
        guard walks[bucket].walkedRevision >= launch.revision || walking?.bucket == bucket else { return }
        let entry = FanoutRetry(
            device: token.device,
            generation: token.generation,
            bucket: Int16(bucket),
            pass: FanoutRetry.noPass,
            attempt: 0,
            variant: token.variant.rawValue,
            firstSentAt: now
        )
        if !suspects.insert(entry, due: now) { miss(token.device, token.generation, launch.revision) }
    }

    private mutating func nextInSlice(of walking: Walking, at now: Duration) -> FanoutSend? {
        while position < slice.count {
            let index = position
            position += 1
            let entry = slice.entries[index]
            guard entry.environment == environment else { continue }
            guard held.isEmpty || !leave(entry, in: walking, at: now) else { continue }
            let hasAlert = round?.take(entry.device, entry.wish, in: walking.bucket) ?? false
            passes.sent(walking.pass)
            return FanoutSend(
                device: entry.device,
                generation: entry.generation,
                bucket: Int16(walking.bucket),
                pass: walking.pass,
                attempt: 0,
                variant: entry.variant,
                isDemoted: isDemoted(entry.device, entry.generation),
                round: hasAlert ? roundSerial : 0,
                firstSentAt: now,
                revision: walking.revision,
                sliceIndex: index
            )
        }
        return nil
    }

    private func isDemoted(_ device: DeviceID, _ generation: Int32) -> Bool {
        !held.isEmpty && held.isThrottled(device, generation)
    }

    /// Whether a token waits that was never sent to.
    var hasSuspects: Bool { suspects.count > 0 }

    /// Gives the next request for a token that was never sent to; for a connection that may be punished for it.
    mutating func nextSuspect(at now: Duration, source: any TokenSource) -> FanoutSend? {
        guard let launch else { return nil }
        while let entry = suspects.popDue(at: now) {
            if let send = send(entry, of: launch, source: source) { return send }
        }
        return nil
    }

    private mutating func nextRepeat(at now: Duration, of launch: Launch, source: any TokenSource) -> FanoutSend? {
        while let entry = retries.popDue(at: now) {
            if entry.pass >= 0 { repeatsAwaited -= 1 }
            if let send = send(entry, of: launch, source: source) { return send }
        }
        return nil
    }

    /// The request for a token that is looked up again; nil when the token is gone.
    private mutating func send(_ entry: FanoutRetry, of launch: Launch, source: any TokenSource) -> FanoutSend? {
        guard walks[Int(entry.bucket)].isOwned,
            let token = source.token(of: match, device: entry.device, generation: entry.generation)
        else {
            settle(pass: entry.pass)
            return nil
        }
        lookedUp = token
        let hasAlert = round?.takeForRepeat(entry.device) ?? false
        return FanoutSend(
            device: entry.device,
            generation: entry.generation,
            bucket: entry.bucket,
            pass: entry.pass,
            attempt: entry.attempt,
            variant: entry.variant,
            isDemoted: isDemoted(entry.device, entry.generation),
            round: hasAlert ? roundSerial : 0,
            firstSentAt: entry.firstSentAt,
            revision: launch.revision,
            sliceIndex: -1
        )
    }

    /// Fills the next slice, or goes on to the next bucket; false when there is none.
    private mutating func advance(_ launch: Launch, mayOpen: Bool, source: any TokenSource) -> Bool {
        slice.removeAll()
        position = 0
        guard var current = walking ?? (mayOpen ? open(launch) : nil) else { return false }
        guard !current.cursor.isAtEnd else {
            finish(current, launch)
            return remaining > 0
        }
        let bucket = walks[current.bucket].bucket
        guard let next = source.copyTokens(of: match, bucket: bucket, before: current.cursor, into: &slice) else {
            // Somebody else serves it by now, or it is being read anew: whoever walks it next begins at its end.
            lost.append(bucket)
            fence([bucket])
            return remaining > 0
        }
        current.cursor = next
        walking = current
        return true
    }

    private mutating func open(_ launch: Launch) -> Walking? {
        guard remaining > 0, !passes.isFull else { return nil }
        for step in 0..<walks.count {
            let bucket = (nextBucket + step) % walks.count
            guard walks[bucket].isOwned, walks[bucket].walkedRevision < launch.revision else { continue }
            // While APNs is slow, states do not pile up in front of it: a bucket waits for the answers of its last
            // walk. An alert and the end do not wait.
            guard isUrgent || !passes.isWaiting(for: bucket) else { continue }
            nextBucket = (bucket + 1) % walks.count
            let pass = passes.open(bucket: Int16(bucket), revision: launch.revision, hasAlert: round != nil)
            let opened = Walking(bucket: bucket, pass: pass, revision: launch.revision, cursor: .start)
            walking = opened
            return opened
        }
        return nil
    }

    private mutating func finish(_ done: Walking, _ launch: Launch) {
        walking = nil
        walks[done.bucket].walkedRevision = done.revision
        if done.revision >= launch.revision { remaining -= 1 }
        round?.finish(done.bucket)
        if let pass = passes.walked(done.pass) { complete(pass) }
    }

    private mutating func supersede(_ older: Launch) {
        // The walk of the newer launch comes by them.
        _ = suspects.removeAll()
        repeatsAwaited = 0
        for entry in retries.removeAll() {
            supersededCount += 1
            settle(pass: entry.pass)
            // Who is well takes a state at its second try as a rule; only who was behind already has missed this one.
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

    private mutating func turnRound(to next: Launch, resumed: [(bucket: Bucket, revision: Int64)]) {
        guard let riding = next.riding else {
            round = nil
            return
        }
        if round?.key != riding.key {
            breakOff()
            round = AlertRound(key: riding.key, reach: riding.reach)
            roundSerial &+= 1
        }
        for (bucket, revision) in resumed where revision >= riding.revision { round?.markDone(Int(bucket.number)) }
    }

    private mutating func disown(_ bucket: Int) {
        walks[bucket].isOwned = false
        if walking?.bucket == bucket { breakOff() }
    }

    /// Gives up the walk under way; its bucket is walked again from its end.
    private mutating func breakOff() {
        guard let broken = walking else { return }
        passes.abandon(broken.pass)
        nextBucket = broken.bucket
        walking = nil
        slice.removeAll()
        position = 0
    }

    private mutating func recount() {
        let newest = launch?.revision ?? 0
        remaining = walks.count { $0.isOwned && $0.walkedRevision < newest }
    }

    struct Walking {
        let bucket: Int
        let pass: Int32
        /// The revision at the beginning; a newer one that came meanwhile brings the walk back.
        let revision: Int64
        var cursor: WalkCursor
    }
}
