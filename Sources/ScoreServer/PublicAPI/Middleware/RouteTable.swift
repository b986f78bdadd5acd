// Lists the methods of a path, for 405 answers and for the test that compares openapi.yaml with the router.

import HTTPTypes
import Hummingbird

/// The routes of a listener.
struct RouteTable: Sendable {
    /// Methods that metrics name; anything else a client invents is `other`.
    static let knownMethods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]

    /// One method at one path, with `{name}` for parameters.
    struct Route: Sendable, Hashable {
        let method: String
        let path: String
    }

    let routes: [Route]

    init(_ router: Router<ServiceContext>) {
        routes = router.routes.map { Route(method: $0.method.rawValue, path: $0.path.description) }
    }

    /// The methods at a concrete path; none when there is no such path.
    func methods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        var methods = Set(routes.filter { Self.matches($0.path.split(separator: "/"), segments) }.map(\.method))
        // The router answers HEAD wherever it answers GET.
        if methods.contains("GET") { methods.insert("HEAD") }
        return methods.sorted()
    }

    private static func matches(_ pattern: [Substring], _ segments: [Substring]) -> Bool {
        pattern.count == segments.count
            && zip(pattern, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
}
