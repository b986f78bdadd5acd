// The outcomes of one request to a feed, with the labels of its metric.

internal import CurlTransfer
internal import ScoreTypes

/// The outcome of one request.
package enum FetchOutcome: Sendable, Hashable {
    /// A whole body with its entity tag.
    case body([UInt8], etag: String?)
    /// The provider says that nothing has changed.
    case notModified
    /// No usable answer.
    case failed(FetchFailure)
    /// The request was not sent; it may be after this real time.
    case refused(wait: Duration)
}

/// Why there is no usable answer.
package struct FetchFailure: Sendable, Hashable {
    let label: FetchLabel
    /// The HTTP status, when there was one.
    let status: Int?
    /// The pause that the provider requests, in real time.
    let retryAfter: Duration?

    /// Whether the feed itself is in trouble, and not only this one address.
    var countsAgainstFeed: Bool {
        switch label {
        case .http4xx: isAboutClient
        case .badJson, .badSchema, .tooLarge, .ok, .notModified: false
        case .http5xx, .timeout, .connect, .tls, .truncated, .redirect, .blocked: true
        }
    }

    /// Whether the key or the token is refused.
    var isTokenRefused: Bool { status == 401 || status == 403 }

    /// Whether any other request would get the same answer: the key is refused, or the plan is used up.
    var isAboutClient: Bool { isTokenRefused || status == 429 }

    /// Whether the same request would get the same answer again.
    var isPermanent: Bool { label == .http4xx && status != 429 }

    /// Whether the provider does not know the match.
    var isGone: Bool { status == 404 || status == 410 }
}

/// The label `outcome` of the metric of requests.
enum FetchLabel: String, Sendable, Hashable, CaseIterable {
    case ok, notModified, http4xx, http5xx, timeout, connect, tls, tooLarge, truncated, badJson, badSchema, redirect
    case blocked
}

extension FetchOutcome {
    /// Whether the provider gave a usable answer.
    var isUsable: Bool {
        switch self {
        case .body, .notModified: true
        case .failed, .refused: false
        }
    }

    /// Sorts a reply by its status.
    init(_ reply: Reply, now: Instant) {
        let retryAfter = reply.head.retryAfter(now: now)
        self.init(status: reply.status, reply.body, etag: reply.head.etag, retryAfter: retryAfter)
    }

    /// Sorts an answer by its HTTP status.
    package init(status: Int, _ body: [UInt8], etag: String? = nil, retryAfter: Duration? = nil) {
        switch status {
        case 200..<300: self = .body(body, etag: etag)
        case 304: self = .notModified
        case 300..<400: self = .failed(FetchFailure(label: .redirect, status: status, retryAfter: nil))
        case 400..<500: self = .failed(FetchFailure(label: .http4xx, status: status, retryAfter: retryAfter))
        default: self = .failed(FetchFailure(label: .http5xx, status: status, retryAfter: retryAfter))
        }
    }

    /// Sorts a transfer error; nil when this side ended the transfer, which says nothing about the feed.
    init?(_ error: TransferError) {
        let label: FetchLabel
        switch error {
        case .cancelled, .stopped, .tooMany: return nil
        case .badRequest, .hostNotAllowed, .addressNotAllowed: label = .blocked
        case .nameNotFound, .connection, .other: label = .connect
        case .tls: label = .tls
        case .deadline: label = .timeout
        case .tooLarge: label = .tooLarge
        case .truncated: label = .truncated
        case .badReply, .notText: label = .badJson
        case .status: label = .http5xx
        }
        self = .failed(FetchFailure(label: label, status: nil, retryAfter: nil))
    }
}
