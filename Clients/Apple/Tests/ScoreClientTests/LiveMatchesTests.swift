// The sequence of live events over a scripted network: resume, silence, polling, cancellation.

import Foundation
import LiveSurface
import Testing

@testable import ScoreClient

@Suite(.timeLimit(.minutes(1))) struct LiveMatchesTests {
    private static let path = "/v1/matches/a/stream"

    private static func live(_ rig: LiveRig, _ change: (inout ClientSettings) -> Void = { _ in }) -> LiveMatches {
        var settings = ClientSettings()
        change(&settings)
        return LiveMatches(
            matches: ["a"],
            settings: settings,
            reads: MatchReads(transport: rig.transport, clock: rig.clock),
            clock: rig.clock,
            random: { SeededSource(1) }
        )
    }

    private static func revision(_ event: LiveMatchEvent?) -> Int64? {
        if case .state(let state)? = event { state.display.rev } else { nil }
    }

    @Test func aLostConnectionIsResumed() async throws {
        let rig = LiveRig()
        let events = WaitingQueue<LiveMatchEvent?>()
        let reading = Task {
            for try await event in Self.live(rig) { events.put(event) }
            events.put(nil)
        }
        defer { reading.cancel() }
        let stream = ScriptedStream()
        try await rig.next(.get, Self.path).open(200, stream)
        stream.send(SampleMatch.hello + SampleMatch.event(5))
        #expect(try await events.next() == .connection(.connected))
        #expect(try await Self.revision(events.next()) == 5)
        stream.fail(.interrupted)
        #expect(try await events.next() == .connection(.waiting))
        try await stream.closed.next()
        try await rig.clock.hasWaiter(within: ClientLimits.firstWait)
        rig.clock.advance(by: ClientLimits.firstWait)
        let second = try await rig.next(.get, Self.path)
        #expect(second.request.headers["last-event-id"] == "e.5")
        let next = ScriptedStream()
        second.open(200, next)
        next.send(SampleMatch.hello + SampleMatch.event(5) + SampleMatch.event(6))
        next.send("event: end\ndata: {\"matchId\":\"a\",\"result\":\"MI won\"}\nid: e.7\n\n")
        #expect(try await events.next() == .connection(.connected))
        #expect(try await Self.revision(events.next()) == 6)
        #expect(try await events.next() == .ended(match: "a", result: "MI won"))
        #expect(try await events.next() == nil)
        try await next.closed.next()
    }

    @Test func aSilentConnectionIsClosed() async throws {
        let rig = LiveRig()
        let reading = Task { for try await _ in Self.live(rig) {} }
        defer { reading.cancel() }
        let stream = ScriptedStream()
        try await rig.next(.get, Self.path).open(200, stream)
        stream.send(SampleMatch.hello)
        try await rig.clock.hasWaiter(within: .milliseconds(37_500), atLeast: .milliseconds(37_500))
        rig.clock.advance(by: .milliseconds(37_500))
        try await stream.closed.next()
    }

    @Test func anAttemptWithoutAnAnswerIsCancelled() async throws {
        let rig = LiveRig()
        let reading = Task { for try await _ in Self.live(rig) {} }
        defer { reading.cancel() }
        let attempt = try await rig.next(.get, Self.path)
        try await rig.clock.hasWaiter(within: ClientLimits.firstEventTime)
        rig.clock.advance(by: ClientLimits.firstEventTime)
        try await attempt.cancellation()
        try await rig.clock.hasWaiter(within: ClientLimits.firstWait)
        rig.clock.advance(by: ClientLimits.firstWait)
        _ = try await rig.next(.get, Self.path)
    }

    @Test func cancellationClosesTheConnectionAndThrows() async throws {
        let rig = LiveRig()
        let reading = Task { for try await _ in Self.live(rig) {} }
        let stream = ScriptedStream()
        try await rig.next(.get, Self.path).open(200, stream)
        reading.cancel()
        try await stream.closed.next()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func cancellationDuringAPollIsNoErrorOfTheServer() async throws {
        let rig = LiveRig()
        let reading = Task { for try await _ in Self.live(rig, { $0.sseEnabled = false }) {} }
        let poll = try await rig.next(.get, "/v1/matches/a")
        reading.cancel()
        try await poll.cancellation()
        await #expect(throws: CancellationError.self) { try await reading.value }
    }

    @Test func leavingTheLoopClosesTheConnection() async throws {
        let rig = LiveRig()
        let reading = Task {
            for try await event in Self.live(rig) where Self.revision(event) == 5 { break }
        }
        let stream = ScriptedStream()
        try await rig.next(.get, Self.path).open(200, stream)
        stream.send(SampleMatch.hello + SampleMatch.event(5))
        try await stream.closed.next()
        try await reading.value
    }

    @Test func pollsDeliverTheKeptStateOnceAndUseItsInterval() async throws {
        let rig = LiveRig()
        let reads = MatchReads(transport: rig.transport, clock: rig.clock)
        async let first = reads.read(MatchDetail.self, "/v1/matches/a")
        try await rig.next(.get, "/v1/matches/a").answer(200, SampleMatch.detail(5), headers: ["etag": "\"5\""])
        _ = try await first

        var settings = ClientSettings()
        settings.sseEnabled = false
        let live = LiveMatches(matches: ["a"], settings: settings, reads: reads, clock: rig.clock) { SeededSource(1) }
        let events = WaitingQueue<LiveMatchEvent>()
        let reading = Task { for try await event in live { events.put(event) } }
        defer { reading.cancel() }
        let poll = try await rig.next(.get, "/v1/matches/a")
        #expect(poll.request.headers["if-none-match"] == "\"5\"")
        poll.answer(304, "")
        #expect(try await events.next() == .connection(.polling))
        #expect(try await Self.revision(events.next()) == 5)
        try await rig.clock.hasWaiter(within: .seconds(3))
        rig.clock.advance(by: .seconds(3))
        try await rig.next(.get, "/v1/matches/a").answer(304, "")
        try await rig.clock.hasWaiter(within: .seconds(3))
        #expect(events.isEmpty)
        rig.clock.advance(by: .seconds(3))
        try await rig.next(.get, "/v1/matches/a").answer(200, SampleMatch.detail(6, .finished))
        #expect(try await Self.revision(events.next()) == 6)
        #expect(try await events.next() == .ended(match: "a", result: nil))
        try await reading.value
    }

    @Test func anUnknownMatchEndsTheSequence() async throws {
        let rig = LiveRig()
        let reading = Task { for try await _ in Self.live(rig) {} }
        let stream = ScriptedStream()
        try await rig.next(.get, Self.path).open(404, stream)
        await #expect(throws: ClientError.notFound) { try await reading.value }
        try await stream.closed.next()
    }
}
