// A polled match: when it is over, and the flags that it reports as a stream does.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite struct PolledMatchTests {
    private struct Rig {
        var state: LiveStreamState
        var random = SeededSource(7)
        var now = ClientInstant(wall: 0, uptime: .zero)

        /// Begins to poll, since the settings forbid streams.
        init() {
            var settings = ClientSettings()
            settings.sseEnabled = false
            state = LiveStreamState(matches: ["a"], settings: settings)
            _ = state.handle(.started, at: now, using: &random)
        }

        /// Polls once more, and returns the events that the app receives.
        mutating func poll(
            _ rev: Int64,
            _ display: MatchDisplayState = .live,
            members: String = ""
        ) throws -> [LiveMatchEvent] {
            if state.polls.isEmpty {
                now.uptime = max(now.uptime, state.deadline ?? now.uptime)
                _ = state.handle(.timer, at: now, using: &random)
            }
            let text = SampleMatch.detail(rev, display, members: members)
            let detail = try #require(ClientJSON.decode(MatchDetail.self, from: Data(text.utf8)))
            let actions = state.handle(.polled(match: "a", .success(detail)), at: now, using: &random)
            return actions.compactMap { if case .deliver(let event) = $0 { event } else { nil } }
        }
    }

    private static func ended(_ result: String?) -> LiveMatchEvent { .ended(match: "a", result: result) }

    @Test func aResultThatOnlyTheBallsProveDoesNotEndTheMatch() throws {
        var rig = Rig()
        let proven = try rig.poll(5, .finished, members: #","result":{"text":"MI won","official":false}"#)
        #expect(proven.count == 1 && rig.state.phase == .polling)
        let stated = try rig.poll(6, .finished, members: #","result":{"text":"MI won","official":true}"#)
        #expect(stated.count == 2 && stated.last == Self.ended("MI won"))
        #expect(rig.state.phase == .finished)
    }

    @Test(
        arguments: [
            (MatchDisplayState.abandoned, #","result":{"text":"No result","official":true}"#, "No result"),
            (.abandoned, #","result":{"text":"No result","official":false}"#, "No result"),
            (.abandoned, "", nil), (.finished, "", nil), (.finished, #","result":{"text":"MI won"}"#, "MI won"),
        ] as [(MatchDisplayState, String, String?)]
    )
    func aMatchWithoutAResultAndOneOfAnOlderServerEnd(
        display: MatchDisplayState,
        members: String,
        result: String?
    ) throws {
        var rig = Rig()
        let events = try rig.poll(5, display, members: members)
        #expect(events.last == Self.ended(result))
        #expect(rig.state.phase == .finished)
    }

    @Test func flagsAreReportedWhenTheyChange() throws {
        var rig = Rig()
        let unset = try rig.poll(1, members: #","provenance":{"held":false,"stale":false}"#)
        #expect(unset.count == 1, "only the state")
        let set = try rig.poll(1, members: #","provenance":{"held":true,"stale":true}"#)
        #expect(set == [.held(match: "a", true, reason: nil), .stale(match: "a", true)])
        let same = try rig.poll(1, members: #","provenance":{"held":true,"stale":true}"#)
        #expect(same.isEmpty)
        let unknown = try rig.poll(1)
        #expect(unknown.isEmpty, "a server that states no flags changes none")
        let cleared = try rig.poll(1, members: #","provenance":{"held":false,"stale":false}"#)
        #expect(cleared == [.held(match: "a", false, reason: nil), .stale(match: "a", false)])
    }
}
