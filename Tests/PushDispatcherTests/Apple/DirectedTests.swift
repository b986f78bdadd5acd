// Starts, ends and notifications: each for one phone, each with a result for its owner.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct DirectedServerTests {
    @Test("i: a start always has an alert, and its owner receives the result")
    func aStartHasAnAlert() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<40, kind: .pushToStart)
        let node = Node(try apple.configuration())
        await node.dispatcher.start((0..<40).map(Fixture.start), with: Fixture.startContent)
        try await eventually("all were started") { node.outcomes.all.count == 40 }
        #expect(screens.allSatisfy { $0.all.count == 1 && $0.alerts == 1 && $0.all[0].event == .start })
        #expect(apple.simulator.statistics.traps.isEmpty)
        #expect(node.outcomes.all.allSatisfy { $0.outcome == .accepted && $0.kind == .start })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A4, 4: a start of unknown outcome is not repeated; a refused one is")
    func anAmbiguousStartIsNotRepeated() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<2, kind: .pushToStart)
        let cut = Fixture.token(0).bytes
        let refusals = Mutex(0)
        let cuts = Mutex(0)
        await apple.simulator.interfere { arrival in
            if arrival.recipient == cut {
                cuts.withLock { $0 += 1 }
                return .cut
            }
            return refusals.withLock {
                $0 += 1; return $0
            } == 1 ? .refuse : nil
        }
        let node = Node(try apple.configuration())
        await node.dispatcher.start([Fixture.start(1)], with: Fixture.startContent)
        try await eventually("the refused one was started") { screens[1].all.count == 1 }
        await node.dispatcher.start([Fixture.start(0)], with: Fixture.startContent)
        try await eventually("the other has its outcome") { node.outcomes.all.count == 2 }
        #expect(node.outcomes.all.first { $0.device == Fixture.device(0) }?.outcome == .failed(.ambiguous))
        #expect(await node.dispatcher.status().startsWaiting == 0)
        #expect(screens[0].all.isEmpty && cuts.withLock { $0 } == 1)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("23: starts are spread over their span")
    func startsAreSpreadOverTheirSpan() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<50, kind: .pushToStart)
        let times = Mutex<[ContinuousClock.Instant]>([])
        await apple.simulator.interfere { _ in
            times.withLock { $0.append(.now) }
            return nil
        }
        let node = Node(try apple.configuration(), speed: 1)
        let begun = ContinuousClock.now
        await node.dispatcher.start((0..<50).map(Fixture.start), with: Fixture.startContent, over: .seconds(2))
        try await eventually("all were started") { screens.allSatisfy { $0.all.count == 1 } }
        // A busy machine sends the first ones late, and none of them early.
        let last = try #require(times.withLock { $0.last })
        #expect(last - begun >= .seconds(1.5))
        await node.stop()
        await apple.simulator.stop()
    }

    @Test(
        "25: a stop reports the starts that were not sent, planned ones and those that wait in a lane",
        arguments: [Duration.seconds(3600), .zero]
    )
    func aStopReportsUnsentStarts(span: Duration) async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<50, kind: .pushToStart)
        // Without a span all starts are due at once, and a node without a term keeps them in its lanes.
        let node = Node(try apple.configuration(), speed: 1, maySend: { span > .zero })
        await node.dispatcher.start((0..<50).map(Fixture.start), with: Fixture.startContent, over: span)
        await node.stop()
        #expect(Set(node.outcomes.all.map(\.device)).count == 50 && node.outcomes.all.count == 50)
        let unsent = Set(node.outcomes.all.filter { $0.outcome == .failed(.refused) }.map(\.device))
        // The first of a span is due at once.
        #expect(unsent.count >= (span > .zero ? 49 : 50))
        #expect(screens.allSatisfy { $0.all.isEmpty || !unsent.contains(Fixture.device($0.number)) })
        #expect(await node.dispatcher.status().startsWaiting == 0)
        await node.dispatcher.start([Fixture.start(50)], with: Fixture.startContent)
        #expect(node.outcomes.all.last?.device == Fixture.device(50), "a later one is refused")
        #expect(node.outcomes.all.last?.outcome == .failed(.refused))
        await apple.simulator.stop()
    }

    @Test("starts are refused while they are switched off, planned ones too, and none of them is sent later")
    func startsThatAreSwitchedOffAreRefused() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<51, kind: .pushToStart)
        let node = Node(try apple.configuration(), speed: 1)
        await node.dispatcher.start((0..<50).map(Fixture.start), with: Fixture.startContent, over: .seconds(3600))
        await node.dispatcher.allowStarts(false)
        #expect(await node.dispatcher.status().startsWaiting == 0)
        await node.dispatcher.start([Fixture.start(50)], with: Fixture.startContent)
        let refused = Set(node.outcomes.all.filter { $0.outcome == .failed(.refused) }.map(\.device))
        #expect(refused == Set((1...50).map(Fixture.device)), "the first of a span is due at once")
        await node.dispatcher.allowStarts(true)
        await node.dispatcher.start([Fixture.start(50)], with: Fixture.startContent)
        try await eventually("a new start is sent") { screens[50].all.count == 1 }
        #expect(screens[1..<50].allSatisfy { $0.all.isEmpty })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("23: a lost end is repeated until it is accepted")
    func aLostEndIsRepeatedUntilAccepted() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<1)
        await apple.simulator.interfere { $0.number == 1 ? .answer(status: 400, reason: "BadPriority") : nil }
        let node = Node(try apple.configuration())
        await node.dispatcher.end([Fixture.end(0)])
        try await eventually("it has its outcome") { node.outcomes.all.count == 1 }
        #expect(node.outcomes.all[0].outcome == .rejected(.dropRequest))
        await apple.simulator.interfere { _ in .answer(status: 500, reason: "InternalServerError") }
        await node.dispatcher.end([Fixture.end(0)])
        try await eventually("it was tried") { apple.simulator.statistics.refused["InternalServerError"] ?? 0 >= 1 }
        await apple.simulator.interfere(nil)
        try await eventually("the phone ended", within: .seconds(40)) { screens[0].all.last?.event == .end }
        try await eventually("its owner has the outcome") { node.outcomes.all.last?.outcome == .accepted }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("13: a refused key says nothing about the token: directed requests are sent when the key is good")
    func directedRequestsWaitForAGoodKey() async throws {
        let apple = try await AppleSide()
        let ended = apple.phones(0..<1)
        let started = apple.phones(1..<2, kind: .pushToStart)
        let alerted = apple.phones(2..<3, kind: .alert)
        await apple.simulator.interfere { _ in .answer(status: 403, reason: "InvalidProviderToken") }
        let node = Node(try apple.configuration(), speed: 1)
        await node.dispatcher.end([Fixture.end(0)])
        await node.dispatcher.start([Fixture.start(1)], with: Fixture.startContent)
        await node.dispatcher.notify([Fixture.recipient(2)], of: Fixture.match, Fixture.notification())
        try await eventually("all three were refused") {
            apple.simulator.statistics.refused["InvalidProviderToken"] ?? 0 >= 3
        }
        #expect(node.outcomes.all.isEmpty, "no outcome before that")
        await apple.simulator.interfere(nil)
        try await eventually("all three arrive", within: .seconds(40)) { node.outcomes.all.count == 3 }
        #expect(node.outcomes.all.allSatisfy { $0.outcome == .accepted })
        #expect(ended[0].all.map(\.event) == [.end] && started[0].all.count == 1 && alerted[0].all.count == 1)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("23: the end of a match reaches devices that missed it at first")
    func theEndReachesDevicesThatMissedIt() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<30)
        let lost = Fixture.token(4).bytes
        let losses = Mutex(0)
        await apple.simulator.interfere { arrival in
            guard arrival.recipient == lost,
                losses.withLock({
                    $0 += 1; return $0 <= 1
                })
            else { return nil }
            return .answer(status: 413, reason: "PayloadTooLarge")
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 30))
        await node.publish(Fixture.current(9, isFinal: true))
        try await eventually("29 ended") { screens.count { $0.all.last?.event == .end } >= 29 }
        try await eventually("the last one too") { screens.allSatisfy { $0.all.last?.event == .end } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("23: the end that an activity missed is repeated in the content state that it decodes")
    func theRepeatedEndHasTheStateOfItsActivity() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<2)
        let tokens = MemoryTokens(count: 1)
        tokens.add(1, variant: .portable)
        let refused = Mutex<Set<[UInt8]>>([])
        await apple.simulator.interfere { arrival in
            let isFirst = refused.withLock { $0.insert(arrival.recipient).inserted }
            return isFirst ? .answer(status: 413, reason: "PayloadTooLarge") : nil
        }
        let node = Node(try apple.configuration(), tokens: tokens)
        var publication = Fixture.current(9, isFinal: true)
        publication.otherStates = [Fixture.contentState(9, picture: 1)]
        await node.publish(publication)
        try await eventually("both ended") { screens.allSatisfy { $0.all.last?.event == .end } }
        var pictures: [Int64?] = []
        for screen in screens {
            let end = try JSONElement(parsing: try #require(screen.all.last).body, .strict)
            pictures.append(end["aps"]?["content-state"]?["picture"]?.integer)
        }
        #expect(pictures == [nil, 1], "the product's own state, and the portable one")
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("notifications and background pushes use the topic without a suffix")
    func notificationsUseTheTopicWithoutASuffix() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<2, kind: .alert)
        let node = Node(try apple.configuration())
        await node.dispatcher.notify([Fixture.recipient(0)], of: Fixture.match, Fixture.notification())
        await node.dispatcher.notify([Fixture.recipient(1)], of: Fixture.match, nil)
        try await eventually("both arrived") { screens.allSatisfy { $0.all.count == 1 } }
        #expect(screens[0].all[0].event == .alert)
        #expect(screens[1].all[0].event == .background)
        #expect(apple.simulator.statistics.refused.isEmpty)
        await node.stop()
        await apple.simulator.stop()
    }
}
