// The list of matches is rendered once for each query and each state of the matches.

import HTTPTypes
import MatchSamples
import NIOCore
import ScoreTypes
import Testing

@testable import MatchJournal
@testable import ScoreServer

@Suite struct RenderedListsTests {
    private static func list(_ tag: String) -> RenderedLists.List {
        RenderedLists.List(
            answer: StoredAnswer(tag: tag, headers: [:], body: ByteBuffer(string: "{}")),
            cacheControl: "no-store",
            until: Instant(milliseconds: 60_000)
        )
    }

    @Test("C20: a list is rendered once until a match changes") func aListIsRenderedOnceUntilAMatchChanges() {
        let lists = RenderedLists()
        var rendered = 0
        func tag(_ query: String, version: Int, at milliseconds: Int64) -> String {
            lists.list(query, version: version, now: Instant(milliseconds: milliseconds)) {
                rendered += 1
                return Self.list("\"\(rendered)\"")
            }.answer.tag
        }
        #expect(tag("status=live", version: 1, at: 0) == "\"1\"")
        #expect(tag("status=live", version: 1, at: 60_000) == "\"1\"")
        #expect(tag("", version: 1, at: 60_000) == "\"2\"", "another query has another list")
        #expect(tag("status=live", version: 2, at: 60_000) == "\"3\"", "a match has changed")
        #expect(tag("status=live", version: 2, at: 60_001) == "\"4\"", "a finished match may have left the list")
        let long = String(repeating: "x", count: ServerLimits.renderedListQueryBytes + 1)
        #expect(tag(long, version: 2, at: 60_001) == "\"5\"")
        #expect(tag(long, version: 2, at: 60_001) == "\"6\"", "a long query is not kept")
    }

    @Test func aRefusedQueryIsNotKept() throws {
        let lists = RenderedLists()
        #expect(throws: ServiceProblem.self) {
            try lists.list("", version: 1, now: Instant(milliseconds: 0)) { throw ServiceProblem(.invalidRequest) }
        }
        let list = lists.list("", version: 1, now: Instant(milliseconds: 0)) { Self.list("\"1\"") }
        #expect(list.answer.tag == "\"1\"")
    }

    @Test func eachChangeOfTheMatchesInMemoryCounts() throws {
        let matches = MatchCache(load: { _ in nil }, changes: { _, _, _ in [] })
        let empty = matches.version
        matches.put(try Samples.view(2))
        let first = matches.version
        #expect(first != empty)
        matches.put(try Samples.view(1))
        #expect(matches.version == first, "an older view changes nothing")
        matches.put(try Samples.view(3))
        #expect(matches.version != first)
    }
}
