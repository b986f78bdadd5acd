// A table of aliases is stored as a whole, or refused with the reason.

import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct AliasRoutesTests {
    @Test func aFullTableAnswers409() async throws {
        let isFull = Mutex(false)
        var stubs = TestDependencies()
        stubs.aliases.onPut = { _ in if isFull.withLock({ $0 }) { throw AliasError.full(max: 200_000) } }
        try await withServer(stubs) { server in
            let headers = try await server.token(.admin)
            let body = """
                {"reason":"a new season","aliases":[{"kind":"player","provider":"roanuz","providerId":"a","ourId":"b"}]}
                """
            let path = "/admin/api/v1/aliases"
            let taken = try await server.internalClient.send("POST", path, headers, json: body)
            #expect(taken.status == 200, "\(taken.text)")
            isFull.withLock { $0 = true }
            let refused = try await server.internalClient.send("POST", path, headers, json: body)
            #expect(refused.status == 409 && refused.problem == "conflict", "\(refused.text)")
            #expect(refused.json["detail"]?.string?.contains("200000") == true)
            #expect(server.stubs.store.lines.last?.outcome == .failed)
        }
    }
}
