// A request for one addressee that no walk would find: a start, an end, a notification, a broadcast.

internal import HTTP2
internal import ScoreTypes

/// One request outside the fan-out.
struct DirectedPush: Sendable {
    enum Target: Sendable {
        case device(DeviceID, generation: Int32, token: PushToken)
        case channel(ChannelID)
    }

    /// Given back with the result.
    let ticket: UInt64
    let kind: PayloadKind
    let match: MatchID
    let target: Target
    let body: BodyBytes
    /// Five from the first time on that APNs throttles its token.
    var priority: PushPriority
    /// `apns-expiration`, seconds since 1970; 0 stores nothing.
    let expiration: Int64
    let seed: RequestSeed
    /// Whether it is sent again when nobody knows its fate; a start or an alert would be doubled.
    let repeatsWhenAmbiguous: Bool
    /// Whether the lane tries again by itself; the owner of a channel's states would rather send something newer.
    let repeatsWhenFailed: Bool
    /// `apns-collapse-id` of a notification; nil for none.
    var collapseID: String?
    /// When the lane took it.
    var queuedAt: Duration = .zero
    var attempt: UInt8 = 0
    var firstSentAt: Duration?

    /// Starts are spread over minutes and ends are said again, so that both can wait for those who are told something.
    var isLifecycle: Bool { kind == .start || kind == .end }

    var isBroadcast: Bool { if case .channel = target { true } else { false } }

    /// Whether APNs would not keep it any more; what is not to be stored has no deadline.
    func isExpired(at second: Int64) -> Bool { expiration > 0 && second >= expiration }
}

/// What became of a directed request.
struct DirectedResult: Sendable {
    let ticket: UInt64
    let kind: PayloadKind
    let environment: PushEnvironment
    let match: MatchID
    let target: DirectedPush.Target
    let outcome: PushOutcome
    let reason: APNsReason
    let apnsTimestampMilliseconds: Int64?
    /// How long APNs asked to wait; nil when it did not say.
    var retryAfter: Duration?
    /// Its deadline passed while it waited; trying it once more would help nobody.
    var isExpired = false
}
