// A live stream as a value, with scripted connections and times.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite struct LiveStreamTests {
    private struct Rig {
        var state = LiveStreamState(matches: ["a"], settings: ClientSettings())
        var random = SeededSource(7)
        var now = ClientInstant(wall: 0, uptime: .zero)

        mutating func feed(_ event: LiveStreamState.Event) -> [LiveStreamState.Action] {
            state.handle(event, at: now, using: &random)
        }

        /// Passes the time until the deadline, and a further time.
        mutating func expire() -> [LiveStreamState.Action] {
            now.uptime = max(now.uptime, state.deadline ?? now.uptime)
            return feed(.timer)
        }

        mutating func open() {
            _ = feed(.started)
            _ = feed(.opened(status: 200, retryAfterSeconds: nil))
            _ = text("event: hello\ndata: {\"heartbeatMs\":15000}\n\n")
        }

        mutating func text(_ text: String) -> [LiveStreamState.Action] { feed(.bytes(Array(text.utf8))) }
    }

    private static func state(_ rev: Int64, epoch: String = "e") throws -> String {
        let display = LiveActivityAttributes.ContentState(
            rev: rev,
            matchDisplayState: .live,
            compactLeading: .init(teamAbbr: "MI", score: "1/0"),
            compactTrailing: .init(text: "0.1 ov"),
            minimal: .init(text: "1/0"),
            expanded: .init(teams: [], batters: [], recent: [], line: ""),
            lockScreen: .init(line: ""),
            small: .init(top: "", bottom: "", line: "")
        )
        let json = String(decoding: try JSONEncoder().encode(display), as: UTF8.self)
        return "{\"matchId\":\"a\",\"epoch\":\"\(epoch)\",\"rev\":\(rev),\"display\":\(json),\"urgent\":false}"
    }

    private static func revisions(_ actions: [LiveStreamState.Action]) -> [Int64] {
        actions.compactMap { if case .deliver(.state(let state)) = $0 { state.display.rev } else { nil } }
    }

    private static func request(_ actions: [LiveStreamState.Action]) -> ClientRequest? {
        actions.compactMap { if case .connect(let request) = $0 { request } else { nil } }.first
    }

    @Test func aLostConnectionResumesAtTheLastID() throws {
        var rig = Rig()
        rig.open()
        let first = try rig.text("event: state\ndata: \(Self.state(5))\nid: e.5\n\n")
        #expect(Self.revisions(first) == [5])
        let result1 = rig.feed(.closed(.interrupted))
        #expect(result1 == [.deliver(.connection(.waiting))])
        let result2 = rig.expire()
        #expect(Self.request(result2)?.headers["last-event-id"] == "e.5")
    }

    @Test func olderStatesAreSkippedAndAResetAcceptsThem() throws {
        var rig = Rig()
        rig.open()
        _ = try rig.text("event: state\ndata: \(Self.state(5))\nid: e.5\n\n")
        let result3 = try rig.text("event: state\ndata: \(Self.state(4))\n\n")
        #expect(Self.revisions(result3).isEmpty)
        let reset = "{\"matchId\":\"a\",\"reason\":\"epochChanged\",\"state\":\(try Self.state(2, epoch: "f"))}"
        let actions = rig.text("event: reset\ndata: \(reset)\nid: f.2\n\n")
        #expect(Self.revisions(actions) == [2])
    }

    @Test func aSilentConnectionIsReplaced() {
        var rig = Rig()
        rig.open()
        #expect(rig.state.deadline == .milliseconds(37_500))
        rig.now.uptime = .seconds(30)
        _ = rig.text("event: ping\ndata: {\"t\":1}\n\n")
        #expect(rig.state.deadline == .milliseconds(67_500))
        let result4 = rig.expire()
        #expect(result4.first == .disconnect)
    }

    @Test func byeIsObeyedWithJitter() {
        var rig = Rig()
        rig.open()
        let actions = rig.text("event: bye\ndata: {\"reason\":\"draining\",\"reconnectAfterMs\":4000}\n\n")
        #expect(actions.first == .disconnect)
        let deadline = rig.state.deadline ?? .zero
        #expect((.seconds(4) ... .seconds(5)).contains(deadline))
    }

    @Test func theEndOfTheMatchEndsTheStream() {
        var rig = Rig()
        rig.open()
        let actions = rig.text("event: end\ndata: {\"matchId\":\"a\",\"result\":\"MI won\"}\nid: e.9\n\n")
        #expect(actions == [.deliver(.ended(match: "a", result: "MI won")), .disconnect, .finish(nil)])
        var over = Rig()
        _ = over.feed(.started)
        let result5 = over.feed(.opened(status: 204, retryAfterSeconds: nil))
        #expect(result5 == [.disconnect, .finish(nil)])
    }

    @Test func aMissingMatchIsAnErrorAndABusyServerIsNot() {
        var rig = Rig()
        _ = rig.feed(.started)
        let result6 = rig.feed(.opened(status: 404, retryAfterSeconds: nil))
        #expect(result6 == [.disconnect, .finish(.notFound)])
        var busy = Rig()
        _ = busy.feed(.started)
        _ = busy.feed(.opened(status: 503, retryAfterSeconds: 9))
        #expect(busy.state.deadline ?? .zero >= .seconds(9))
    }

    @Test func threeFailuresLeadToPollingAndBack() {
        var rig = Rig()
        _ = rig.feed(.started)
        for _ in 0..<2 {
            _ = rig.feed(.closed(.offline))
            _ = rig.expire()
        }
        let actions = rig.feed(.closed(.offline))
        #expect(actions == [.deliver(.connection(.polling)), .poll(match: "a")])
        var connects = 0
        for _ in 0..<400 where connects == 0 {
            _ = rig.feed(.polled(match: "a", .success(nil)))
            if Self.request(rig.expire()) != nil { connects += 1 }
        }
        #expect(connects == 1)
        #expect(rig.now.uptime >= ClientLimits.pollingTime)
    }

    @Test func anUndecodableStateIsSkipped() {
        var rig = Rig()
        rig.open()
        let result7 = rig.text("event: state\ndata: {\"matchId\":\"a\"}\nid: e.6\n\n")
        #expect(result7 == [.deliver(.unreadable)])
    }

    @Test func waitsGrowWithinTheirBounds() {
        var random = SeededSource(3)
        var backOff = BackOff()
        for failure in 0..<200 {
            let wait = backOff.next(using: &random)
            let bound = min(ClientLimits.firstWait * (1 << min(failure, 16)), ClientLimits.longestWait)
            #expect(wait <= bound && wait >= bound / 2)
        }
    }
}
