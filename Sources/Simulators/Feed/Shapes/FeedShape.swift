// Any Cricsheet match in a provider's format, so that adapters are tested without recorded replies.

public import Providers
public import ScoreTypes

/// The format of one provider for a match so far; the inverse of its adapter, and as pure.
public protocol FeedShape: Sendable {
    /// The provider.
    var provider: Provider { get }

    /// Answers a request about a match.
    ///
    /// - Parameters:
    ///   - request: The request, its path relative to the base address.
    ///   - match: The present content of the match.
    /// - Returns: The answer; nil for what the provider does not have, which is 404.
    func answer(_ request: ShapeRequest, of match: ShownMatch) -> ShapeAnswer?
}

/// The request of a client.
public struct ShapeRequest: Sendable, Hashable {
    /// `GET` or `POST`.
    public let method: String
    /// Behind the base address, with a slash in front, without the query.
    public let path: String
    /// The query, decoded.
    public let query: [String: String]
    /// Headers with their names in lower case.
    public let headers: [String: String]
    /// The body; empty for none.
    public let body: [UInt8]

    /// Describes a request.
    public init(
        method: String = "GET",
        path: String,
        query: [String: String] = [:],
        headers: [String: String] = [:],
        body: [UInt8] = []
    ) {
        self.method = method
        self.path = path
        self.query = query
        self.headers = headers
        self.body = body
    }

    /// An adapter's request as the provider receives it.
    public init(_ request: ProviderRequest) {
        self.init(
            method: request.method.rawValue,
            path: request.path,
            query: Dictionary(request.query.map { ($0.name, $0.value) }) { first, _ in first },
            headers: Dictionary(request.headers.map { ($0.name.lowercased(), $0.value) }) { first, _ in first },
            body: request.body
        )
    }

    /// The parts of the path between its slashes.
    public var segments: [String] { path.split(separator: "/").map(String.init) }
}

/// The answer of the provider.
public struct ShapeAnswer: Sendable {
    /// The HTTP status.
    public var status: Int
    /// Names and values beside those of every answer.
    public var headers: [(name: String, value: String)]
    /// The body.
    public var body: [UInt8]

    /// Answers with JSON.
    public init(
        status: Int = 200,
        headers: [(name: String, value: String)] = [("content-type", "application/json")],
        body: [UInt8]
    ) {
        self.status = status
        self.headers = headers
        self.body = body
    }
}
