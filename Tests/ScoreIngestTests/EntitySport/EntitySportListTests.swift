// An unreadable entry hides no other match, and a list with more pages than the limit is reported.

import MatchEngine
import ScoreTypes
import Testing

@testable import Providers

@Suite struct EntitySportListTests {
    private static let adapter = EntitySportAdapter()

    private static func match(_ id: Int, status: Int = 3, more: String = "") -> String {
        #"""
        {"match_id":\#(id),"format_str":"T20","status":"\#(status)","game_state":3,
        "teama":{"team_id":1,"name":"Reds"},"teamb":{"team_id":2,"name":"Blues"}\#(more)}
        """#
    }

    private static func list(_ items: [String], pages: Int = 1) -> [UInt8] {
        Array(#"{"status":"ok","response":{"items":[\#(items.joined(separator: ","))],"total_pages":\#(pages)}}"#.utf8)
    }

    private static func replies(live: [UInt8], coming: [UInt8] = list([]), done: [UInt8] = list([])) -> ProviderReplies
    {
        ProviderReplies(["list.live": live, "list.coming": coming, EntitySportAdapter.done: done])
    }

    @Test("an entry that cannot be read is left out and reported with its place")
    func entries() throws {
        let items = [Self.match(1), #"{"match_id":2}"#, Self.match(3, more: #","venue":7"#), Self.match(4)]
        let listing = try Self.adapter.fixtures(Self.replies(live: Self.list(items)), ProviderSession())
        #expect(listing.fixtures.map(\.id.text) == ["1", "4"])
        #expect(
            listing.refused.map(\.path) == [
                "list.live:response.items[1].status", "list.live:response.items[2].venue",
            ]
        )
    }

    @Test("a list without a readable entry is an error")
    func nothingReadable() {
        #expect(throws: AdapterError.missing(path: "list.live:response.items[0].match_id")) {
            try Self.adapter.fixtures(Self.replies(live: Self.list(["{}"])), ProviderSession())
        }
        #expect(throws: AdapterError.wrongForm(path: "list.live:response.items", expected: "an array")) {
            let body = Array(#"{"status":"ok","response":{"items":{}}}"#.utf8)
            return try Self.adapter.fixtures(Self.replies(live: body), ProviderSession())
        }
    }

    @Test("a match in two lists is taken from the later state")
    func twoLists() throws {
        let replies = Self.replies(
            live: Self.list([Self.match(1)]),
            done: Self.list([Self.match(1, status: 2, more: #","status_note":"Reds won by 3 runs""#)])
        )
        let fixtures = try Self.adapter.fixtures(replies, ProviderSession()).fixtures
        #expect(fixtures.map(\.status) == [.result])
    }

    @Test("further pages are requested up to five, and a longer list is reported")
    func pages() throws {
        var replies = Self.replies(live: Self.list([Self.match(1)], pages: 9))
        let requests = Self.adapter.listRequests(ProviderSession(), at: Instant(milliseconds: 0), replies: replies)
        #expect(requests.map(\.part.rawValue).filter { $0.hasPrefix("list.live") }.count == 5)
        for page in 2...5 { replies[ReplyPart("list.live").page(page)] = Self.list([Self.match(page)], pages: 9) }
        let listing = try Self.adapter.fixtures(replies, ProviderSession())
        #expect(listing.fixtures.count == 5 && listing.cut == ["list.live"])
    }

    @Test("a refusal with status 200 is an error that carries the provider's reason")
    func refusals() {
        let body = Array(#"{"status":"unauthorized","response":"Access token expired"}"#.utf8)
        let error = AdapterError.refused(path: "list.live:status", reason: "unauthorized, Access token expired")
        #expect(throws: error) { try Self.adapter.fixtures(Self.replies(live: body), ProviderSession()) }
    }
}
