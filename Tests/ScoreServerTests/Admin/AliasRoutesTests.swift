// A table of aliases is stored as a whole, or refused with the reason, and read page by page.

import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct AliasRoutesTests {
    private static let path = "/admin/api/v1/aliases"

    @Test func aFullTableAnswers409() async throws {
        let isFull = Mutex(false)
        var stubs = TestDependencies()
        stubs.aliases.onPut = { _ in if isFull.withLock({ $0 }) { throw AliasError.full(max: 200_000) } }
        try await withServer(stubs) { server in
            let headers = try await server.token(.admin)
            let body = """
                {"reason":"a new season","aliases":[{"kind":"player","provider":"roanuz","providerId":"a","ourId":"b"}]}
                """
            let taken = try await server.internalClient.send("POST", Self.path, headers, json: body)
            #expect(taken.status == 200, "\(taken.text)")
            isFull.withLock { $0 = true }
            let refused = try await server.internalClient.send("POST", Self.path, headers, json: body)
            #expect(refused.status == 409 && refused.problem == "conflict", "\(refused.text)")
            #expect(refused.json["detail"]?.string?.contains("200000") == true)
            #expect(server.stubs.store.lines.last?.outcome == .failed)
        }
    }

    @Test func aPageNamesThePlaceOfTheNextOne() async throws {
        var stubs = TestDependencies()
        stubs.aliases.list = (1...5).map { Alias(.player, .roanuz, "c.player.\($0)", means: "p\($0)") }
        try await withServer(stubs) { server in
            let viewer = try await server.token(.viewer)
            var (ids, after): ([String], String?) = ([], nil)
            repeat {
                let query = "?limit=2" + (after.map { "&after=\($0)" } ?? "")
                let page = try await server.internalClient.get(Self.path + query, viewer)
                #expect(page.status == 200 && page.json["total"]?.int == 5, "\(page.text)")
                ids += (page.json["items"]?.list ?? []).compactMap { $0["providerId"]?.string }
                after = page.json["nextAfter"]?.string
            } while after != nil && ids.count < 10
            #expect(ids == ["c.player.1", "c.player.2", "c.player.3", "c.player.4", "c.player.5"])
            for wrong in ["after=2", "after=pitch.roanuz.a", "after=player", "limit=1001"] {
                #expect(try await server.internalClient.get(Self.path + "?\(wrong)", viewer).status == 400, "\(wrong)")
            }
        }
    }
}
