// What a provider pushes comes at once, and so does what a push only hints at.

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

    /// What the provider says of the balls; an answer waits for the gong while there is one.
    private final class Balls: Sendable {
        let reply = Mutex(ScriptedServer.reply(body: Array("2".utf8)))
        let gong = Mutex<Gong?>(nil)

        func answer() -> [UInt8] {
            _ = gong.withLock { $0 }?.await()
            return reply.withLock { $0 }
        }

        func say(_ bytes: [UInt8]) { reply.withLock { $0 = bytes } }
    }

    private struct Stage {
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
            // At the true speed a match is asked about every five seconds: what comes sooner was told.
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

        func asked(_ path: String) -> Int { server.requests.count { $0.path == path } }
    }

    /// While notices come a match is asked for every half minute, which is longer than a wicket waits.
    @Test func whatWaitsToBeToldIsLookedAtWithinItsPatience() async throws {
        let stage = try Stage()
        let sink = stage.sink
        try await stage.running {
            await stage.push("Oval")
            #expect(await sink.next() == .accepted(balls: 2))
            try await eventually("it is asked again seldom") { await sink.waits.count == 2 }
            await sink.wantLook()
            await stage.push("Headingley")
            #expect(await sink.next() == .accepted(balls: 2))
            try await eventually("it is asked again soon") { await sink.waits.count == 3 }
            let waits = await sink.waits
            #expect(waits[1] > .seconds(26))
            #expect(waits[2] < .seconds(6))
        }
    }

    @Test func whatAPushDoesNotBringIsAskedForAtOnce() async throws {
        let stage = try Stage()
        try await stage.running {
            stage.balls.say(ScriptedServer.reply(body: Array("3".utf8)))
            await stage.push("Oval")
            #expect(await stage.sink.next() == .accepted(balls: 3))
            #expect(await stage.venue == "Oval")
            #expect(stage.asked("/m/m1/balls") == 2)
            #expect(stage.asked("/m/m1") == 1, "what was pushed is not asked for")
        }
    }

    @Test func aPushIsShownThoughTheRestCannotBeHad() async throws {
        let stage = try Stage()
        try await stage.running {
            stage.balls.say(ScriptedServer.reply(status: 500))
            await stage.push("Oval")
            #expect(await stage.sink.next() == .accepted(balls: 2))
            #expect(await stage.venue == "Oval")
            #expect(stage.asked("/m/m1/balls") == 2)
            stage.balls.say(ScriptedServer.reply(body: Array("4".utf8)))
            await stage.push("Kia Oval")
            #expect(await stage.sink.next() == .accepted(balls: 4))
        }
    }

    @Test func noNoticeIsLost() async throws {
        let stage = try Stage()
        try await stage.running {
            let gong = Gong()
            stage.balls.gong.withLock { $0 = gong }
            await stage.notify(over: 1)
            await stage.server.asked(2) { $0.path == "/m/m1/balls" }
            // While that answer is awaited: a failure of it, and two notices with a picture between them.
            stage.balls.say(ScriptedServer.reply(status: 500))
            await stage.notify(over: 2)
            await stage.push("Oval")
            await stage.notify(over: 3)
            stage.balls.gong.withLock { $0 = nil }
            gong.strike()
            #expect(await stage.sink.next() == .accepted(balls: 2))
            stage.balls.say(ScriptedServer.reply(body: Array("5".utf8)))
            await stage.push("Kia Oval")
            #expect(await stage.sink.next() == .accepted(balls: 5))
            for over in 1...3 { #expect(stage.asked("/m/m1/over/\(over)") == 1, "over \(over)") }
        }
    }

    @Test func aMatchInPlayIsSubscribedOnce() async throws {
        let stage = try Stage()
        try await stage.running {
            await stage.server.asked(1) { $0.path == "/m/m1/subscribe" }
            for venue in ["Oval", "Kia Oval", "The Oval"] {
                await stage.push(venue)
                #expect(await stage.sink.next() == .accepted(balls: 2))
            }
            #expect(stage.asked("/m/m1/subscribe") == 1)
            #expect(stage.server.requests.first { $0.path == "/m/m1/subscribe" }?.method == "POST")
        }
    }

    @Test func aRefusedSubscriptionIsTriedAgain() async throws {
        // Status 200 with a refusal, then a failure, then what was wanted; nobody waits five seconds for each.
        let answers = Mutex([ScriptedServer.reply(status: 500), ScriptedServer.reply(body: Array("refused".utf8))])
        let stage = try Stage(speed: 100) { answers.withLock { $0.popLast() } }
        try await stage.running {
            await stage.server.asked(3) { $0.path == "/m/m1/subscribe" }
            let asked = stage.asked("/m/m1/balls")
            await stage.server.asked(asked + 3) { $0.path == "/m/m1/balls" }
            #expect(stage.asked("/m/m1/subscribe") == 3)
        }
    }

    @Test func aFeedWithoutAWebhookIsNotSubscribed() async throws {
        let stage = try Stage(speed: 100, isPushed: false)
        try await stage.running {
            await stage.server.asked(3) { $0.path == "/m/m1/balls" }
            #expect(stage.asked("/m/m1/subscribe") == 0)
        }
    }
}
