// A provider's pause is obeyed, whatever wakes a poller meanwhile.

import Foundation
import MatchEngine
import MatchSamples
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.timeLimit(.minutes(1))) struct RetryAfterPollingTests {
    private static let feed = FeedID(unchecked: "test")
    private static let list = Array(
        #"{"matches":[{"id":"m1","state":"live"},{"id":"m2","state":"live"}]}"#.utf8
    )

    private func service(_ server: ScriptedServer, _ sink: RecordingSink, _ hand: ManualClock) -> IngestService {
        IngestService(
            feeds: [
                FeedConfiguration(id: Self.feed, baseURL: server.url, adapter: CricsheetAdapter(), security: .local())
            ],
            driver: TransferDriver(name: "test-quiet"),
            clock: ServiceClock(
                speed: 10_000,
                monotonic: { ServiceClock().monotonic + hand.clock().monotonic },
                wall: { ServiceClock().wall }
            ),
            mayPoll: { _ in true },
            makeSink: { _, _ in sink }
        )
    }

    @Test("F19: too many requests stop the feed for the requested time; only an operator's order ends that early")
    func tooManyRequestsStopTheFeed() async throws {
        let server = try ScriptedServer { request, write in
            if request.path == "/matches" { return write(ScriptedServer.reply(body: Self.list)) }
            return write(ScriptedServer.reply(status: 429, headers: ["Retry-After": "3000"]))
        }
        let sink = RecordingSink(tickEvery: .milliseconds(10))
        let hand = ManualClock()
        let service = service(server, sink, hand)
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        let isMatch: @Sendable (ScriptedServer.Request) -> Bool = { $0.path != "/matches" }
        try await eventually("the refusal is noted") {
            await service.status()[0].lastFailureReason == "http4xx 429"
        }
        // The other match may have sent a request before the answer came; from then on none is sent.
        try await eventually("all sent pushes have arrived") {
            await service.status()[0].requests == server.requests.count
        }
        let requested = server.requests.count
        for id in ["m1", "m2"] { await service.notice(Self.feed, ProviderMatchID(unchecked: id)) }
        try await sink.ticks(20)
        await service.setPaused(true, Self.feed)
        await service.setPaused(false, Self.feed)
        await service.resetBreaker(Self.feed)
        try await sink.ticks(40)
        #expect(server.requests.count == requested)
        // The requested time is over, by the clock; a match that is woken then is polled.
        let before = server.requests.count(where: isMatch)
        hand.advance(by: .seconds(3_400))
        await service.notice(Self.feed, ProviderMatchID(unchecked: "m1"))
        await server.received(before + 1, isMatch)
        try await eventually("the second refusal is noted") {
            await service.notice(Self.feed, ProviderMatchID(unchecked: "m2"))
            return await service.status()[0].requests == server.requests.count
        }
        try await sink.ticks(20)
        let again = server.requests.count(where: isMatch)
        await service.pollNow(Self.feed)
        await server.received(again + 1, isMatch)
    }

    @Test func aPausedMatchDelaysNoOther() async throws {
        let server = try ScriptedServer { request, write in
            switch request.path {
            case "/matches": return write(ScriptedServer.reply(body: Self.list))
            case "/matches/m1": return write(ScriptedServer.reply(status: 503, headers: ["Retry-After": "3000"]))
            default:
                let over = Array(repeating: CricsheetSample.ball(1), count: request.number % 6)
                let innings = [CricsheetSample.innings(overs: [over])]
                let body = CricsheetSample.document(innings: innings, live: #"{"state":"live"}"#)
                return write(ScriptedServer.reply(body: body))
            }
        }
        let sink = RecordingSink()
        let service = service(server, sink, ManualClock())
        let task = Task { await service.run() }
        defer {
            task.cancel()
            server.stop()
        }
        await server.received { $0.path == "/matches/m1" }
        for _ in 0..<5 {
            await service.notice(Self.feed, ProviderMatchID(unchecked: "m1"))
            #expect(await sink.next() != nil)
        }
        #expect(server.requests.count { $0.path == "/matches/m1" } == 1)
    }
}
