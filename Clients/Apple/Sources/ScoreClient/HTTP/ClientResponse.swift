// An answer as data, with the parts of a problem document that the client acts on.

public import Foundation

/// One complete HTTP answer.
public struct ClientResponse: Sendable, Hashable {
    /// The status code.
    public var status: Int
    /// Header fields by lower-case name.
    public var headers: [String: String]
    /// The body.
    public var body: Data

    /// Makes an answer.
    public init(status: Int, headers: [String: String] = [:], body: Data = Data()) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the status is one of success.
    var isSuccess: Bool { (200..<300).contains(status) }

    /// Whether a repetition may succeed.
    var isTemporary: Bool { status == 408 || status == 425 || status == 429 || (500..<600).contains(status) }

    /// Whether the server failed at a route that it has.
    var isServerFailure: Bool { (500..<600).contains(status) && status != 501 }

    /// The seconds of Retry-After, bounded; nil when absent or in another form.
    var retryAfterSeconds: Int64? {
        headers["retry-after"].flatMap { Int64($0) }.map { min(max($0, 0), ClientLimits.longestRetryAfter) }
    }

    /// The problem (RFC 9457) of an answer that is no success.
    var problem: ProblemDocument? { ClientJSON.decode(ProblemDocument.self, from: body) }
}

/// The members of a problem that the client acts on.
struct ProblemDocument: Decodable, Sendable {
    private var type: String?
    /// The sequence number that the server has stored, in `stale-client-sequence`.
    var clientSeq: Int64?
    /// The stored follow, in `stale-client-sequence`.
    var current: FollowItem?
    /// The time to wait, in `idempotency-in-progress`.
    var retryAfterMs: Int64?

    /// The kind of the problem: the last part of `type`.
    var slug: String? { type?.split(separator: "/").last.map(String.init) }
}
