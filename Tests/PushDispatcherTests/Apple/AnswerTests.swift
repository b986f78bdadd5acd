// The dispatcher's reaction to each of APNs' answers, and to an audience whose tokens are all bad.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct AnswerTests {
    @Test("A4, 4: a request of unknown outcome is repeated with the newest state and without its alert")
    func anAmbiguousRequestIsRepeatedWithoutItsAlert() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1)
        await apple.simulator.interfere { $0.number == 1 ? .cut : nil }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 1))
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("the phone shows 1") { screens[0].newest == 1 }
        #expect(screens[0].alerts == 0)
        #expect(apple.simulator.statistics.accepted == 1)
        try await eventually("the cut request counts as failed") { await node.environment?.failed == 1 }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A19, 13: unknown reasons, empty bodies and bodies that are not JSON are handled")
    func malformedAnswersAreHandled() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<60)
        await apple.simulator.interfere { arrival in
            switch arrival.number {
            case 5: .answer(status: 418, reason: "Teapot")
            case 6: .garble(status: 404, body: [])
            case 7: .garble(status: 400, body: Array("<html>".utf8))
            case 8: .garble(status: 500, body: [0xff, 0x00, 0x22])
            case 9: .answer(status: 400, reason: "DeviceTokenNotForTopic")
            default: nil
            }
        }
        let tokens = MemoryTokens(count: 60)
        let node = Node(try apple.configuration(), tokens: tokens)
        await node.publish(Fixture.current(1))
        // Three were rejected, one was evicted, one was repeated after its 500.
        try await eventually("the others show 1") { screens.count { $0.newest == 1 } == 56 }
        try await eventually("one is evicted") { tokens.rejections.count == 1 }
        await node.publish(Fixture.current(2))
        try await eventually("all but the evicted show 2") { screens.count { $0.newest == 2 } == 59 }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A11, 14: a 410 evicts once, with APNs' timestamp, and the token is not used again")
    func a410EvictsTheToken() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<30)
        let tokens = MemoryTokens(count: 30)
        let dead = Instant(milliseconds: ServiceClock().wall.milliseconds - 5000)
        apple.simulator.unregister(token: Fixture.token(7), at: dead)
        let node = Node(try apple.configuration(), tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("the rejection arrives") { !tokens.rejections.isEmpty }
        await node.publish(Fixture.current(2))
        try await eventually("the others show 2") { screens.count { $0.newest == 2 } == 29 }
        #expect(tokens.rejections.count == 1)
        #expect(tokens.rejections.first?.device == Fixture.device(7))
        #expect(tokens.rejections.first?.deadAt == dead)
        #expect(apple.simulator.statistics.refused == ["Unregistered": 1])
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A9, 15: a refused key stops the sends after a few, and a probe resumes them for all tokens")
    func aRejectedKeyStopsSends() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<600)
        let isRefused = Mutex(true)
        await apple.simulator.interfere { arrival in
            // The first answers are good, so that many streams are open when the key is refused.
            guard arrival.number > 20, isRefused.withLock({ $0 }) else { return nil }
            return .answer(status: 403, reason: "InvalidProviderToken")
        }
        let tokens = MemoryTokens(count: 600)
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        configuration.connectionsMax = 1
        let node = Node(configuration, tokens: tokens, speed: 1)
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("the breaker opens") { await node.environment?.gauges.breakersOpen == 1 }
        #expect(await node.environment?.problem?.contains("InvalidProviderToken") == true)
        let refused = apple.simulator.statistics.refused["InvalidProviderToken"] ?? 0
        isRefused.withLock { $0 = false }
        try await eventually("all phones show 1", within: .seconds(60)) { screens.allSatisfy { $0.newest == 1 } }
        // Open requests at the first refusal count, later ones do not exist.
        #expect(apple.simulator.statistics.refused["InvalidProviderToken"] ?? 0 <= max(refused, 600))
        #expect(tokens.rejections.isEmpty)
        #expect(screens.allSatisfy { $0.alerts == 1 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A7, 16: during an outage few requests are sent, and old states are never sent again")
    func retriesAreLimitedDuringAnOutage() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<500)
        let isDown = Mutex(false)
        let seen = Mutex<[[UInt8]]>([])
        await apple.simulator.interfere { arrival in
            guard isDown.withLock({ $0 }) else { return nil }
            seen.withLock { $0.append(arrival.recipient) }
            return .answer(status: 503, reason: "ServiceUnavailable")
        }
        var configuration = try apple.configuration()
        configuration.connectionsPerEnvironment = 1
        configuration.connectionsMax = 1
        let node = Node(configuration, tokens: MemoryTokens(count: 500))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        isDown.withLock { $0 = true }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("the breaker opens") { await node.environment?.gauges.breakersOpen == 1 }
        await node.publish(Fixture.current(3, cause: .correction))
        // Requests that were open when the breaker opened have the older state.
        try await eventually("they have their answers") { await node.environment?.gauges.streamsInUse == 0 }
        isDown.withLock { $0 = false }
        try await eventually("all phones show 3", within: .seconds(60)) { screens.allSatisfy { $0.newest == 3 } }
        #expect(screens.allSatisfy { screen in !screen.all.contains { $0.revision == 2 } })
        let (all, different) = seen.withLock { ($0.count, Set($0).count) }
        #expect(all - different <= 50, "attempts beyond the first: a tenth of the sends at most")
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A6, 16: Retry-After is obeyed, and the next request carries the newest state")
    func sendsObeyRetryAfter() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1)
        let arrivals = Mutex<[(ContinuousClock.Instant, Int64?)]>([])
        await apple.simulator.interfere { arrival in
            arrivals.withLock { $0.append((.now, arrival.revision)) }
            return arrival.number == 1 ? .answer(status: 429, reason: "TooManyRequests", retryAfter: 7) : nil
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 1))
        await node.publish(Fixture.current(1))
        try await eventually("the phone shows 1") { screens[0].newest == 1 }
        let times = arrivals.withLock { $0 }
        #expect(times.count == 2)
        #expect(times[1].0 - times[0].0 >= .seconds(6.9))
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A12, S49, m: no token is quarantined if all are suddenly bad")
    func noTokenIsQuarantinedWhenAllAreBad() async throws {
        let apple = try await AppleSide()
        let tokens = MemoryTokens(count: 400)
        await apple.simulator.interfere { _ in .answer(status: 400, reason: "BadDeviceToken") }
        let node = Node(try apple.configuration(), tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("they are withheld") { await node.environment?.quarantinesWithheld ?? 0 >= 400 }
        #expect(tokens.rejections.isEmpty)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A12, S49, m: above a share of one bad token in twenty none is quarantined, and all are sent to again")
    func noTokenIsQuarantinedAboveTheShare() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<400)
        let tokens = MemoryTokens(count: 440)
        let node = Node(try apple.configuration(), tokens: tokens)
        for revision in 1...3 {
            await node.publish(Fixture.current(Int64(revision), cause: .correction))
            try await eventually("\(revision) is withheld") {
                await node.environment?.quarantinesWithheld ?? 0 >= 40 * revision
            }
        }
        #expect(tokens.rejections.isEmpty)
        #expect(screens.allSatisfy { $0.newest == 3 })

        // The operator has corrected the environments.
        let others = apple.phones(400..<440)
        await node.publish(Fixture.current(4, cause: .correction))
        try await eventually("no token was lost") { (screens + others).allSatisfy { $0.newest == 4 } }
        #expect(tokens.rejections.isEmpty)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("m: a few bad tokens among many are quarantined")
    func aFewBadTokensAreQuarantined() async throws {
        let apple = try await AppleSide()
        // The simulator does not know the last five.
        let screens = apple.phones(0..<300)
        let tokens = MemoryTokens(count: 305)
        let node = Node(try apple.configuration(), tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("five are quarantined") { tokens.rejections.count == 5 }
        #expect(Set(tokens.rejections.map(\.device)) == Set((300..<305).map { Fixture.device($0) }))
        try await eventually("the others show 1") { screens.allSatisfy { $0.newest == 1 } }
        await node.stop()
        await apple.simulator.stop()
    }
}
