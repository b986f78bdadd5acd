// Two layouts side by side: an older phone reads both, a newer phone gets more, and the standard one is unchanged.

import Foundation
import LiveSurface
import Simulators
import Testing

@testable import MatchEngine

@Suite struct ContentStateVersionTests {
    private func bytes(_ situation: Situation, _ version: ContentStateVersion) -> [UInt8] {
        ContentStateRenderer.bytes(of: situation.content(version, event: situation.event))
    }

    @Test(arguments: Situation.all) func anOlderPhoneReadsBothLayouts(situation: Situation) throws {
        for version in ContentStateVersion.allCases {
            let bytes = bytes(situation, version)
            #expect(bytes.count <= EngineLimits.contentStateBytes)
            let read = try JSONDecoder().decode(FirstContentState.self, from: Data(bytes))
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

    @Test func aServerRendersItsNewestLayoutAndTheOlderOnes() {
        #expect(ContentStateVersion.one.renderedLayouts == [.one])
        #expect(ContentStateVersion.newest.renderedLayouts == ContentStateVersion.allCases)
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
