// Providers write true as 1, "1" or "True"; any unknown form is an error, not false.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct FlexibleBoolTests {
    static let words: [(json: String, flag: Bool?)] = [
        ("true", true), ("false", false), ("1", true), ("0", false), (#""1""#, true), (#""0""#, false),
        (#""true""#, true), (#""False""#, false), (#""YES""#, true), (#""no""#, false), ("2", nil),
        (#""maybe""#, nil), ("[]", nil),
    ]

    private func read<Flag: Decodable>(_ type: Flag.Type, _ json: String) throws(AdapterError) -> Flag {
        try ReplyJSON.read([Flag].self, from: Array("[\(json)]".utf8))[0]
    }

    @Test(arguments: words) func flagsAreReadInEveryForm(json: String, flag: Bool?) throws {
        guard let flag else {
            #expect(throws: AdapterError.self) { try read(FlexibleBool.self, json) }
            #expect(throws: AdapterError.self) { try read(EntitySportFlag.self, json) }
            return
        }
        #expect(try read(FlexibleBool.self, json).value == flag)
        #expect(try read(EntitySportFlag.self, json).value == flag)
    }

    /// This provider leaves a text empty when it has no value.
    @Test func anEmptyTextOfEntitySportIsFalse() throws {
        #expect(try read(EntitySportFlag.self, #""""#).value == false)
        #expect(throws: AdapterError.self) { try read(FlexibleBool.self, #""""#) }
    }

    @Test(arguments: [("\"1\"", "\"0\""), ("1", "0"), ("\"True\"", "\"false\"")])
    func cricketDataReadsAStartedMatchFromAnyFlag(started: String, ended: String) throws {
        let json = #"""
            {"id":"m1","teams":["Reds","Blues"],"matchStarted":\#(started),"matchEnded":\#(ended)}
            """#
        let match = try ReplyJSON.read(CricketDataMatch.self, from: Array(json.utf8))
        #expect(CricketDataStatus.status(of: match, hasBalls: false).status == .live)
    }
}
