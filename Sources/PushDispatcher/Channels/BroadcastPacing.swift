// Decides what is sent on one channel: the newest state, one request at a time, at most one a second.

internal import ScoreTypes

/// The pacing of one channel, in real time.
struct BroadcastPacing {
    /// One open request.
    struct Sending {
        let encoded: EncodedPublication
        let hasAlert: Bool
    }

    /// The record that an answer requires.
    enum Settled: Equatable {
        /// APNs accepted this revision.
        case accepted(Int64)
        /// APNs may have processed the alert of this revision.
        case unansweredAlert(Int64)
    }

    private(set) var profile: ChannelProfile
    private let clock: ServiceClock
    private let distance: Duration
    /// The delays of an end's repetitions after its first acceptance.
    private let endSteps: [Duration]
    private(set) var sentRevision: Int64
    /// The revision up to which alerts may have been broadcast to these activities, here or on an earlier generation.
    private var alertedRevision: Int64
    private(set) var sending: Sending?
    private var nextAt: Duration = .zero
    private var unseenInARow = 0
    private var announcedKeys: [String] = []
    /// The times of an end's repetitions; nil before it was accepted, and while the match goes on after it.
    private var repetitions: [Duration]?

    init(profile: ChannelProfile, sentRevision: Int64, alertedRevision: Int64 = 0, clock: ServiceClock) {
        self.profile = profile
        self.sentRevision = sentRevision
        self.alertedRevision = max(sentRevision, alertedRevision)
        self.clock = clock
        distance = clock.real(PushLimits.broadcastDistance, .play)
        endSteps = EndRetrySchedule.delays(on: clock)
    }

    /// Returns what to send now, which counts as open from here on; nil for nothing.
    mutating func next(_ newest: EncodedPublication, at now: Duration) -> Sending? {
        if !newest.publication.isFinal { repetitions = nil }
        guard sending == nil, now >= nextAt else { return nil }
        let isEndAccepted = newest.publication.isFinal && sentRevision >= newest.revision
        // A predecessor may have sent the end and then failed: this node repeats it.
        if isEndAccepted, repetitions == nil { repetitions = endSteps.map { now + $0 } }
        let isRepetition = isEndAccepted && repetitions?.first.map { $0 <= now } == true
        guard newest.revision > sentRevision || isRepetition else { return nil }
        if isRepetition { repetitions?.removeFirst() }
        var hasAlert = false
        if profile == .loud, let activeAlert = newest.activeAlert, activeAlert.isNews(by: clock),
            activeAlert.revision > alertedRevision, !announcedKeys.contains(activeAlert.key)
        {
            hasAlert = true
            announcedKeys.append(activeAlert.key)
            if announcedKeys.count > PushLimits.announcedOnChannel { announcedKeys.removeFirst() }
        }
        let next = Sending(encoded: newest, hasAlert: hasAlert)
        sending = next
        return next
    }

    /// Takes over what another node has sent since, and the newest revision whose alert it may have sent.
    mutating func advance(to revision: Int64, alerted: Int64 = 0) {
        sentRevision = max(sentRevision, revision)
        alertedRevision = max(alertedRevision, revision, alerted)
    }

    /// Sends no more alerts: the activities that moved to the next generation receive them there.
    mutating func silence() { profile = .quiet }

    /// Applies an answer; returns what has to be recorded, nil for nothing.
    ///
    /// After a failure the next request carries the newest state. It carries the alert only if APNs certainly did not
    /// process the failed one. `jitter` is at least 0 and less than 1.
    mutating func settle(_ outcome: PushOutcome, retryAfter: Duration?, at now: Duration, jitter: Double) -> Settled? {
        guard let sent = sending else { return nil }
        sending = nil
        switch outcome {
        case .accepted:
            nextAt = now + distance
            unseenInARow = 0
            advance(to: sent.encoded.revision)
            return .accepted(sent.encoded.revision)
        case .failed(let retry):
            nextAt = now + max(wait(after: retry, jitter: jitter), retryAfter ?? .zero)
            guard sent.hasAlert else { break }
            guard retry.wasCertainlyNotDelivered else { return .unansweredAlert(sent.encoded.revision) }
            giveBackAlert(of: sent)
        case .rejected(.stopEnvironment):
            // The key or the topic was refused, not this broadcast: the next probe of the environment may be good.
            nextAt = now + PushLimits.probeInterval
            giveBackAlert(of: sent)
        case .rejected: nextAt = now + PushLimits.rejectedBroadcastWait
        }
        return nil
    }

    /// Lets the next request carry the alert, which APNs did not process.
    private mutating func giveBackAlert(of sent: Sending) {
        guard sent.hasAlert, let key = sent.encoded.activeAlert?.key else { return }
        announcedKeys.removeAll { $0 == key }
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
