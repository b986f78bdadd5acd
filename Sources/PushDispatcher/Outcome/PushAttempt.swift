// One request and its answer, for an observer of single pushes; free of cost without an observer.

public import ScoreTypes

/// One finished try of one request.
public struct PushAttempt: Sendable {
    /// The purpose of the request.
    public let operation: PayloadKind
    /// Whether it was a broadcast to a channel.
    public let isBroadcast: Bool
    /// The match.
    public let match: MatchID
    /// The revision that it carried; nil for starts, ends and notifications.
    public let revision: Int64?
    /// APNs environment.
    public let environment: PushEnvironment
    /// Number of the try, from 1.
    public let number: Int
    /// Whether the request is not repeated.
    public let isFinal: Bool
    /// Accepted, rejected or failed.
    public let outcome: PushOutcome
    /// HTTP status; 0 without an answer.
    public let status: Int
    /// APNs' reason.
    public let reason: APNsReason
    /// When the request was submitted to its connection, in monotonic time.
    public let sentAt: Duration
    /// Time from there to the answer or failure.
    public let duration: Duration

    let seed: RequestSeed
    let device: DeviceID
    let generation: Int32
    let recipient: Recipient

    enum Recipient: Sendable {
        case token(PushToken)
        case channel(ChannelID)
        /// A token in memory, looked up only if its fingerprint is read.
        case stored(any TokenSource)
    }

    /// `apns-id`, or `apns-request-id` of a broadcast.
    public var requestID: String {
        withUnsafeTemporaryAllocation(byteCount: RequestSeed.textByteCount, alignment: 16) { text in
            if let start = text.baseAddress { seed.write(device, generation: generation, into: start) }
            return String(decoding: text, as: UTF8.self)
        }
    }

    /// The first digits of the token's or the channel's SHA-256; nil if the token is gone.
    public var fingerprint: Fingerprint? {
        switch recipient {
        case .token(let token): Fingerprint(of: token)
        case .channel(let channel): Fingerprint(of: channel)
        case .stored(let source):
            source.token(of: match, device: device, generation: generation).flatMap { Fingerprint(of: $0) }
        }
    }

    /// The id of the trap behind a rejection.
    public var trap: String? { reason.trap }
}

/// Receives every attempt on the thread of its lane; must return at once.
public protocol AttemptObserver: Sendable {
    /// Whether it wants accepted attempts, which cost every push something; read once.
    var wantsAccepted: Bool { get }
    /// Delivers a finished attempt.
    func attempted(_ attempt: PushAttempt)
    /// Delivers a finished request to channel management, on any thread.
    func managed(_ attempt: ChannelAttempt)
}

extension AttemptObserver {
    /// True: accepted attempts are delivered too.
    public var wantsAccepted: Bool { true }
    /// Does nothing: the observer is not interested in channel management.
    public func managed(_ attempt: ChannelAttempt) {}
}
