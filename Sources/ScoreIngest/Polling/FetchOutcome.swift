// What a request to a feed came to, in the words of its metric.

internal import CurlTransfer
internal import ScoreTypes

/// The outcome of one request.
enum FetchOutcome: Sendable {
    /// A whole body with its entity tag.
    case body([UInt8], etag: String?)
    /// The provider says that nothing has changed.
    case notModified
    /// Nothing usable came.
    case failed(FetchFailure)
    /// Nothing was sent: the breaker is open or the budget is spent.
    case refused(wait: Duration)
}

/// Why nothing usable came.
struct FetchFailure: Sendable, Hashable {
    let label: FetchLabel
    /// The HTTP status, when there was one.
    let status: Int?
    /// How long the provider asks to be left alone, in real time.
    let retryAfter: Duration?

    /// Whether the feed itself is in trouble, and not only this one address.
    var countsAgainstFeed: Bool {
        switch label {
        case .http4xx: isAboutClient
        case .badJson, .badSchema, .tooLarge, .ok, .notModified: false
        case .http5xx, .timeout, .connect, .tls, .truncated, .redirect, .blocked: true
        }
    }

    /// Whether the key is refused, or too much was asked: any other request would be answered the same.
    var isAboutClient: Bool { status == 401 || status == 403 || status == 429 }

    /// Whether asking again would bring the same answer.
    var isForGood: Bool { label == .http4xx && status != 429 }

    /// Whether the provider knows no such match any more.
    var isGone: Bool { status == 404 || status == 410 }
}

/// The label `outcome` of the metric of requests.
enum FetchLabel: String, Sendable, Hashable, CaseIterable {
    case ok, notModified, http4xx, http5xx, timeout, connect, tls, tooLarge, truncated, badJson, badSchema, redirect
    case blocked
}

extension FetchOutcome {
    /// Sorts a reply by its status.
    init(_ reply: Reply, now: Instant) {
        let retryAfter = reply.head.retryAfter(now: now)
        switch reply.status {
        case 200..<300: self = .body(reply.body, etag: reply.head.etag)
        case 304: self = .notModified
        case 300..<400: self = .failed(FetchFailure(label: .redirect, status: reply.status, retryAfter: nil))
        case 400..<500: self = .failed(FetchFailure(label: .http4xx, status: reply.status, retryAfter: retryAfter))
        default: self = .failed(FetchFailure(label: .http5xx, status: reply.status, retryAfter: retryAfter))
        }
    }

    /// Sorts a failure; nil when this side gave up, which says nothing about the feed.
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
