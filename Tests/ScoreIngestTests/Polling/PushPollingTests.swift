// Pushed data is applied at once, and a notice triggers a request at once.

import Foundation
import MatchEngine
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.timeLimit(.minutes(1))) struct PushPollingTests {
    private static let feed = FeedID(unchecked: "parts")
    private static let match = ProviderMatchID(unchecked: "m1")

    /// The provider's balls; an answer waits for the event while there is one.
    private final class Balls: Sendable {
        let reply = Mutex(ScriptedServer.reply(body: Array("2".utf8)))
        let release = Mutex<ThreadEvent?>(nil)

        func answer() -> [UInt8] {
            _ = release.withLock { $0 }?.await()
            return reply.withLock { $0 }
        }

        func say(_ bytes: [UInt8]) { reply.withLock { $0 = bytes } }
    }

    private struct Setup {
        let balls = Balls()
        let sink = RecordingSink()
        let server: ScriptedServer
        let service: IngestService

        init(
            speed: Int = 1,
            isPushed: Bool = true,
            subscription: @escaping @Sendable () -> [UInt8]? = { nil }
        ) throws {
            let (balls, sink) = (balls, sink)
            server = try ScriptedServer { request, write in
                switch request.path {
                case "/auth": write(ScriptedServer.reply(body: Array("t1".utf8)))
                case "/words": write(ScriptedServer.reply(body: Array("words".utf8)))
                case "/list": write(ScriptedServer.reply(body: Array("m1".utf8)))
                case "/m/m1": write(ScriptedServer.reply(body: Array("Lord's".utf8)))
                case "/m/m1/balls": write(balls.answer())
                case "/m/m1/subscribe": write(subscription() ?? ScriptedServer.reply(body: Array("yes".utf8)))
                default: write(ScriptedServer.reply(body: Array("over".utf8)))
                }
            }
            // At real speed a match is polled about every five seconds: an earlier poll has another cause.
            service = IngestService(
                feeds: [
                    FeedConfiguration(
                        id: feed,
                        baseURL: server.url,
                        adapter: PartsAdapter(),
                        credentials: ProviderCredentials(key: Secret("the-key")),
                        security: .local(),
                        isPushed: isPushed
                    )
                ],
                driver: TransferDriver(name: "test-push"),
                clock: ServiceClock(speed: speed),
                mayPoll: { _ in true },
                makeSink: { _, _ in sink }
            )
        }

        func running(_ body: () async throws -> Void) async throws {
            let task = Task { [service] in await service.run() }
            defer {
                task.cancel()
                server.stop()
            }
            #expect(await sink.next() == .accepted(balls: 2))
            try await body()
        }

        func push(_ venue: String) async {
            let frame = ProviderReplies([.match: Array(venue.utf8)])
            await service.notice(feed, match, .replies(match, frame))
        }

        func notify(over: Int) async {
            let ball = ProviderNotice.Ball(innings: 1, over: over)
            let notice = ProviderNotice(match: match, ball: ball)
            await service.notice(feed, match, .notice(notice))
        }

        var venue: String? {
            get async { await sink.replies.last?.snapshot.info.venue }
        }

        func requestCount(_ path: String) -> Int { server.requests.count { $0.path == path } }
    }

    /// With notices a match is polled every half minute, which is longer than a wicket waits.
    @Test func aPendingAlertTriggersAPoll() async throws {
        let setup = try Setup()
        let sink = setup.sink
        try await setup.running {
            await setup.push("Oval")
            #expect(await sink.next() == .accepted(balls: 2))
            try await eventually("it is polled again rarely") { await sink.waits.count == 2 }
            await sink.wantLook(in: .seconds(10))
            await setup.push("Headingley")
            #expect(await sink.next() == .accepted(balls: 2))
            try await eventually("it is polled again soon") { await sink.waits.count == 3 }
            let waits = await sink.waits
            #expect(waits[1] > .seconds(26))
            #expect(waits[2] < .seconds(6))
        }
    }

    @Test func partsMissingFromAPushAreRequestedAtOnce() async throws {
        let setup = try Setup()
        try await setup.running {
            setup.balls.say(ScriptedServer.reply(body: Array("3".utf8)))
            await setup.push("Oval")
            #expect(await setup.sink.next() == .accepted(balls: 3))
            #expect(await setup.venue == "Oval")
            #expect(setup.requestCount("/m/m1/balls") == 2)
            #expect(setup.requestCount("/m/m1") == 1, "pushed parts are not requested")
        }
    }

    @Test func aPushIsAppliedWithoutTheRest() async throws {
        let setup = try Setup()
        try await setup.running {
            setup.balls.say(ScriptedServer.reply(status: 500))
            await setup.push("Oval")
            #expect(await setup.sink.next() == .accepted(balls: 2))
            #expect(await setup.venue == "Oval")
            #expect(setup.requestCount("/m/m1/balls") == 2)
            setup.balls.say(ScriptedServer.reply(body: Array("4".utf8)))
            await setup.push("Kia Oval")
            #expect(await setup.sink.next() == .accepted(balls: 4))
        }
    }

    @Test func noNoticeIsLost() async throws {
        let setup = try Setup()
        try await setup.running {
            let release = ThreadEvent()
            setup.balls.release.withLock { $0 = release }
            await setup.notify(over: 1)
            await setup.server.received(2) { $0.path == "/m/m1/balls" }
            // While that answer is awaited: its failure, and two notices with a snapshot between them.
            setup.balls.say(ScriptedServer.reply(status: 500))
            await setup.notify(over: 2)
            await setup.push("Oval")
            await setup.notify(over: 3)
            setup.balls.release.withLock { $0 = nil }
            release.signal()
            #expect(await setup.sink.next() == .accepted(balls: 2))
            setup.balls.say(ScriptedServer.reply(body: Array("5".utf8)))
            await setup.push("Kia Oval")
            #expect(await setup.sink.next() == .accepted(balls: 5))
            for over in 1...3 { #expect(setup.requestCount("/m/m1/over/\(over)") == 1, "over \(over)") }
        }
    }

    @Test func aMatchInPlayIsSubscribedOnce() async throws {
        let setup = try Setup()
        try await setup.running {
            await setup.server.received(1) { $0.path == "/m/m1/subscribe" }
            for venue in ["Oval", "Kia Oval", "The Oval"] {
                await setup.push(venue)
                #expect(await setup.sink.next() == .accepted(balls: 2))
            }
            #expect(setup.requestCount("/m/m1/subscribe") == 1)
            #expect(setup.server.requests.first { $0.path == "/m/m1/subscribe" }?.method == "POST")
        }
    }

    @Test func aRefusedSubscriptionIsTriedAgain() async throws {
        // Status 200 with a refusal, then a failure, then success; the test does not wait five seconds for each.
        let answers = Mutex([ScriptedServer.reply(status: 500), ScriptedServer.reply(body: Array("refused".utf8))])
        let setup = try Setup(speed: 100) { answers.withLock { $0.popLast() } }
        try await setup.running {
            await setup.server.received(3) { $0.path == "/m/m1/subscribe" }
            let requested = setup.requestCount("/m/m1/balls")
            await setup.server.received(requested + 3) { $0.path == "/m/m1/balls" }
            #expect(setup.requestCount("/m/m1/subscribe") == 3)
        }
    }

    @Test func aFeedWithoutAWebhookIsNotSubscribed() async throws {
        let setup = try Setup(speed: 100, isPushed: false)
        try await setup.running {
            await setup.server.received(3) { $0.path == "/m/m1/balls" }
            #expect(setup.requestCount("/m/m1/subscribe") == 0)
        }
    }
}
