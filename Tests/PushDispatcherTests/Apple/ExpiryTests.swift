// Behaviour 24: a request is not sent after its deadline, and is counted as expired.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct ExpiryTests {
    /// Real time, and a wall clock that the test can advance.
    final class WallAhead: Sendable {
        private let ahead = Mutex<Duration>(.zero)

        var clock: ServiceClock {
            let system = ServiceClock()
            return ServiceClock(
                monotonic: { system.monotonic },
                wall: { [self] in system.wall + ahead.withLock { $0 } }
            )
        }

        func put(_ duration: Duration) { ahead.withLock { $0 += duration } }
    }

    @Test("24: starts and notifications are dropped after five minutes; an end has an hour")
    func startsAndNotificationsExpireAfterFiveMinutes() async throws {
        let apple = try await AppleSide()
        let started = apple.phones(0..<3, kind: .pushToStart)
        let alerted = apple.phones(10..<12, kind: .alert)
        let ended = apple.phones(20..<22)
        let wall = WallAhead()
        let node = Node(try apple.configuration(), clock: wall.clock)
        await node.dispatcher.pause(.sandbox)
        await node.dispatcher.start((0..<3).map(Fixture.start), with: Fixture.startContent)
        await node.dispatcher.notify([Fixture.recipient(10)], of: Fixture.match, Fixture.notification("w"))
        await node.dispatcher.notify([Fixture.recipient(11)], of: Fixture.match, nil)
        await node.dispatcher.end([Fixture.end(20), Fixture.end(21)])
        try await eventually("all wait") { await node.environment?.gauges.directedWaiting == 7 }
        // A token signed later would have a time that APNs rejects.
        try await eventually("the provider token is signed") { await node.environment?.providerTokensMinted == 1 }

        wall.put(.seconds(290))
        #expect(await node.environment?.expired == 0)
        // While sends are stopped, no lane takes them.
        wall.put(.seconds(20))
        try await eventually("five are dropped") { node.outcomes.all.count == 5 }
        #expect(node.outcomes.all.allSatisfy { $0.outcome == .failed(.refused) })
        #expect(Set(node.outcomes.all.map(\.kind)) == [.start, .alert, .background])
        try await eventually("and counted") { await node.environment?.expired == 5 }
        #expect(await node.environment?.failed == 0, "they were no attempts")

        await node.dispatcher.resume(.sandbox)
        try await eventually("the ends go out") { ended.allSatisfy { $0.newest == 1 } }
        #expect((started + alerted).allSatisfy { $0.all.isEmpty })
        // A dropped start certainly did not happen, so the next round may plan it again.
        await node.dispatcher.start((0..<3).map(Fixture.start), with: Fixture.startContent)
        try await eventually("all are started") { started.allSatisfy { $0.all.count == 1 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("24: an end that waited an hour is dropped; the sweep sends a new one")
    func anEndExpiresAfterAnHour() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1)
        let wall = WallAhead()
        let node = Node(try apple.configuration(), clock: wall.clock)
        await node.dispatcher.pause(.sandbox)
        await node.dispatcher.end([Fixture.end(0)])
        try await eventually("it waits") { await node.environment?.gauges.directedWaiting == 1 }
        wall.put(.seconds(3601))
        try await eventually("it is dropped") { node.outcomes.all.count == 1 }
        #expect(node.outcomes.all.first?.outcome == .failed(.refused), "so it is not closed in the store")
        try await eventually("and counted") { await node.environment?.expired == 1 }
        #expect(await node.dispatcher.status().endsWaiting == 0)
        #expect(screens[0].all.isEmpty)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("24: a request that APNs refuses for half a minute is given up and counted")
    func aRefusedRequestIsGivenUpAfterHalfAMinute() async throws {
        let apple = try await AppleSide()
        _ = apple.phones(0..<1, kind: .alert)
        // APNs' Retry-After of five minutes is longer than the request is valid.
        await apple.simulator.interfere { _ in .answer(status: 429, reason: "TooManyRequests", retryAfter: 300) }
        let node = Node(try apple.configuration())
        await node.dispatcher.notify([Fixture.recipient(0)], of: Fixture.match, Fixture.notification("w"))
        try await eventually("it is given up") { node.outcomes.all.count == 1 }
        #expect(node.outcomes.all.first?.outcome == .failed(.throttled))
        try await eventually("and counted") { await node.environment?.expired == 1 }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("24: a state that could not be sent to a phone for half an hour is given up and counted")
    func anUndeliveredStateExpiresAfterHalfAnHour() throws {
        let tokens = MemoryTokens(count: 1)
        var fanout = Fanout(match: Fixture.match, environment: .sandbox)
        fanout.offer(try Fixture.publish(1), resumed: Bucket.all.map { ($0, 0) }, at: .zero)
        var now = Duration.zero
        var tries = 0
        while now < .seconds(3600) {
            while let send = fanout.next(at: now, .all, source: tokens) {
                tries += 1
                fanout.settle(send, as: .failed(.server), at: now, jitter: 0)
            }
            now += .seconds(1)
        }
        #expect(tries > 10 && fanout.expiredCount == 1)
        #expect(fanout.retries.count == 0, "nothing waits for it any more")
    }

    @Test func aQueueDropsExpiredRequestsAndKeepsTheOrderOfTheOthers() {
        var queue = DirectedQueue()
        let deadlines: [Int64] = [300, 3600, 0, 250, 300, 3600]
        for (number, deadline) in deadlines.enumerated() { #expect(queue.append(push(number, deadline)) == true) }
        #expect(queue.delay(push(6, 280), until: .seconds(5)) && queue.delay(push(7, 3600), until: .seconds(5)))
        #expect(queue.next(at: .zero)?.ticket == 0)
        #expect(queue.earliestExpiration == 250)
        #expect(queue.removeExpired(at: 249).isEmpty)
        #expect(queue.removeExpired(at: 250).map(\.ticket) == [3])
        #expect(queue.earliestExpiration == 280)
        #expect(Set(queue.removeExpired(at: 300).map(\.ticket)) == [4, 6])
        #expect(queue.count == 4 && queue.earliestExpiration == 3600)
        var left: [UInt64] = []
        while let next = queue.next(at: .seconds(5)) { left.append(next.ticket) }
        #expect(left == [1, 2, 5, 7], "zero is no deadline")
        #expect(queue.removeExpired(at: .max).isEmpty && queue.earliestExpiration == .max)
    }

    @Test func aFullQueueKeepsAllRequestsThatAreNotExpired() {
        var queue = DirectedQueue()
        for number in 0..<PushLimits.directedPerLane { #expect(queue.append(push(number, 3600)) == true) }
        for number in 0..<100 { #expect(queue.delay(push(100_000 + number, 300), until: .seconds(5)) == true) }
        #expect(queue.removeExpired(at: 300).count == 100)
        #expect(queue.count == PushLimits.directedPerLane)
    }

    private func push(_ number: Int, _ expiration: Int64) -> DirectedPush {
        DirectedPush(
            ticket: UInt64(number),
            kind: .alert,
            match: Fixture.match,
            target: .device(Fixture.device(number), generation: 1, token: Fixture.token(number)),
            body: BodyBytes([1]),
            priority: .ten,
            expiration: expiration,
            seed: RequestSeed(match: Fixture.match, revision: 1, kind: .alert, key: []),
            whenAmbiguous: .giveUp,
            repeatsWhenFailed: true
        )
    }
}
