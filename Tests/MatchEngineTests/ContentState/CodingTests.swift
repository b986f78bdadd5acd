// A phone decodes the server's bytes, and an old phone those of a newer server.

import Foundation
import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct CodingTests {
    private func decode(_ json: String) throws -> ContentState {
        try JSONDecoder().decode(ContentState.self, from: Data(json.utf8))
    }

    @Test func bytesDecodeToTheSameState() throws {
        var scheduled = MatchScript.t20()
        scheduled.status(.scheduled)
        for script in [scheduled, ChaseExample.script, TestExample.script] {
            let content = script.drawn(event: script.state.moments.last)
            let bytes = ContentStateRenderer.bytes(of: content)
            #expect(try JSONDecoder().decode(ContentState.self, from: Data(bytes)) == content)
            let encoded = try JSONEncoder().encode(content)
            #expect(try JSONDecoder().decode(ContentState.self, from: encoded) == content)
        }
    }

    @Test func theWriterAndTheEncoderAgreeOnEveryKey() throws {
        for script in [ChaseExample.script, TestExample.script, MatchScript.t20()] {
            let content = script.drawn(event: script.state.moments.last)
            let written = try JSONSerialization.jsonObject(with: Data(ContentStateRenderer.bytes(of: content)))
            let encoded = try JSONSerialization.jsonObject(with: JSONEncoder().encode(content))
            #expect((written as? NSDictionary) == (encoded as? NSDictionary))
        }
    }

    @Test func anOldPhoneIgnoresUnknownKeys() throws {
        var json = ChaseExample.json
        json = json.replacing(#""v":1"#, with: #""v":2,"weather":{"sky":"clear"},"odds":[1,2]"#)
        json = json.replacing(#""batting":true"#, with: #""batting":true,"wins":3"#)
        json = json.replacing(#""matchDisplayState":"live""#, with: #""matchDisplayState":"hologram""#)
        let content = try decode(json)
        #expect(content.v == 2 && content.matchDisplayState == .live)
        #expect(content.expanded.batters.count == 2)
    }

    @Test func absentListsAreEmpty() throws {
        let content = MatchScript.t20().drawn()
        let json = String(decoding: ContentStateRenderer.bytes(of: content), as: UTF8.self)
        #expect(!json.contains("batters") && !json.contains("recent") && !json.contains("null"))
        #expect(try decode(json).expanded.batters == [])
    }

    @Test func attributesAreWrittenAndRead() throws {
        let match = try #require(MatchID("1234567"))
        var info = MatchInfo.make(.t20)
        info.teams[0] = TeamInfo(id: "6", name: "Mumbai Indians", abbreviation: "MI", color: "#004ba0")
        info.teams[1] = TeamInfo(id: "2", name: "Chennai Super Kings", color: "yellow")
        let attributes = ContentStateRenderer.attributes(of: info, match: match, scheme: "score")
        let json =
            ##"{"matchId":"1234567","teams":[{"id":"6","name":"Mumbai Indians","abbr":"MI","color":"#004ba0"},"##
            + #"{"id":"2","name":"Chennai Super Kings","abbr":"CSK"}],"competition":"Premier League","#
            + #""format":"t20","deepLink":"score://match/1234567"}"#
        let bytes = ContentStateRenderer.bytes(of: attributes)
        #expect(String(decoding: bytes, as: UTF8.self) == json)
        #expect(try JSONDecoder().decode(LiveActivityAttributes.self, from: Data(bytes)) == attributes)
    }
}
