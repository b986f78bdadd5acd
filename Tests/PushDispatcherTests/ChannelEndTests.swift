// The end of a channel is final when APNs has accepted it, and is repeated on schedule.

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

    /// Whether this node sends the broadcasts of the match.
    private final class Duty: Sendable {
        private let held = Mutex(true)
        var isHeld: Bool { held.withLock { $0 } }
        func drop() { held.withLock { $0 = false } }
    }

    private let duty = Duty()
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
            broadcasts: { [duty] _ in duty.isHeld },
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
            contentState: Fixture.contentState(revision)
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
            apnsTimestampMilliseconds: nil
        )
    }

    private func wait(_ duration: Duration, _ directory: ChannelDirectory) async {
        hand.advance(by: duration)
        await directory.tick()
    }

    @Test("23: an unaccepted end of a channel is repeated with the newest state until APNs accepts it")
    func anEndIsFinalWhenAccepted() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        #expect(await directory.settle(try answer(.failed(.server))) == nil, "neither final nor given up")
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
        #expect(sent.all.count == 3, "the end was accepted, and need not be sent at once")
        for (step, count) in [(Duration.seconds(600), 4), (.seconds(900), 5), (.seconds(3600), 5)] {
            await wait(step, directory)
            #expect(sent.all.count == count)
            if count > 3 { #expect(await directory.settle(try answer(.accepted)) == nil) }
        }
    }

    @Test("23: a successor sends the repetitions that its predecessor did not send")
    func aSuccessorRepeatsTheEnd() async throws {
        let directory = try directory()
        await directory.repeatEnd(of: channel, in: .sandbox, with: content(1), acceptedFor: .seconds(280))
        #expect(sent.all.isEmpty)
        #expect(await directory.isEnding(channel))
        // A second call for the same record starts nothing new.
        await wait(.seconds(10), directory)
        await directory.repeatEnd(of: channel, in: .sandbox, with: content(1), acceptedFor: .seconds(290))
        for (step, count) in [(Duration.seconds(9), 0), (.seconds(1), 1), (.seconds(600), 2), (.seconds(900), 3)] {
            await wait(step, directory)
            #expect(sent.all.count == count)
            if count > 0 { #expect(await directory.settle(try answer(.accepted)) == nil, "no task waits for it") }
        }
        #expect(await !directory.isEnding(channel))
        await directory.repeatEnd(of: channel, in: .sandbox, with: content(1), acceptedFor: .seconds(1800))
        #expect(await !directory.isEnding(channel), "all repetitions were sent")
    }

    @Test("23: only the node with the duty repeats an accepted end")
    func onlyTheResponsibleNodeRepeatsTheEnd() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        duty.drop()
        #expect(await directory.settle(try answer(.failed(.server))) == nil)
        await wait(.seconds(60), directory)
        #expect(sent.all.count == 2, "it is not accepted yet, and this node is responsible")
        #expect(await directory.settle(try answer(.accepted))?.isOver == true)
        await wait(.seconds(240), directory)
        #expect(sent.all.count == 2)
        #expect(await !directory.isEnding(channel))
    }

    @Test("23: an end without an accepted try is given up, and starts anew with the next order")
    func anUnacceptedEndIsGivenUp() async throws {
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

    @Test func anOpenEndIsNotRepeatedAndAMissingChannelIsFinal() async throws {
        let directory = try directory()
        #expect(await directory.end(channel, in: .sandbox, with: content(1)) == nil)
        await wait(.seconds(60), directory)
        #expect(sent.all.count == 1, "the first try has no answer yet")
        #expect(await directory.settle(try answer(.rejected(.recreateChannel)))?.isOver == true)
        await wait(.seconds(3600), directory)
        #expect(sent.all.count == 1)
    }
}
