// The comparison of answers with openapi.yaml finds each kind of difference.

import MatchSamples
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct ContractTests {
    private static let yaml = String(decoding: DocumentRoutes.description, as: UTF8.self)

    /// A request and its answer, which the unchanged description allows.
    private struct Exchange {
        let method: String
        let target: String
        let answer: WireAnswer
    }

    private static func exchanges() async throws -> [Exchange] {
        let view = try Samples.view(7)
        let box = Collected()
        try await withServer { server in
            server.publish(view)
            let client = server.publicClient
            let tag = "\"\(view.revision)\""
            let requests: [(String, String, [String: String])] = [
                ("GET", "/v1/matches", [:]), ("GET", "/v1/matches/ipl-final", [:]),
                ("GET", "/v1/matches/ipl-final", ["If-None-Match": tag]), ("GET", "/v1/matches/nowhere", [:]),
                ("HEAD", "/v1/client-config", [:]), ("GET", "/v1/devices/me", [:]),
            ]
            for (method, target, headers) in requests {
                let answer = try await client.send(method, target, headers)
                box.add(Exchange(method: method, target: target, answer: answer))
            }
        }
        return box.all
    }

    private final class Collected: Sendable {
        private let list = Mutex<[Exchange]>([])
        var all: [Exchange] { list.withLock { $0 } }
        func add(_ exchange: Exchange) { list.withLock { $0.append(exchange) } }
    }

    /// A change of the file that makes it differ from the server.
    struct Change: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let text: String
        let replacement: String

        init(_ description: String, _ text: String, _ replacement: String) {
            (testDescription, self.text, self.replacement) = (description, text, replacement)
        }
    }

    private static let changes = [
        Change("a member of another type", "lagMs: {type: integer,", "lagMs: {type: string,"),
        Change("a required member that is missing", "teams, innings, display,", "teams, innings, count, display,"),
        Change("a smaller bound", "nextPollMs: {type: integer,", "nextPollMs: {type: integer, maximum: 1,"),
        Change("another pattern", "pattern: '^[A-Za-z0-9._-]{1,64}$'", "pattern: '^[0-9]{1,64}$'"),
        Change("an answer that is missing", "        '304':\n", "        '305':\n"),
        Change("a header that is missing", "    ETag:\n", "    EntityTag:\n"),
        Change("a header that is not sent", "    Vary:\n", "    Vary:\n      required: true\n"),
        Change("a path that is missing", "  /v1/matches/{id}:\n", "  /v1/games/{id}:\n"),
        Change("another media type", "application/problem+json:", "application/problem+xml:"),
        Change("an unknown keyword", "nextPollMs: {type: integer,", "nextPollMs: {type: integer, multipleOf: 1,"),
    ]

    @Test(arguments: changes)
    func aDifferenceIsReported(_ change: Change) async throws {
        let changed = Self.yaml.replacing(change.text, with: change.replacement)
        try #require(changed != Self.yaml, "the file has no such text: \(change.text)")
        let checker = ContractChecker(try APIDescription(reading: Array(changed.utf8)))
        let exchanges = try await Self.exchanges()
        #expect(exchanges.map(\.answer.status) == [200, 200, 304, 404, 200, 401])
        #expect(!exchanges.allSatisfy { checker.complaints($0.method, $0.target, $0.answer).isEmpty })
    }

    @Test func theServedJSONIsTheDescription() async throws {
        try await withServer { server in
            let served = try await server.publicClient.get("/v1/openapi.json")
            let description = try APIDescription.embedded.get()
            #expect(served.status == 200 && served.json == description.document)
        }
    }
}
