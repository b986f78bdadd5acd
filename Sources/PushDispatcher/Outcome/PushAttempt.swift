// One request and its answer, for an observer of single pushes; free of cost without an observer.

internal import HTTP2
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
    /// When the publication of a fan-out was committed; nil for other requests.
    public var committedAt: Instant?
    /// When a request outside the fan-out was queued, in monotonic time; nil for a fan-out.
    public var queuedAt: Duration?

    let seed: RequestSeed
    let device: DeviceID
    let generation: Int32
    let recipient: Recipient
    /// The body; nil if the match has a newer publication.
    var body: BodyBytes?

    enum Recipient: Sendable {
        case token(PushToken)
        case channel(ChannelID)
        /// A token in memory, looked up only if its fingerprint is read.
        case stored(any TokenSource)
    }

    /// The device; nil for a broadcast.
    public var recipientDevice: DeviceID? { isBroadcast ? nil : device }
    /// The bytes of the request's body, which has no token; nil if they are no longer in memory.
    public var payload: [UInt8]? { body.map { Array($0.bytes) } }

    /// The trace of the revision that it carried; nil for starts, ends and notifications.
    public var trace: RevisionTrace? { revision.map { RevisionTrace(match, revision: $0) } }

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

/// The accepted attempts that an observer receives; it receives every other one.
public enum AcceptedAttempts: Sendable, Hashable {
    /// All, which costs every push something.
    case all
    /// The first attempt of a publication in each lane, each repetition, and one in `PushLimits.attemptSampleEvery`.
    case sample
    case none
}

/// Receives attempts on the thread of their lane; must return at once.
public protocol AttemptObserver: Sendable {
    /// The accepted attempts that it wants; read once.
    var acceptedAttempts: AcceptedAttempts { get }
    /// Delivers a finished attempt.
    func attempted(_ attempt: PushAttempt)
    /// Delivers a finished request to channel management, on any thread.
    func managed(_ attempt: ChannelAttempt)
}

extension AttemptObserver {
    /// All accepted attempts are delivered too.
    public var acceptedAttempts: AcceptedAttempts { .all }
    /// Does nothing: the observer is not interested in channel management.
    public func managed(_ attempt: ChannelAttempt) {}
}
