// Pages of listed origins read the public API; no other page does, and no answer allows a browser's credentials.

import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct CrossOriginTests {
    private static let page = "https://scores.example"

    private static func withOrigins(
        _ origins: Set<String>,
        _ body: @Sendable (WireClient, WireClient) async throws -> Void
    ) async throws {
        var stubs = TestDependencies()
        stubs.origins = origins
        try await withServer(stubs) { try await body($0.publicClient, $0.internalClient) }
    }

    @Test("S8: a listed origin reads answers and errors") func aListedOriginReadsAnswersAndErrors() async throws {
        try await Self.withOrigins([Self.page]) { client, _ in
            for path in ["/v1/client-config", "/v1/matches/unknown", "/nothing"] {
                let answer = try await client.get(path, ["Origin": Self.page])
                #expect(answer["Access-Control-Allow-Origin"] == Self.page, "\(path)")
                #expect(answer["Access-Control-Expose-Headers"]?.contains("ETag") == true)
                #expect(answer["Access-Control-Allow-Credentials"] == nil)
            }
        }
    }

    @Test(
        "S8: another origin gets no permission",
        arguments: [
            "null", "https://scores.example.attacker.example", "http://scores.example", "https://scores.example:8443",
            "*",
        ]
    )
    func anotherOriginGetsNoPermission(origin: String) async throws {
        try await Self.withOrigins([Self.page]) { client, _ in
            let answer = try await client.get("/v1/client-config", ["Origin": origin])
            #expect(answer.status == 200 && answer["Access-Control-Allow-Origin"] == nil)
            #expect(answer.text.isEmpty == false)
            let preflight = try await client.send(
                "OPTIONS",
                "/v1/matches",
                ["Origin": origin, "Access-Control-Request-Method": "GET"]
            )
            #expect(preflight["Access-Control-Allow-Origin"] == nil)
            #expect(preflight["Access-Control-Allow-Methods"] == nil)
        }
    }

    @Test("C19: caches keep the answers of origins apart") func cachesKeepOriginsApart() async throws {
        try await Self.withOrigins([Self.page]) { client, _ in
            let answer = try await client.get("/v1/client-config")
            #expect(answer["Vary"]?.contains("Origin") == true)
        }
        try await Self.withOrigins([]) { client, _ in
            let answer = try await client.get("/v1/client-config", ["Origin": Self.page])
            #expect(answer["Vary"]?.contains("Origin") != true && answer["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test func aPreflightNamesTheMethodsOfThePath() async throws {
        try await Self.withOrigins([Self.page]) { client, _ in
            let headers = ["Origin": Self.page, "Access-Control-Request-Method": "PUT"]
            let answer = try await client.send("OPTIONS", "/v1/devices/me/follows/1", headers)
            #expect(answer.status == 204 && answer["Access-Control-Allow-Origin"] == Self.page)
            #expect(answer["Access-Control-Allow-Methods"]?.contains("PUT") == true)
            #expect(answer["Access-Control-Allow-Headers"]?.contains("Authorization") == true)
            #expect(answer["Access-Control-Max-Age"] == "3600")
            let unknown = try await client.send("OPTIONS", "/nothing", headers)
            #expect(unknown.status == 404)
        }
    }

    @Test func theInternalListenerAllowsNoOrigin() async throws {
        try await Self.withOrigins([Self.page]) { _, client in
            let answer = try await client.get("/healthz", ["Origin": Self.page])
            #expect(answer.status == 200 && answer["Access-Control-Allow-Origin"] == nil)
        }
    }

    @Test(arguments: [
        ("https://scores.example", true), ("http://127.0.0.1:8000", true), ("http://[::1]:8000", true), ("*", false),
        ("null", false), ("https://scores.example/", false), ("scores.example", false), ("https://*.example", false),
    ])
    func settingsAcceptOnlyOrigins(text: String, isOrigin: Bool) {
        #expect(CrossOriginPolicy.isOrigin(text) == isOrigin)
    }
}
