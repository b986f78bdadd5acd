// A request for one recipient outside the fan-out: a start, an end, a notification, a broadcast.

internal import HTTP2
internal import ScoreTypes

/// One request outside the fan-out.
struct DirectedPush: Sendable {
    enum Target: Sendable {
        case device(DeviceID, generation: Int32, token: PushToken)
        case channel(ChannelID)

        init(_ recipient: PushRecipient) {
            self = .device(recipient.device, generation: recipient.generation, token: recipient.token)
        }
    }

    /// Returned with the result.
    let ticket: UInt64
    let kind: PayloadKind
    let match: MatchID
    let target: Target
    private(set) var body: BodyBytes
    /// Lowered to 5 once APNs throttles the token, and for a repetition without the alert.
    private(set) var priority: PushPriority
    /// `apns-expiration`, seconds since 1970; 0 stores nothing.
    let expiration: Int64
    let seed: RequestSeed
    /// The follow-up of a try that APNs may have processed.
    private(set) var whenAmbiguous: AmbiguousFollowUp
    /// Whether the lane repeats it; a channel's owner sends a newer state instead.
    let repeatsWhenFailed: Bool
    /// `apns-collapse-id` of a notification; nil for none.
    var collapseID: String?
    /// Withdraws a notification that waits; nil for none.
    var recall: NotificationRecall?
    /// When the lane received it.
    var queuedAt: Duration = .zero
    var attempt: UInt8 = 0
    var firstSentAt: Duration?
    /// Whether APNs may have processed an earlier try.
    private(set) var mayHaveArrived = false

    /// Whether it may wait for notifications: starts are spread over minutes, ends are repeated, widgets are slow.
    var isLifecycle: Bool { kind == .start || kind == .end || kind == .widgets }

    var isBroadcast: Bool { if case .channel = target { true } else { false } }

    /// The request of the next try after a failure; nil if there is none.
    func next(after failure: RetryClass) -> DirectedPush? {
        guard repeatsWhenFailed else { return nil }
        var next = self
        if failure == .throttled { next.priority = .five }
        guard failure == .ambiguous else { return next }
        next.mayHaveArrived = true
        switch whenAmbiguous {
        case .giveUp: return nil
        case .repeat: break
        case .replace(let passive): (next.body, next.priority, next.whenAmbiguous) = (passive, .five, .repeat)
        }
        return next
    }

    /// The outcome of all tries: a failed last one does not make an earlier one certain.
    func outcome(_ last: PushOutcome) -> PushOutcome {
        if mayHaveArrived, case .failed = last { return .failed(.ambiguous) }
        return last
    }

    /// Whether APNs would drop it at a second since 1970; a request that APNs does not store never expires.
    func isExpired(at second: Int64) -> Bool { expiration > 0 && second >= expiration }
}

/// The follow-up of a directed request without an answer.
enum AmbiguousFollowUp: Sendable {
    /// Nothing: a second start would show a second activity.
    case giveUp
    /// The same request: it has no alert, and changes nothing on a phone that it has reached.
    case `repeat`
    /// A request with this body, which lists the notification without its alert.
    case replace(BodyBytes)
}

/// The result of a directed request.
struct DirectedResult: Sendable {
    let ticket: UInt64
    let kind: PayloadKind
    let environment: PushEnvironment
    let match: MatchID
    let target: DirectedPush.Target
    let outcome: PushOutcome
    let apnsTimestampMilliseconds: Int64?
    /// The wait that APNs requested; nil for none.
    var retryAfter: Duration?
    /// Whether its deadline passed while it waited; a retry is useless.
    var isExpired = false
    /// HTTP status and reason of the last answer; 0 and `transport` without one.
    var answer: (status: Int, reason: APNsReason) = (0, .transport)
}

extension DirectedResult {
    /// The result of a request in an environment.
    init(
        _ push: DirectedPush,
        in environment: PushEnvironment,
        _ requestResult: RequestResult,
        isExpired: Bool = false
    ) {
        self.init(
            ticket: push.ticket,
            kind: push.kind,
            environment: environment,
            match: push.match,
            target: push.target,
            outcome: push.outcome(requestResult.outcome),
            apnsTimestampMilliseconds: requestResult.deadSince,
            retryAfter: requestResult.retryAfter,
            isExpired: isExpired,
            answer: (requestResult.status, requestResult.reason)
        )
    }
}
