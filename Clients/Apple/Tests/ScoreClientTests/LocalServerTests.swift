// The server of the tests itself: a server that has ended takes no connection of a later one.

import Foundation
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(3))) struct LocalServerTests {
    @Test func anEndedServerTakesNoConnectionOfALaterOne() async throws {
        for _ in 0..<200 {
            _ = try LocalServer { connection in connection.answer("410 Gone") }
            let server = try LocalServer { connection in connection.answer("200 OK") }
            let transport = URLSessionTransport(base: try #require(server.url))
            for _ in 0..<3 { #expect(try await transport.send(ClientRequest(.get, "/")).status == 200) }
        }
    }
}
