// The three outcomes of a push, used everywhere: accepted, rejected, failed.

/// The outcome of one request.
public enum PushOutcome: Sendable, Hashable {
    /// APNs accepted it, which does not mean that the phone received it.
    case accepted
    /// Permanent: a repetition is useless.
    case rejected(RejectionAction)
    /// Temporary: the newest state is worth another try.
    case failed(RetryClass)

    /// Whether it is final for the recipient; temporary failures and configuration errors are not final.
    public var isFinalForRecipient: Bool {
        switch self {
        case .failed, .rejected(.stopEnvironment): false
        case .accepted, .rejected: true
        }
    }

    /// The label of metrics: accepted, rejected or failed.
    public var label: String {
        switch self {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .failed: "failed"
        }
    }
}

/// The consequence of a rejection.
public enum RejectionAction: String, Sendable, Hashable, CaseIterable {
    /// The token is invalid: evict it, unless it was registered again after APNs' timestamp.
    case evict
    /// The token is malformed or of the other environment: send nothing to it until the app registers it again.
    case quarantine
    /// The request was wrong; token and connection are good, and the same bytes are not sent again.
    case dropRequest
    /// Key, team or topic are wrong for all requests: stop the environment, keep all tokens, notify the operator.
    case stopEnvironment
    /// The channel does not exist in this environment: create another.
    case recreateChannel
    /// No channel can be created: the capability is off or the limit is reached; use activity tokens.
    case stopChannels
}

/// Why a push may be repeated, and how.
public enum RetryClass: String, Sendable, Hashable, CaseIterable {
    /// Not processed: repeat at once, on another connection.
    case refused
    /// The provider token has expired: repeat after one renewal, on a new connection.
    case renewedToken
    /// Provider tokens changed too often: repeat later with the current one.
    case sameToken
    /// The connection is bound to another key, or was idle: repeat on a new one.
    case newConnection
    /// Too many requests for this token or channel: send the newest state later.
    case throttled
    /// Server error: send the newest state after 1 to 5 jittered seconds.
    case server
    /// The server shuts down: repeat on another connection.
    case draining
    /// Bytes were sent and no answer came: send the newest state without its alert.
    case ambiguous

    /// False if APNs may have processed the request.
    public var wasCertainlyNotDelivered: Bool { self != .ambiguous }
}
