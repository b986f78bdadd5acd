// The end of a channel is over when APNs took it, not when it was sent, and is said again at its steps.

import HTTP2
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite struct ChannelEndTests {
    private let hand = Fixture.clock
    private let sent = Sent()
    private let store = MemoryChannels()

    private final class Sent: Sendable {
        private let pushes = Mutex<[DirectedPush]>([])
        var all: [DirectedPush] { pushes.withLock { $0 } }
        func take(_ push: DirectedPush) { pushes.withLock { $0.append(push) } }
    }

    private let channel: ChannelID

    init() throws { channel = try #require(ChannelID("Y2hhbm5lbA==")) }

    private func directory() throws -> ChannelDirectory {
        ChannelDirectory(
            configuration: DispatcherConfiguration(
                bundleID: "app.score",
                teamID: "TEAMTEAM01",
                keyID: "ABCDEFGHIJ",
                signingKey: try SigningKey(pem: Fixture.keyPEM())
            ),
            store: store,
            clock: hand.clock(),
            idKey: [],
            seed: 1,
            token: { _ in nil },
            send: { [sent] push, _ in sent.take(push) }
        )
    }

    private func content(_ revision: Int64) -> EndContent {
        EndContent(
            match: Fixture.match,
            revision: Revision(epoch: Fixture.epoch, number: revision),
            apnsTimestamp: 1_800_000_000,
            contentState: Array("{\"v\":1,\"rev\":\(revision)}".utf8)
        )
    }

    /// The answer to the last push.
    private func answer(_ outcome: PushOutcome) throws -> DirectedResult {
        let push = try #require(sent.all.last)
        return DirectedResult(
            ticket: push.ticket,
            kind: push.kind,
            environment: .sandbox,
            match: push.match,
            target: push.target,
            outcome: outcome,
            reason: .none,
            apnsTimestampMilliseconds: nil
        )
    }

    private func wait(_ duration: Duration, _ directory: ChannelDirectory) async {
        hand.advance(by: duration)
        await directory.tick()
    }

    @Test("23: an end of a channel that APNs did not take is said again, with the newest state, until it did")
    func isOverOnlyWhenTaken() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        #expect(await directory.settle(try answer(.failed(.server))) == nil, "not over, not given up")
        #expect(await directory.end(channel, in: .sandbox, with: content(2)) == nil)
        await wait(.seconds(59), directory)
        #expect(sent.all.count == 1)
        await wait(.seconds(1), directory)
        #expect(sent.all.count == 2)
        #expect(sent.all.last?.seed == RequestSeed(match: Fixture.match, revision: 2, kind: .end, key: []))
        #expect(await directory.settle(try answer(.rejected(.stopEnvironment))) == nil)
        await wait(.seconds(240), directory)
        let taken = await directory.settle(try answer(.accepted))
        #expect(taken == ChannelEndOutcome(channel: channel, environment: .sandbox, isOver: true))
        #expect(await directory.end(channel, in: .sandbox, with: content(2))?.isOver == true)
        #expect(sent.all.count == 3, "it was taken, and need not be sent at once")
        for (step, count) in [(Duration.seconds(600), 4), (.seconds(900), 5), (.seconds(3600), 5)] {
            await wait(step, directory)
            #expect(sent.all.count == count)
            if count > 3 { #expect(await directory.settle(try answer(.accepted)) == nil) }
        }
    }

    @Test("23: a successor says an end again at the steps that its predecessor did not live to")
    func isRepeatedByASuccessor() async throws {
        let directory = try directory()
        await directory.repeatEnd(of: channel, in: .sandbox, with: content(1), toldFor: .seconds(280))
        #expect(sent.all.isEmpty)
        #expect(await directory.isEnding(channel))
        // Whoever finds it in the records once more begins nothing anew.
        await wait(.seconds(10), directory)
        await directory.repeatEnd(of: channel, in: .sandbox, with: content(1), toldFor: .seconds(290))
        for (step, count) in [(Duration.seconds(9), 0), (.seconds(1), 1), (.seconds(600), 2), (.seconds(900), 3)] {
            await wait(step, directory)
            #expect(sent.all.count == count)
            if count > 0 { #expect(await directory.settle(try answer(.accepted)) == nil, "nobody waits for it") }
        }
        #expect(await !directory.isEnding(channel))
        await directory.repeatEnd(of: channel, in: .sandbox, with: content(1), toldFor: .seconds(1800))
        #expect(await !directory.isEnding(channel), "all of it was said")
    }

    @Test("23: what APNs took is said again by the node with the duty, and by no other")
    func isRepeatedWhereTheDutyIs() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        store.state.withLock { $0.hasDuty = false }
        #expect(await directory.settle(try answer(.failed(.server))) == nil)
        await wait(.seconds(60), directory)
        #expect(sent.all.count == 2, "it is not taken yet, and this node was asked")
        #expect(await directory.settle(try answer(.accepted))?.isOver == true)
        await wait(.seconds(240), directory)
        #expect(sent.all.count == 2)
        #expect(await !directory.isEnding(channel))
    }

    @Test("23: an end that no try was taken of is given up, and begins anew when it is asked for again")
    func isGivenUpAfterItsSteps() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        for step in [Duration.seconds(60), .seconds(240), .seconds(600), .seconds(900)] {
            #expect(await directory.settle(try answer(.failed(.server))) == nil)
            await wait(step, directory)
        }
        #expect(sent.all.count == 5)
        #expect(await directory.settle(try answer(.failed(.server)))?.isOver == false)
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        #expect(sent.all.count == 6)
    }

    @Test func anEndUnderWayIsNotDoubledAndAChannelThatIsNotThereIsOver() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        await wait(.seconds(60), directory)
        #expect(sent.all.count == 1, "the first try has no answer yet")
        #expect(await directory.settle(try answer(.rejected(.recreateChannel)))?.isOver == true)
        await wait(.seconds(3600), directory)
        #expect(sent.all.count == 1)
    }
}
