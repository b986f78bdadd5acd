// Decides what goes out on one channel: the newest state, one request at a time, at most one a second.

internal import ScoreTypes

/// The pacing of one channel; all its times are real.
struct BroadcastPacing {
    /// One request in the air.
    struct Sending {
        let encoded: EncodedPublication
        let hasAlert: Bool
    }

    private(set) var profile: ChannelProfile
    private let clock: ServiceClock
    private let distance: Duration
    /// When an end is said again, counted from its first acceptance.
    private let endSteps: [Duration]
    private(set) var sentRevision: Int64
    private(set) var sending: Sending?
    private var nextAt: Duration = .zero
    private var unseenInARow = 0
    private var announcedKeys: [String] = []
    /// When the end is to be said again; nil before it was accepted or found accepted.
    private var repetitions: [Duration]?

    init(profile: ChannelProfile, sentRevision: Int64, clock: ServiceClock) {
        self.profile = profile
        self.sentRevision = sentRevision
        self.clock = clock
        distance = clock.real(PushLimits.broadcastDistance, floor: PushLimits.broadcastDistanceFloor)
        endSteps = EndRetrySchedule.delays(on: clock)
    }

    /// What to send now, if anything; it counts as being in the air from here on.
    mutating func next(_ newest: EncodedPublication, at now: Duration) -> Sending? {
        guard sending == nil, now >= nextAt else { return nil }
        let isEndAccepted = newest.publication.isFinal && sentRevision >= newest.revision
        // A predecessor may have told the end and then died: its repetitions fall to this node.
        if isEndAccepted, repetitions == nil { repetitions = endSteps.map { now + $0 } }
        let isRepetition = isEndAccepted && repetitions?.first.map { $0 <= now } == true
        guard newest.revision > sentRevision || isRepetition else { return nil }
        if isRepetition { repetitions?.removeFirst() }
        var hasAlert = false
        if profile == .loud, let activeAlert = newest.activeAlert, activeAlert.isNews(by: clock),
            activeAlert.revision > sentRevision, !announcedKeys.contains(activeAlert.key)
        {
            hasAlert = true
            announcedKeys.append(activeAlert.key)
            if announcedKeys.count > PushLimits.announcedOnChannel { announcedKeys.removeFirst() }
        }
        let next = Sending(encoded: newest, hasAlert: hasAlert)
        sending = next
        return next
    }

    /// Alerts no more: those who have moved to the next generation are told there, and nobody is told twice.
    mutating func silence() { profile = .quiet }

    /// Books the answer.
    ///
    /// Whatever failed, the next request carries the newest state; its alert only when the first one certainly did not
    /// reach APNs.
    ///
    /// - Parameters:
    ///   - outcome: What became of the request.
    ///   - retryAfter: How long APNs asked to wait, if it did.
    ///   - now: Real time.
    ///   - jitter: A number from 0 up to 1.
    /// - Returns: The revision that was accepted.
    mutating func settle(_ outcome: PushOutcome, retryAfter: Duration?, at now: Duration, jitter: Double) -> Int64? {
        guard let sent = sending else { return nil }
        sending = nil
        switch outcome {
        case .accepted:
            nextAt = now + distance
            unseenInARow = 0
            sentRevision = max(sentRevision, sent.encoded.revision)
            return sent.encoded.revision
        case .failed(let retry):
            if retry.wasCertainlyNotDelivered, sent.hasAlert, let key = sent.encoded.activeAlert?.key {
                announcedKeys.removeAll { $0 == key }
            }
            nextAt = now + max(wait(after: retry, jitter: jitter), retryAfter ?? .zero)
        case .rejected: nextAt = now + PushLimits.rejectedBroadcastWait
        }
        return nil
    }

    private mutating func wait(after retry: RetryClass, jitter: Double) -> Duration {
        switch retry {
        case .refused, .renewedToken, .newConnection, .draining:
            unseenInARow += 1
            return unseenInARow > 1 ? PushLimits.unprocessedWait : .zero
        case .ambiguous, .server, .throttled, .sameToken: return .seconds(1 + 4 * jitter)
        }
    }
}
