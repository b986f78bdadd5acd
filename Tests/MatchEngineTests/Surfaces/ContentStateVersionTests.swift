// Two layouts side by side: an older phone reads both, a newer phone gets more, and the standard one is unchanged.

import Foundation
import LiveSurface
import Testing

@testable import MatchEngine

/// The content state of an app of version 1: a copy that must never follow later layouts.
private struct PhoneOfVersionOne: Decodable {
    struct Leading: Decodable { let teamAbbr, score: String }
    struct Trailing: Decodable {
        let overs, runRate: String?
        let text: String
    }
    struct Minimal: Decodable {
        let text: String
        let flash: String?
    }
    struct Team: Decodable {
        let abbr, score: String
        let overs: String?
        let batting: Bool
    }
    struct Batter: Decodable {
        let name: String
        let runs, balls: Int
        let onStrike: Bool
    }
    struct Bowler: Decodable { let name, figures, overs: String }
    struct Event: Decodable { let kind, text: String }
    struct Expanded: Decodable {
        let teams: [Team]
        let batters: [Batter]?
        let bowler: Bowler?
        let recent: [String]?
        let line: String
        let event: Event?
    }
    struct LockScreen: Decodable {
        let line: String
        let sub: String?
    }
    struct Small: Decodable { let top, bottom, line: String }

    let v: Int
    let rev: Int64
    let matchDisplayState: String
    let compactLeading: Leading
    let compactTrailing: Trailing
    let minimal: Minimal
    let expanded: Expanded
    let lockScreen: LockScreen
    let small: Small
}

@Suite struct ContentStateVersionTests {
    private func bytes(_ situation: Situation, _ version: ContentStateVersion) -> [UInt8] {
        ContentStateRenderer.bytes(of: situation.content(version, event: situation.event))
    }

    @Test(arguments: Situation.all) func anOlderPhoneReadsBothLayouts(situation: Situation) throws {
        for version in ContentStateVersion.allCases {
            let bytes = bytes(situation, version)
            #expect(bytes.count <= EngineLimits.contentStateBytes)
            let read = try JSONDecoder().decode(PhoneOfVersionOne.self, from: Data(bytes))
            #expect(read.v == version.rawValue && read.rev == 412 && read.expanded.teams.count == 2)
            let current = try JSONDecoder().decode(ContentState.self, from: Data(bytes))
            #expect(current.expanded.line == read.expanded.line && current.small.top == read.small.top)
            #expect((current.progress == nil) == (version == .one))
        }
    }

    @Test(arguments: Situation.all) func theStandardIsExactlyVersionOne(situation: Situation) {
        let replica = situation.replica
        let plain = ContentStateRenderer.render(
            replica.state,
            info: replica.record.info ?? situation.script.info,
            revision: 412,
            event: situation.event
        )
        #expect(ContentStateRenderer.bytes(of: plain) == bytes(situation, .standard))
        #expect(plain.v == 1)
    }

    @Test func theNewestCommonVersionIsChosen() {
        #expect(ContentStateVersion.chosen(from: []) == .one)
        #expect(ContentStateVersion.chosen(from: [1]) == .one)
        #expect(ContentStateVersion.chosen(from: [2, 1]) == .two)
        #expect(ContentStateVersion.chosen(from: [1, 2, 3, 99]) == .two)
        #expect(ContentStateVersion.chosen(from: [0, -1, 7]) == .standard)
    }

    @Test func aNewerLayoutFitsTheLimit() {
        let name = String(repeating: "𝔘", count: 24)
        var content = MatchScript.t20().drawn()
        content.expanded.recent = Array(repeating: name, count: 28)
        content.progress = 0.123
        let fitted = ContentStateRenderer.fitted(content, within: EngineLimits.contentStateBytes)
        #expect(ContentStateRenderer.bytes(of: fitted).count <= EngineLimits.contentStateBytes)
        #expect(fitted.progress == 0.123)
    }
}
