// One request and its answer, for whoever follows a push through the house; nobody pays for it when nobody asks.

public import ScoreTypes

/// One try of one request, as it ended.
public struct PushAttempt: Sendable {
    /// What the request was for.
    public let operation: PayloadKind
    /// Whether it went to a channel.
    public let isBroadcast: Bool
    /// The match.
    public let match: MatchID
    /// The revision that it showed, which names the snapshot; nil for starts, ends and notifications.
    public let revision: Int64?
    /// Apple's world.
    public let environment: PushEnvironment
    /// Counted from 1.
    public let number: Int
    /// Whether nothing more is tried for this request.
    public let isFinal: Bool
    /// Accepted, rejected or failed.
    public let outcome: PushOutcome
    /// HTTP status; 0 when there was no answer.
    public let status: Int
    /// APNs' reason.
    public let reason: APNsReason
    /// When the request was handed to its connection, on the monotonic clock.
    public let sentAt: Duration
    /// From there to the answer, or to giving up.
    public let duration: Duration

    let seed: RequestSeed
    let device: DeviceID
    let generation: Int32
    let recipient: Recipient

    enum Recipient: Sendable {
        case token(PushToken)
        case channel(ChannelID)
        /// A token of the arena, looked up only when somebody wants to see its fingerprint.
        case stored(any TokenSource)
    }

    /// `apns-id`, or `apns-request-id` of a broadcast.
    public var requestID: String {
        withUnsafeTemporaryAllocation(byteCount: RequestSeed.textByteCount, alignment: 16) { text in
            if let start = text.baseAddress { seed.write(device, generation: generation, into: start) }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The first digits of the token's or the channel's SHA-256; nil when the token is gone.
    public var fingerprint: Fingerprint? {
        switch recipient {
        case .token(let token): Fingerprint(of: token)
        case .channel(let channel): PushToken(bytes: Array(channel.text.utf8)).flatMap { Fingerprint(of: $0) }
        case .stored(let source):
            source.token(of: match, device: device, generation: generation).flatMap { Fingerprint(of: $0) }
        }
    }

    /// The catalogue's id of the trap behind a refusal.
    public var trap: String? { reason.trap }
}

/// Hears of every attempt, on the thread of the lane that made it: must return at once.
public protocol AttemptObserver: Sendable {
    /// Whether it wants to hear of attempts that APNs accepted, which cost every push something; asked once.
    var wantsAccepted: Bool { get }
    /// An attempt has ended.
    func attempted(_ attempt: PushAttempt)
}

extension AttemptObserver {
    /// True: all are heard.
    public var wantsAccepted: Bool { true }
}
