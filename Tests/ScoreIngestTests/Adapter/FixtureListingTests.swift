// Lists of providers with an unreadable entry and with several pages.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct FixtureListingTests {
    /// Lists of a provider: the name of the list, one good entry, unreadable ones, and the document around them.
    struct ListFormat: CustomTestStringConvertible, Sendable {
        let adapter: any Adapter
        let part: ReplyPart
        let good: String
        let odd: [String]
        let path: String
        let wrap: @Sendable (String) -> String

        var testDescription: String { adapter.provider.rawValue }

        func body(_ entries: [String]) -> [UInt8] { Array(wrap(entries.joined(separator: ",")).utf8) }

        /// All lists of the provider, one of them with entries.
        func replies(_ entries: [String]) -> ProviderReplies {
            let now = Instant(milliseconds: 1_791_550_912_000)
            var replies = ProviderReplies()
            for request in adapter.listRequests(ProviderSession(), at: now, replies: replies) {
                replies[request.part] = body(request.part == part ? entries : [])
            }
            return replies
        }
    }

    static let formats = [
        ListFormat(
            adapter: SportmonksAdapter(),
            part: .live,
            good: #"{"id":7,"localteam_id":1,"visitorteam_id":2,"type":"ODI","status":"NS"}"#,
            odd: [
                #"{"id":8,"localteam_id":1,"visitorteam_id":2,"status":"NS"}"#,
                #"{"id":9,"localteam_id":1,"visitorteam_id":2,"type":"ODI","status":null}"#, "null", "[]",
                #"{"id":"x","localteam_id":1,"visitorteam_id":2,"type":"ODI","status":"NS"}"#,
            ],
            path: "livescores:data[0].type",
            wrap: { #"{"data":[\#($0)]}"# }
        ),
        ListFormat(
            adapter: EntitySportAdapter(),
            part: "list.live",
            good: """
                {"match_id":7,"status":3,"teama":{"team_id":1,"name":"Reds"},"teamb":{"team_id":2,"name":"Blues"}}
                """,
            odd: [#"{"match_id":8,"status":3,"teamb":{"team_id":2,"name":"Blues"}}"#, "7"],
            path: "list.live:response.items[0].teama",
            wrap: { #"{"status":"ok","response":{"items":[\#($0)]}}"# }
        ),
        ListFormat(
            adapter: CricketDataAdapter(),
            part: CricketDataAdapter.current,
            good: #"{"id":"7","teams":["Reds","Blues"]}"#,
            odd: [#"{"id":"8"}"#, #"{"id":"9","teams":["Reds","Blues"],"matchStarted":"soon"}"#],
            path: "list.current:data[0].teams",
            wrap: { #"{"status":"success","data":[\#($0)]}"# }
        ),
        ListFormat(
            adapter: RoanuzAdapter(),
            part: .list,
            good: #"{"key":"7"}"#,
            odd: [#"{"name":"keyless"}"#, #"{"key":""}"#],
            path: "\(ReplyPart.list):data.matches[0].key",
            wrap: { #"{"data":{"matches":[\#($0)]}}"# }
        ),
        ListFormat(
            adapter: CricsheetAdapter(),
            part: .list,
            good: #"{"id":"7"}"#,
            odd: [#"{"state":"live"}"#, #"{"id":[]}"#],
            path: "\(ReplyPart.list):matches[0].id",
            wrap: { #"{"matches":[\#($0)]}"# }
        ),
    ]

    @Test("F10: an unreadable entry of a list affects no other entry", arguments: formats)
    func anUnreadableEntryAffectsNoOther(format: ListFormat) throws {
        let replies = format.replies(format.odd + [format.good])
        let listing = try format.adapter.fixtures(replies, ProviderSession())
        #expect(listing.fixtures.map(\.id.text) == ["7"])
        #expect(listing.refused.count == format.odd.count)
        #expect(listing.refused.first?.path == format.path)
        #expect(listing.cut.isEmpty)
    }

    @Test("F10: a list is refused when no entry or only a few of its entries can be read", arguments: formats)
    func aListWithoutReadableEntriesIsRefused(format: ListFormat) throws {
        let error = #expect(throws: AdapterError.self) {
            try format.adapter.fixtures(format.replies(format.odd), ProviderSession())
        }
        #expect(error?.path == format.path)
        let many = Array(repeating: format.odd[0], count: 101) + [format.good]
        #expect(throws: AdapterError.self) {
            try format.adapter.fixtures(format.replies(many), ProviderSession())
        }
    }

    // MARK: Pages

    private static let now = Instant(milliseconds: 1_791_550_912_000)

    /// The requests for the pages of one list, after its first page.
    private func pages(
        _ adapter: any Adapter,
        _ part: ReplyPart,
        _ body: String
    ) throws -> ([ProviderRequest], FixtureListing) {
        let now = Self.now
        var replies = ProviderReplies()
        let first = adapter.listRequests(ProviderSession(), at: now, replies: replies)
        for request in first { replies[request.part] = Array(body.utf8) }
        let all = adapter.listRequests(ProviderSession(), at: now, replies: replies)
        for request in all { replies[request.part] = Array(body.utf8) }
        #expect(first.count < all.count)
        let own = all.filter { $0.part == part || $0.part.rawValue.hasPrefix("\(part).") }
        return (own, try adapter.fixtures(replies, ProviderSession()))
    }

    @Test(arguments: [
        #"{"data":[],"meta":{"last_page":3}}"#, #"{"data":[],"meta":{"pagination":{"total_pages":3}}}"#,
    ]) func sportmonksRequestsAllPages(body: String) throws {
        let (requests, listing) = try pages(SportmonksAdapter(), "fixtures.2026-10-08", body)
        #expect(requests.map { $0.query.first { $0.name == "page" }?.value } == [nil, "2", "3"])
        #expect(Set(requests.map(\.part)).count == 3 && listing.cut.isEmpty)
        let (most, cut) = try pages(SportmonksAdapter(), "fixtures.2026-10-08", body.replacing("3", with: "9"))
        // Each list once, whatever its pages contain.
        let first = SportmonksAdapter().listRequests(ProviderSession(), at: Self.now, replies: ProviderReplies())
            .count { $0.part != .live }
        #expect(most.count == AdapterLimits.fixturePages && cut.cut.count == first)
    }

    @Test func entitySportRequestsAllPagesExceptOfFinishedMatches() throws {
        let body = #"{"status":"ok","response":{"items":[],"total_pages":"3"}}"#
        let (requests, listing) = try pages(EntitySportAdapter(), "list.coming", body)
        #expect(requests.map { $0.query.first { $0.name == "paged" }?.value } == [nil, "2", "3"])
        #expect(listing.cut.isEmpty)
        #expect(try pages(EntitySportAdapter(), EntitySportAdapter.done, body).0.count == 1)
        let (most, cut) = try pages(EntitySportAdapter(), "list.live", body.replacing("3", with: "847"))
        #expect(most.count == 5 && cut.cut == ["list.live", "list.coming"])
    }

    @Test func cricketDataRequestsAFewPages() throws {
        func body(_ rows: Int) -> String { #"{"status":"success","data":[],"info":{"totalRows":\#(rows)}}"# }
        let (requests, listing) = try pages(CricketDataAdapter(), CricketDataAdapter.current, body(51))
        #expect(requests.map { $0.query.first { $0.name == "offset" }?.value } == ["0", "25", "50"])
        #expect(listing.cut.isEmpty)
        let (most, cut) = try pages(CricketDataAdapter(), CricketDataAdapter.current, body(13_164))
        #expect(most.count == 4 && cut.cut == [CricketDataAdapter.current])
        #expect(try pages(CricketDataAdapter(), CricketDataAdapter.coming, body(13_164)).0.count == 2)
    }

    /// An entry that moves to the next page between two requests is on both.
    @Test func anEntryOnTwoPagesIsOneMatch() throws {
        let format = try #require(Self.formats.first { $0.adapter.provider == .cricketData })
        var replies = format.replies([format.good])
        let first = #"{"status":"success","data":[\#(format.good)],"info":{"totalRows":26}}"#
        replies[CricketDataAdapter.current] = Array(first.utf8)
        let other = format.good.replacing("7", with: "11")
        replies[CricketDataAdapter.current.page(2)] = format.body([format.good, other])
        let listing = try format.adapter.fixtures(replies, ProviderSession())
        #expect(listing.fixtures.map(\.id.text) == ["7", "11"])
    }
}
