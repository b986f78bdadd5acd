// The adapters must be proven against replies that nobody had to record: any Cricsheet match in a provider's clothes.

public import Providers
public import ScoreTypes

/// One provider's way of telling a match so far; the inverse of its adapter, and as pure.
public protocol FeedShape: Sendable {
    /// Whose clothes they are.
    var provider: Provider { get }

    /// Answers a request about a match.
    ///
    /// - Parameters:
    ///   - request: What was asked, behind the base address.
    ///   - match: What the feed shows just now.
    /// - Returns: The answer; nil for what the provider does not have, which is 404.
    func answer(_ request: ShapeRequest, of match: ShownMatch) -> ShapeAnswer?
}

/// What a client asked for.
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

    /// What an adapter's request looks like to the provider.
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

/// What the provider answers.
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
