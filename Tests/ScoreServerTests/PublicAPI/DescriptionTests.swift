// openapi.yaml describes exactly the routes of the routers.

import HTTPTypes
import MatchJournal
import Providers
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct DescriptionTests {
    /// Methods and paths of the file, found by its indentation.
    private static func described() -> Set<RouteTable.Route> {
        var routes: Set<RouteTable.Route> = []
        var path = ""
        for line in String(decoding: DocumentRoutes.description, as: UTF8.self).split(separator: "\n") {
            if line.hasPrefix("  /"), line.hasSuffix(":") { path = String(line.dropFirst(2).dropLast()) }
            if line == "components:" { path = "" }
            guard !path.isEmpty, line.hasPrefix("    "),
                let method = HTTPRequest.Method(line.dropFirst(4).dropLast().uppercased()),
                RouteTable.knownMethods.contains(method)
            else { continue }
            routes.insert(.init(method: method.rawValue, path: path))
        }
        return routes
    }

    @Test func routesAndDescriptionsMatch() async throws {
        try await withServer { server in
            let routed = Set(server.routes)
            let described = Self.described()
            #expect(described.subtracting(routed).isEmpty, "described only: \(described.subtracting(routed))")
            #expect(routed.subtracting(described).isEmpty, "routed only: \(routed.subtracting(described))")
            #expect(routed.count > 35)
            let served = try await server.publicClient.get("/v1/openapi.yaml")
            #expect(served["Content-Type"] == "application/yaml")
            #expect(served.body == DocumentRoutes.description)
        }
    }
}
