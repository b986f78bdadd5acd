// Broken, absurd and hostile replies: each is refused with its place, and none traps.

import Foundation
import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite struct CricsheetHostileTests {
    private let adapter = CricsheetAdapter()

    @Test(arguments: [
        "", "\0\0\0", "<html>503</html>", "{", "null", "[]", "1e400", #"{"info":{"teams":["\ud800"]}}"#,
        String(repeating: "[", count: 10_000), String(repeating: #"{"info":"#, count: 10_000),
    ])
    func notADocument(text: String) {
        #expect(throws: AdapterError.self) { try adapter.snapshot(Array(text.utf8)) }
        let list = ProviderReplies([.list: Array(text.utf8)])
        #expect(throws: AdapterError.self) { try adapter.fixtures(list, ProviderSession()) }
    }

    @Test("F4: every truncation is refused")
    func everyTruncationIsRefused() throws {
        let whole = Sample.document(innings: [Sample.innings(overs: [[Sample.ball(1)]])], live: #"{"state":"live"}"#)
        for count in 0..<whole.count {
            #expect(throws: AdapterError.self) { try adapter.snapshot(Array(whole.prefix(count))) }
        }
    }

    @Test(arguments: [
        (#""batter":1"#, #""batter":9223372036854775807"#, "innings[0].overs[0].deliveries[0].runs"),
        (#""batter":1"#, #""batter":-1"#, "innings[0].overs[0].deliveries[0].runs"),
        (#""batter":1"#, #""batter":"one""#, "innings[0].overs[0].deliveries[0].runs.batter"),
        (#""batter":1"#, #""batter":1e400"#, nil),
        (#""total":1"#, #""total":2"#, "innings[0].overs[0].deliveries[0].runs"),
        (#""over":0"#, #""over":-9223372036854775808"#, "innings[0].overs[0].over"),
        (#""over":0"#, #""over":99999999"#, "innings[0].overs[0].over"),
        (#""over":0,"#, "", "innings[0].overs[0].over"),
        (#""team":"Reds""#, #""team":"Greens""#, "innings[0].team"),
        (#""teams":["Reds","Blues"]"#, #""teams":["Reds"]"#, "info.teams"),
        (#""teams":["Reds","Blues"]"#, #""teams":["Reds","Reds"]"#, "info.teams"),
        (#""balls_per_over":6"#, #""balls_per_over":0"#, "info.balls_per_over"),
        (#""overs":20"#, #""overs":9223372036854775807"#, "info.overs"),
        (#""runs":88"#, #""runs":-5"#, "innings[0].target.runs"),
        (#""overs":8.4"#, #""overs":1e300"#, "innings[0].target.overs"),
        (#""overs":8.4"#, #""overs":8.123456"#, "innings[0].target.overs"),
        (#""pre":5"#, #""pre":9223372036854775807"#, "innings[0].penalty_runs.pre"),
        (#""winner":"Reds""#, #""winner":"Greens""#, "info.outcome.winner"),
    ])
    func aBadFieldIsNamed(part: String, other: String, path: String?) throws {
        let facts = #","target":{"runs":88,"overs":8.4},"penalty_runs":{"pre":5}"#
        let innings = Sample.innings(overs: [[Sample.ball(1)]], more: facts)
        let outcome = #","outcome":{"winner":"Reds","by":{"runs":1}}"#
        let text = String(decoding: Sample.document(info: outcome, innings: [innings]), as: UTF8.self)
        _ = try adapter.snapshot(Array(text.utf8))
        let range = try #require(text.firstRange(of: part))
        let broken = text.replacingCharacters(in: range, with: other)
        let error = #expect(throws: AdapterError.self) { try adapter.snapshot(Array(broken.utf8)) }
        if let path { #expect(error?.path == path) }
    }

    @Test func controlCharactersAreRemoved() throws {
        let body = Sample.document(event: #"Cup\u202e\u0007\u0000 <b>"#)
        #expect(try adapter.snapshot(body).info.competition == "Cup <b>")
        #expect(SafeText.clean(String(repeating: "é", count: 5_000)).count == TypeLimits.safeTextCharacters)
    }

    @Test func tooManyFixturesAreRefused() {
        let list = (0...AdapterLimits.entries).map { #"{"id":"m\#($0)"}"# }.joined(separator: ",")
        let replies = ProviderReplies([.list: Array("{\"matches\":[\(list)]}".utf8)])
        let error = #expect(throws: AdapterError.self) { try adapter.fixtures(replies, ProviderSession()) }
        #expect(error?.path == "matches")
    }

    @Test func mutatedBytesNeverTrap() {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        let whole = Sample.document(
            innings: [Sample.innings(overs: [[Sample.ball(1), Sample.ball(extras: ["wides": 1])]])],
            live: #"{"state":"live","version":3}"#
        )
        for _ in 0..<2_000 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let spot = Int.random(in: 0..<bytes.count, using: &generator)
                bytes[spot] = UInt8.random(in: 0x20...0x7e, using: &generator)
            }
            _ = try? adapter.snapshot(bytes)
        }
    }
}
