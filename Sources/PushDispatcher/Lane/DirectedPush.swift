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
    let body: BodyBytes
    /// Lowered to 5 once APNs throttles the token.
    var priority: PushPriority
    /// `apns-expiration`, seconds since 1970; 0 stores nothing.
    let expiration: Int64
    let seed: RequestSeed
    /// Whether it is repeated although APNs may have processed it; a start or an alert would appear twice.
    let repeatsWhenAmbiguous: Bool
    /// Whether the lane repeats it; a channel's owner sends a newer state instead.
    let repeatsWhenFailed: Bool
    /// `apns-collapse-id` of a notification; nil for none.
    var collapseID: String?
    /// When the lane received it.
    var queuedAt: Duration = .zero
    var attempt: UInt8 = 0
    var firstSentAt: Duration?

    /// Whether it may wait for notifications: starts are spread over minutes, ends are repeated, widgets are slow.
    var isLifecycle: Bool { kind == .start || kind == .end || kind == .widgets }

    var isBroadcast: Bool { if case .channel = target { true } else { false } }

    /// Whether APNs would drop it at a second since 1970; a request that APNs does not store never expires.
    func isExpired(at second: Int64) -> Bool { expiration > 0 && second >= expiration }
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
}
