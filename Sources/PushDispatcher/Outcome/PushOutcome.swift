// The three words for a push, everywhere: accepted, rejected, failed.

/// What became of one request.
public enum PushOutcome: Sendable, Hashable {
    /// APNs took it; that says nothing about the phone.
    case accepted
    /// Permanent: sending it again would not help.
    case rejected(RejectionAction)
    /// Temporary: the newest state is worth another try.
    case failed(RetryClass)

    /// Whether it settles anything for whom it was meant: a fault of ours with key or topic does not, no more than a
    /// temporary one.
    public var isAnswer: Bool {
        switch self {
        case .failed, .rejected(.stopEnvironment): false
        case .accepted, .rejected: true
        }
    }

    /// The label of metrics: accepted, rejected or failed.
    public var word: String {
        switch self {
        case .accepted: "accepted"
        case .rejected: "rejected"
        case .failed: "failed"
        }
    }
}

/// What a permanent refusal asks for.
public enum RejectionAction: String, Sendable, Hashable, CaseIterable {
    /// The token is dead: take it out, unless it was registered again after APNs' time.
    case evict
    /// The token is malformed or of the other environment: send it nothing until the app shows it again.
    case quarantine
    /// Our request was wrong; neither token nor connection is to blame, and the same bytes are not sent again.
    case dropRequest
    /// Key, team or topic are wrong for everybody: stop the environment, touch no token, call the operator.
    case stopEnvironment
    /// The channel is not there (deleted, or of the other environment): make a new one.
    case recreateChannel
    /// No channel can be made: the capability is off or the limit is reached; tokens carry the match.
    case stopChannels
}

/// Why a push may be tried again, and how.
public enum RetryClass: String, Sendable, Hashable, CaseIterable {
    /// Not processed at all: at once, on another connection.
    case refused
    /// The provider token is too old: after one refresh, on a new connection.
    case renewedToken
    /// Provider tokens were changed too often: with the one in use, later.
    case sameToken
    /// The connection is bound to another key, or was idle: on a new one.
    case newConnection
    /// This token or channel gets too much: later, newest state only.
    case throttled
    /// The server had a problem: after 1 to 5 jittered seconds, newest state only.
    case server
    /// The server is going away: on another connection.
    case draining
    /// Bytes went out and no answer came: newest state, without its alert.
    case ambiguous

    /// False when nobody can say whether the request was carried out.
    public var wasCertainlyNotDelivered: Bool { self != .ambiguous }
}
