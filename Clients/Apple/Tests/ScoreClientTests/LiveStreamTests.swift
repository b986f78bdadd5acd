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

    private static func revisions(_ actions: [LiveStreamState.Action]) -> [Int64] {
        actions.compactMap { if case .deliver(.state(let state)) = $0 { state.display.rev } else { nil } }
    }

    private static func request(_ actions: [LiveStreamState.Action]) -> ClientRequest? {
        actions.compactMap { if case .connect(let request) = $0 { request } else { nil } }.first
    }

    /// The matches that a connection requests.
    private static func matches(_ actions: [LiveStreamState.Action]) -> String? {
        request(actions)?.query.first { $0.name == "matches" }?.value
    }

    @Test func aLostConnectionResumesAtTheLastID() {
        var rig = Rig()
        rig.open()
        let first = rig.text(SampleMatch.event(5))
        #expect(Self.revisions(first) == [5])
        let lost = rig.feed(.closed(.interrupted))
        #expect(lost == [.disconnect, .deliver(.connection(.waiting))])
        let retried = rig.expire()
        #expect(Self.request(retried)?.headers["last-event-id"] == "e.5")
    }

    @Test func olderStatesAreSkippedAndAResetAcceptsThem() {
        var rig = Rig()
        rig.open()
        _ = rig.text(SampleMatch.event(5))
        let older = rig.text(SampleMatch.event(4))
        #expect(Self.revisions(older).isEmpty)
        let reset = "{\"matchId\":\"a\",\"reason\":\"epochChanged\",\"state\":\(SampleMatch.eventData(2, epoch: "f"))}"
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
        let silent = rig.expire()
        #expect(silent.first == .disconnect)
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
    }

    @Test func theLastStateIsReadWhenTheMatchEndedWithoutAConnection() throws {
        var rig = Rig()
        rig.open()
        _ = rig.text(SampleMatch.event(5))
        _ = rig.feed(.closed(.interrupted))
        _ = rig.expire()
        let opened = rig.feed(.opened(status: 204, retryAfterSeconds: nil))
        #expect(opened == [.disconnect, .deliver(.connection(.polling)), .poll(match: "a")])
        let text = SampleMatch.detail(9, .finished)
        let detail = try #require(ClientJSON.decode(MatchDetail.self, from: Data(text.utf8)))
        let actions = rig.feed(.polled(match: "a", .success(detail)))
        #expect(Self.revisions(actions) == [9])
        #expect(actions.last == .finish(nil))
    }

    @Test func flagsOfAnEarlierConnectionEnd() {
        var rig = Rig()
        rig.open()
        _ = rig.text("event: held\ndata: {\"matchId\":\"a\",\"held\":true,\"reason\":\"check\"}\n\n")
        _ = rig.text("event: stale\ndata: {\"matchId\":\"a\",\"stale\":true,\"feedLagMs\":1}\n\n")
        _ = rig.feed(.closed(.interrupted))
        _ = rig.expire()
        _ = rig.feed(.opened(status: 200, retryAfterSeconds: nil))
        let hello = rig.text("event: hello\ndata: {\"heartbeatMs\":15000}\n\n")
        #expect(
            hello == [
                .deliver(.connection(.connected)), .deliver(.held(match: "a", false, reason: nil)),
                .deliver(.stale(match: "a", false)),
            ]
        )
        let again = rig.text("event: held\ndata: {\"matchId\":\"a\",\"held\":true}\n\n")
        #expect(again == [.deliver(.held(match: "a", true, reason: nil))])
    }

    @Test func aMissingMatchIsAnErrorAndABusyServerIsNot() {
        var rig = Rig()
        _ = rig.feed(.started)
        let missing = rig.feed(.opened(status: 404, retryAfterSeconds: nil))
        #expect(missing == [.disconnect, .finish(.notFound)])
        var busy = Rig()
        _ = busy.feed(.started)
        _ = busy.feed(.opened(status: 503, retryAfterSeconds: 9))
        #expect(busy.state.deadline ?? .zero >= .seconds(9))
    }

    /// Polls until the stream is tried again; `answer` is the result of each poll.
    private static func pollUntilConnect(
        _ rig: inout Rig,
        _ answer: Result<MatchDetail, ClientError>
    ) -> (time: Duration, revisions: [Int64]) {
        let start = rig.now.uptime
        var revisions: [Int64] = []
        for _ in 0..<400 {
            revisions += Self.revisions(rig.feed(.polled(match: "a", answer)))
            if request(rig.expire()) != nil { break }
        }
        return (rig.now.uptime - start, revisions)
    }

    private static func detail(_ revision: Int64) throws -> MatchDetail {
        try #require(ClientJSON.decode(MatchDetail.self, from: Data(SampleMatch.detail(revision).utf8)))
    }

    @Test func threeFailuresLeadToPollingAndBack() throws {
        var rig = Rig()
        _ = rig.feed(.started)
        var actions: [LiveStreamState.Action] = []
        for failure in 0..<3 {
            if failure > 0 { _ = rig.expire() }
            _ = rig.feed(.opened(status: 200, retryAfterSeconds: nil))
            actions = rig.feed(.closed(.interrupted))
        }
        #expect(actions == [.disconnect, .deliver(.connection(.polling)), .poll(match: "a")])
        let polled = Self.pollUntilConnect(&rig, .success(try Self.detail(5)))
        #expect(polled.revisions == [5])
        #expect(polled.time == ClientLimits.pollingTime)
    }

    @Test func theStreamOfAServerThatWasAwayIsTriedAgainSoon() throws {
        var rig = Rig()
        _ = rig.feed(.started)
        for failure in 0..<3 {
            if failure > 0 { _ = rig.expire() }
            _ = rig.feed(.closed(.offline))
        }
        // The match has not begun: its next poll would be a minute later.
        var detail = try Self.detail(5)
        detail.nextPollMs = 60_000
        let polled = Self.pollUntilConnect(&rig, .success(detail))
        #expect(polled.revisions == [5])
        #expect(polled.time == ClientLimits.absentServerTime)
    }

    @Test func aPollThatSucceedsEndsTheGrowthOfWaits() throws {
        var rig = Rig()
        _ = rig.feed(.started)
        for failure in 0..<3 {
            if failure > 0 { _ = rig.expire() }
            _ = rig.feed(.opened(status: 502, retryAfterSeconds: nil))
        }
        for _ in 0..<6 {
            _ = rig.feed(.polled(match: "a", .failure(.offline)))
            _ = rig.expire()
        }
        _ = rig.feed(.polled(match: "a", .success(try Self.detail(5))))
        _ = rig.expire()
        let before = rig.now.uptime
        _ = rig.feed(.polled(match: "a", .failure(.offline)))
        let wait = (rig.state.deadline ?? .zero) - before
        #expect(wait <= ClientLimits.firstWait, "the second outage waits \(wait)")
    }

    @Test(arguments: [true, false]) func aPollObeysRetryAfter(isAbsent: Bool) throws {
        var rig = Rig()
        _ = rig.feed(.started)
        for failure in 0..<3 {
            if failure > 0 { _ = rig.expire() }
            _ = rig.feed(isAbsent ? .closed(.offline) : .opened(status: 502, retryAfterSeconds: nil))
        }
        let before = rig.now.uptime
        _ = rig.feed(.polled(match: "a", .failure(.busy(retryAfterSeconds: 30))))
        #expect((rig.state.deadline ?? .zero) - before >= .seconds(30))
    }

    @Test func theLongestRetryAfterOfARoundIsObeyed() throws {
        var rig = Rig()
        var settings = ClientSettings()
        settings.sseEnabled = false
        rig.state = LiveStreamState(matches: ["a", "b", "c"], settings: settings)
        _ = rig.feed(.started)
        _ = rig.feed(.polled(match: "a", .failure(.busy(retryAfterSeconds: 400))))
        _ = rig.feed(.polled(match: "b", .failure(.busy(retryAfterSeconds: 30))))
        _ = rig.feed(.polled(match: "c", .success(try Self.detail(5))))
        #expect(rig.state.deadline == .seconds(400))
        _ = rig.expire()
        for match in ["a", "b", "c"] { _ = rig.feed(.polled(match: match, .success(try Self.detail(5)))) }
        #expect(rig.state.deadline == .seconds(403))
    }

    @Test(arguments: [404, 410])
    func aMissingMatchOfSeveralEndsAndTheOthersGoOn(_ status: Int) throws {
        var rig = Rig(state: LiveStreamState(matches: ["a", "b"], settings: ClientSettings()))
        let started = rig.feed(.started)
        #expect(Self.matches(started) == "a,b")
        let refused = rig.feed(.opened(status: status, retryAfterSeconds: nil))
        #expect(refused == [.disconnect, .deliver(.connection(.polling)), .poll(match: "a")])
        let first = rig.feed(.polled(match: "a", .success(try Self.detail(5))))
        #expect(Self.revisions(first) == [5] && first.last == .poll(match: "b"))
        let second = rig.feed(.polled(match: "b", .failure(status == 404 ? .notFound : .matchRemoved)))
        #expect(second.first == .deliver(.ended(match: "b", result: nil)))
        #expect(Self.matches(second) == "a")
        // The ids of the stream have the form of several matches.
        #expect(Self.request(second)?.path == "/v1/stream")
        rig.open()
        _ = rig.feed(.closed(.interrupted))
        let again = rig.expire()
        #expect(Self.matches(again) == "a")
    }

    @Test func aStreamWhoseMatchesAreAllMissingEnds() {
        var rig = Rig(state: LiveStreamState(matches: ["a", "b"], settings: ClientSettings()))
        _ = rig.feed(.started)
        _ = rig.feed(.opened(status: 404, retryAfterSeconds: nil))
        _ = rig.feed(.polled(match: "a", .failure(.notFound)))
        let last = rig.feed(.polled(match: "b", .failure(.notFound)))
        #expect(last == [.deliver(.ended(match: "b", result: nil)), .finish(nil)])
    }

    @Test func aStreamThatIsRefusedWithoutAMissingMatchCountsAsFailed() throws {
        var rig = Rig(state: LiveStreamState(matches: ["a", "b"], settings: ClientSettings()))
        _ = rig.feed(.started)
        var actions: [LiveStreamState.Action] = []
        for failure in 0..<3 {
            if failure > 0 { _ = rig.expire() }
            _ = rig.feed(.opened(status: 404, retryAfterSeconds: nil))
            _ = rig.feed(.polled(match: "a", .success(try Self.detail(5))))
            actions = rig.feed(.polled(match: "b", .failure(.offline)))
            if failure < 2 { #expect(actions == [.deliver(.connection(.waiting))]) }
        }
        #expect(actions == [.deliver(.connection(.polling)), .poll(match: "a")])
        #expect(rig.state.pollingEnds == rig.now.uptime + ClientLimits.pollingTime)
    }

    @Test func aMatchThatHasEndedIsNotRequestedAgain() {
        var rig = Rig(state: LiveStreamState(matches: ["a", "b"], settings: ClientSettings()))
        rig.open()
        _ = rig.text("event: end\ndata: {\"matchId\":\"a\",\"result\":\"MI won\"}\nid: e.9\n\n")
        _ = rig.feed(.closed(.interrupted))
        let again = rig.expire()
        #expect(Self.matches(again) == "b")
    }

    @Test func anUndecodableStateIsSkipped() {
        var rig = Rig()
        rig.open()
        let unreadable = rig.text("event: state\ndata: {\"matchId\":\"a\"}\nid: e.6\n\n")
        #expect(unreadable == [.deliver(.unreadable)])
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
