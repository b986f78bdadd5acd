// Any Cricsheet match in a provider's format, so that adapters are tested without recorded replies.

public import Providers
import ScoreTypes

/// The format of one provider for a match so far; the inverse of its adapter, and as pure.
public protocol FeedShape: Sendable {
    /// Answers a request about the present content of all matches; nil for what the provider lacks, which is 404.
    func answer(_ request: ShapeRequest, of matches: [ShownMatch]) -> ServedAnswer?
}

extension FeedShape {
    /// Answers a request for a feed with one match.
    public func answer(_ request: ShapeRequest, of match: ShownMatch) -> ServedAnswer? { answer(request, of: [match]) }
}

/// The request of a client.
public struct ShapeRequest: Sendable, Hashable {
    /// `GET` or `POST`.
    var method = "GET"
    /// Behind the base address, with a slash in front, without the query.
    let path: String
    /// The query, decoded.
    var query: [String: String] = [:]
    /// Headers with their names in lower case.
    var headers: [String: String] = [:]
    /// The body; empty for none.
    var body: [UInt8] = []

    /// The parts of the path between its slashes.
    var segments: [String] { path.split(separator: "/").map(String.init) }
}

extension ShapeRequest {
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
}
