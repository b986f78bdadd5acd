// The errors of reads and streams, by what the app should do.

/// An error of the client; ``advice`` says what the app should do.
public enum ClientError: Error, Sendable, Hashable {
    /// The server cannot be reached.
    case offline
    /// The server is busy or limits the client; the value is the number of seconds to wait.
    case busy(retryAfterSeconds: Int64)
    /// There is no such match.
    case notFound
    /// The provider has removed the match; it may return.
    case matchRemoved
    /// The credential is not valid; the client registers again by itself.
    case unauthenticated
    /// The server refused the request; `slug` is the kind of its problem.
    case refused(status: Int, slug: String?)
    /// The arguments do not form a request that the server accepts.
    case invalidRequest
    /// The answer cannot be decoded; a newer app may be able to.
    case unreadable
    /// The connection is not secure, or an intermediary answered in place of the server.
    case insecure
    /// The task was cancelled.
    case cancelled

    /// The reaction of an app to an error.
    public enum Advice: Sendable, Hashable {
        /// Keep what is shown, and repeat later.
        case retry
        /// Remove the match from the screen.
        case removeMatch
        /// Record the error for the developers; a repetition does not help.
        case report
        /// Nothing: the app cancelled, or the client repairs it.
        case none
    }

    /// The reaction of the app.
    public var advice: Advice {
        switch self {
        case .offline, .busy: .retry
        case .notFound, .matchRemoved: .removeMatch
        case .refused, .invalidRequest, .unreadable, .insecure: .report
        case .unauthenticated, .cancelled: .none
        }
    }

    /// The error of a failed transfer.
    init(_ error: TransportError) {
        switch error {
        case .offline, .timedOut, .interrupted: self = .offline
        case .insecure: self = .insecure
        case .tooLarge: self = .unreadable
        case .invalidRequest: self = .invalidRequest
        case .cancelled: self = .cancelled
        }
    }

    /// The error of an answer that is no success.
    init(_ response: ClientResponse) {
        switch response.status {
        case 401: self = .unauthenticated
        case 404: self = .notFound
        case 410: self = .matchRemoved
        case 408, 425, 429, 500...599: self = .busy(retryAfterSeconds: response.retryAfterSeconds ?? 1)
        default: self = .refused(status: response.status, slug: response.problem?.slug)
        }
    }
}
