// Decides what goes out on one channel: the newest state, one request at a time, at most one a second.

internal import ScoreTypes

/// The pacing of one channel.
struct BroadcastLine {
    /// Least real time between two broadcasts on a channel (Apple's engineers name about one a second).
    static let distanceMin: Duration = .seconds(1)
    /// Alerts that are remembered as told.
    static let toldMax = 512

    /// One request in the air.
    struct Sending {
        let launch: Launch
        let hasAlert: Bool
    }

    let profile: ChannelProfile
    private(set) var sentRevision: Int64
    private(set) var sending: Sending?
    private var nextAt: Duration = .zero
    private var told: [String] = []
    /// When the end is said again, in domain time.
    private var repetitions: [Duration] = []

    init(profile: ChannelProfile, sentRevision: Int64) {
        self.profile = profile
        self.sentRevision = sentRevision
    }

    /// What to send now, if anything; it counts as being in the air from here on.
    ///
    /// - Parameters:
    ///   - newest: The newest launch of the match.
    ///   - now: Real time.
    ///   - domain: Domain time, for the repetitions of an end.
    /// - Returns: The request, or nil when the line is busy, up to date or not yet due.
    mutating func next(_ newest: Launch, at now: Duration, domain: Duration) -> Sending? {
        guard sending == nil, now >= nextAt else { return nil }
        let isDue = newest.publication.isFinal && repetitions.first.map { $0 <= domain } ?? false
        guard newest.revision > sentRevision || isDue else { return nil }
        if isDue { repetitions.removeFirst() }
        var hasAlert = false
        if profile == .loud, let riding = newest.riding, riding.revision > sentRevision, !told.contains(riding.key) {
            hasAlert = true
            told.append(riding.key)
            if told.count > Self.toldMax { told.removeFirst() }
        }
        let next = Sending(launch: newest, hasAlert: hasAlert)
        sending = next
        return next
    }

    /// Books the answer.
    ///
    /// - Parameters:
    ///   - outcome: What became of the request.
    ///   - now: Real time.
    ///   - domain: Domain time.
    ///   - jitter: A number from 0 up to 1.
    /// - Returns: The revision that was accepted.
    mutating func settle(_ outcome: PushOutcome, at now: Duration, domain: Duration, jitter: Double) -> Int64? {
        guard let sent = sending else { return nil }
        sending = nil
        nextAt = now + Self.distanceMin
        switch outcome {
        case .accepted:
            if sent.launch.publication.isFinal, sentRevision < sent.launch.revision {
                repetitions = EndLadder.steps.map { domain + $0 }
            }
            sentRevision = max(sentRevision, sent.launch.revision)
            return sent.launch.revision
        case .failed(let retry):
            let isKnown = retry.wasCertainlyNotDelivered
            if isKnown, sent.hasAlert, let key = sent.launch.riding?.key { told.removeAll { $0 == key } }
            nextAt = now + .seconds(1 + 4 * jitter)
        case .rejected:
            nextAt = now + .seconds(30)
        }
        return nil
    }
}
