// Each page of a list costs a request of the daily plan, so few are read, and counters are reported with each.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

@Suite struct CricketDataListTests {
    private static let adapter = CricketDataAdapter()

    private static func match(_ id: String, more: String = "") -> String {
        #"{"id":"\#(id)","matchType":"odi","teams":["Reds","Blues"],"dateTimeGMT":"2026-10-09T08:00:00"\#(more)}"#
    }

    private static func list(_ items: [String], rows: Int = 1, used: Int = 5) -> [UInt8] {
        Array(
            #"""
            {"status":"success","data":[\#(items.joined(separator: ","))],
            "info":{"hitsToday":\#(used),"hitsLimit":"100","totalRows":\#(rows)}}
            """#.utf8
        )
    }

    private static func replies(_ current: [UInt8], _ coming: [UInt8] = list([])) -> ProviderReplies {
        ProviderReplies([CricketDataAdapter.current: current, CricketDataAdapter.coming: coming])
    }

    @Test("an entry that cannot be read is left out and reported with its place")
    func entries() throws {
        let items = [Self.match("a"), #"{"id":7,"teams":[]}"#, #"{"id":"b"}"#, Self.match("c")]
        let listing = try Self.adapter.fixtures(Self.replies(Self.list(items)), ProviderSession())
        #expect(listing.fixtures.map(\.id.text) == ["a", "c"])
        #expect(listing.refused.map(\.path) == ["list.current:data[1].id", "list.current:data[2].teams"])
    }

    @Test("a match in both lists is taken from the current one")
    func twoLists() throws {
        let current = Self.list([Self.match("a", more: #","matchStarted":true"#)])
        let fixtures = try Self.adapter.fixtures(Self.replies(current, Self.list([Self.match("a")])), ProviderSession())
        #expect(fixtures.fixtures.map(\.status) == [.live])
    }

    @Test("pages follow from the rows of the first, and a longer current list is reported")
    func pages() throws {
        let replies = Self.replies(Self.list([Self.match("a")], rows: 999), Self.list([], rows: 999))
        let requests = Self.adapter.listRequests(ProviderSession(), at: Instant(milliseconds: 0), replies: replies)
        #expect(requests.count == 6)
        #expect(try Self.adapter.fixtures(replies, ProviderSession()).cut == [CricketDataAdapter.current])
        let hostile = Self.replies(Self.list([], rows: 1_000_000_000), Self.list([], rows: -3))
        #expect(Self.adapter.listRequests(ProviderSession(), at: Instant(milliseconds: 0), replies: hostile).count == 5)
    }

    @Test("the highest counter of the replies is the allowance")
    func allowance() {
        let replies = Self.replies(Self.list([], used: 5), Self.list([], used: 41))
        #expect(Self.adapter.allowance(replies) == RequestAllowance(limit: 100, used: 41))
        #expect(Self.adapter.allowance(ProviderReplies([.match: Array(#"{"status":"success"}"#.utf8)])) == nil)
    }

    @Test("a refusal with status 200 is an error that carries the provider's reason")
    func refusals() {
        let body = Array(#"{"status":"failure","reason":"Blocked"}"#.utf8)
        #expect(throws: AdapterError.refused(path: "match:status", reason: "Blocked")) {
            try Self.adapter.snapshot(ProviderReplies([.match: body]), ProviderSession())
        }
        #expect(throws: AdapterError.wrongForm(path: "match", expected: "a JSON document")) {
            try Self.adapter.snapshot(ProviderReplies([.match: [0x7B]]), ProviderSession())
        }
        #expect(throws: AdapterError.missing(path: "match:data")) {
            let empty = Array(#"{"status":"success"}"#.utf8)
            return try Self.adapter.snapshot(ProviderReplies([.match: empty]), ProviderSession())
        }
    }
}
