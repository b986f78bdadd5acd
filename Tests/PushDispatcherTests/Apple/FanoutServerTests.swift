// From publication to phones: newest state, once, in order, fair, bounded, recorded.

import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct FanoutServerTests {
    @Test("17: after a stall each phone receives at most two states, the last of them the newest")
    func aStallIsFollowedByTheNewestState() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<60)
        // Waiting requests; nil while none has to wait.
        let stalled = Mutex<Int?>(nil)
        // Long beside twenty publications on a busy machine, shorter than a request's deadline of eight seconds.
        await apple.simulator.interfere { _ in
            stalled.withLock { count in
                count = count.map { $0 + 1 }
                return count == nil ? nil : .delay(.seconds(6))
            }
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 60))
        await node.publish(Fixture.current(1, cause: .correction))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        stalled.withLock { $0 = 0 }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("all wait for an answer") { stalled.withLock { $0 } == 60 }
        for revision in 3...20 as ClosedRange<Int64> {
            await node.publish(Fixture.current(revision, cause: .correction))
        }
        stalled.withLock { $0 = nil }
        try await eventually("all phones show 20") { screens.allSatisfy { $0.newest == 20 } }
        #expect(screens.allSatisfy { $0.all.map(\.revision) == [1, 2, 20] })
        let match = try #require(await node.dispatcher.status().matches.first)
        #expect(match.revision == 20)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("18: no phone shows an older state after a newer one, and timestamps grow")
    func noPhoneShowsAnOlderState() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<300)
        await apple.simulator.interfere { arrival in
            arrival.number % 7 == 0 ? .delay(.milliseconds(Int(arrival.number % 40))) : nil
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 300))
        for revision in 1...12 as ClosedRange<Int64> {
            await node.publish(Fixture.current(revision, alert: revision == 6 ? "w6" : nil, cause: .correction))
        }
        try await eventually("all phones show 12") { screens.allSatisfy { $0.newest == 12 } }
        for screen in screens {
            // An alert does not wait for answers, so an older state may arrive after it: the phone ignores that.
            let shown = screen.shown
            #expect(zip(shown, shown.dropFirst()).allSatisfy(<), "phone \(screen.number) showed \(shown)")
            #expect(shown.last == 12)
            // Strictly, since a phone ignores a second push of the same second.
            let sent = screen.all.sorted { ($0.revision ?? 0) < ($1.revision ?? 0) }.map(\.timestamp)
            #expect(zip(sent, sent.dropFirst()).allSatisfy(<), "phone \(screen.number) was sent \(sent)")
            #expect(sent.allSatisfy { $0 <= ServiceClock().wall.seconds }, "never in the future")
            #expect(screen.alerts <= 1)
        }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("19: an unchanged state is not sent, a confirmation and a keep-alive are")
    func anUnchangedStateIsNotSent() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<10)
        // At the default speed the test would have 0.3 s before an equal state is sent again; here it has 30 s.
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 10), speed: 10)
        await node.publish(Fixture.current(1, state: 7))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        await node.publish(Fixture.current(2, state: 7))
        try await eventually("2 is dropped") { await node.dispatcher.status().matches.first?.unchanged == 1 }
        await node.publish(Fixture.current(3, state: 7, cause: .keepAlive))
        try await eventually("all phones show 3") { screens.allSatisfy { $0.newest == 3 } }
        #expect(screens.allSatisfy { $0.all.map(\.revision) == [1, 3] })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("a fan-out does not read the wall clock for each accepted push")
    func acceptedPushesDoNotReadTheClock() async throws {
        let apple = try await AppleSide()
        _ = apple.phones(0..<2000)
        let system = ServiceClock()
        let reads = Mutex(0)
        let clock = ServiceClock(monotonic: { system.monotonic }) {
            reads.withLock { $0 += 1 }
            return system.wall
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 2000), clock: clock)
        await node.publish(Fixture.current(1))
        try await eventually("all pushes are accepted") { await node.environment?.accepted == 2000 }
        // Samples of the delay and records of progress read it, fewer than 200 times.
        #expect(reads.withLock { $0 } < 1000)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A14, 20: a body that is too large is not sent, and the next state is")
    func aTooLargeBodyIsNotSent() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<10)
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 10))
        var large = Fixture.current(1)
        large.contentState = Array("{\"v\":1,\"rev\":1,\"x\":\"\(String(repeating: "é", count: 2100))\"}".utf8)
        await node.publish(large, Fixture.current(2, cause: .correction))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        #expect(apple.simulator.statistics.refused.isEmpty)
        #expect(apple.simulator.statistics.accepted == 10)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A17, 24: a small match does not wait for a large one, nor an alert for ordinary updates")
    func aSmallMatchDoesNotWaitForALargeOne() async throws {
        let apple = try await AppleSide()
        let small = MatchID(unchecked: "small")
        let tokens = MatchTokens(small: small)
        for number in 0..<6000 { tokens.final.add(number) }
        for number in 6000..<6010 { tokens.smallMatch.add(number) }
        let crowd = apple.phones(0..<6000)
        let smallMatch = apple.phones(6000..<6010)
        // Slow answers: the large match needs several rounds of all streams, however fast the machine.
        let smallAudience = Set((6000..<6010).map { Fixture.token($0).bytes })
        await apple.simulator.interfere { smallAudience.contains($0.recipient) ? nil : .delay(.milliseconds(1500)) }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 0), source: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("the large one is under way") { crowd.contains { $0.newest == 1 } }
        await node.publish(Fixture.current(1, match: small, alert: "w1"))
        try await eventually("the small match shows 1") { smallMatch.allSatisfy { $0.newest == 1 } }
        let behind = crowd.count { $0.newest == nil }
        #expect(behind > 0)
        try await eventually("all phones show 1", within: .seconds(40)) { crowd.allSatisfy { $0.newest == 1 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("24: a wicket does not wait for five thousand notifications of another match")
    func alertsDoNotWaitBehindNotifications() async throws {
        let apple = try await AppleSide()
        let small = MatchID(unchecked: "small")
        let tokens = MatchTokens(small: small)
        for number in 6000..<6010 { tokens.smallMatch.add(number) }
        let crowd = apple.phones(0..<5000, kind: .alert)
        let smallMatch = apple.phones(6000..<6010)
        let smallAudience = Set((6000..<6010).map { Fixture.token($0).bytes })
        await apple.simulator.interfere { smallAudience.contains($0.recipient) ? nil : .delay(.milliseconds(1500)) }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 0), source: tokens, speed: 1)
        let recipients = (0..<5000).map(Fixture.recipient)
        await node.dispatcher.notify(recipients, of: Fixture.match, Fixture.notification())
        try await eventually("they are under way") { crowd.contains { !$0.all.isEmpty } }
        await node.publish(Fixture.current(1, match: small, alert: "w1"))
        try await eventually("the small match has the alert") { smallMatch.allSatisfy { $0.alerts == 1 } }
        #expect(crowd.contains { $0.all.isEmpty }, "the other notifications are still being sent")
        try await eventually("all receive it", within: .seconds(40)) { crowd.allSatisfy { $0.all.count == 1 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("progress follows the answers and never precedes them")
    func progressFollowsTheAnswers() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<5)
        let isHeld = Mutex(true)
        await apple.simulator.interfere { arrival in
            arrival.recipient == Fixture.token(3).bytes && isHeld.withLock { $0 } ? .silence : nil
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 5))
        await node.publish(Fixture.current(1))
        let late = Bucket(of: Fixture.device(3))
        try await eventually("the other buckets are recorded") { node.progress.count(atLeast: 1) == Bucket.count - 1 }
        #expect(node.progress.state.withLock { $0.sent[Fixture.match]?[late] } == nil)
        isHeld.withLock { $0 = false }
        try await eventually("the last bucket follows", within: .seconds(40)) {
            node.progress.count(atLeast: 1) == Bucket.count
        }
        try await eventually("the last phone shows it", within: .seconds(60)) { screens[3].newest == 1 }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("a: progress that could not be recorded is recorded later")
    func unrecordedProgressIsRecordedLater() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<50)
        let progress = MemoryProgress()
        progress.state.withLock { $0.failuresLeft = 3 }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 50), progress: progress)
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        try await eventually("all is recorded") { progress.count(atLeast: 1) == Bucket.count }
        #expect(progress.state.withLock { $0.failuresLeft } == 0)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("c: sends stop at the bound while nothing can be recorded, and continue afterwards")
    func sendsStopAtTheUnrecordedBound() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<6000)
        let progress = MemoryProgress()
        progress.state.withLock { $0.isBlocked = true }
        var configuration = try apple.configuration()
        configuration.unrecordedSendsMax = 300
        let node = Node(configuration, tokens: MemoryTokens(count: 6000), progress: progress)
        await node.publish(Fixture.current(1))
        var (before, looks) = (0, 0)
        try await eventually("the sends come to rest") {
            let now = apple.simulator.statistics.accepted
            looks = now >= 300 && now == before ? looks + 1 : 0
            before = now
            return looks >= 100
        }
        // Open requests at the bound still arrive: two connections of 800 streams.
        #expect(apple.simulator.statistics.accepted < 300 + 1600 + 100)
        progress.unblock()
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("H3, d: a node without a valid term sends nothing")
    func aNodeWithoutATermSendsNothing() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<50)
        let isTrusted = Mutex(false)
        let requested = Mutex(0)
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 50)) {
            requested.withLock { $0 += 1 }
            return isTrusted.withLock { $0 }
        }
        await node.publish(Fixture.current(1))
        try await eventually("the connection is up") { await node.environment?.gauges.connectionsOpen == 1 }
        let before = requested.withLock { $0 }
        try await eventually("it was requested repeatedly") { requested.withLock { $0 } >= before + 5 }
        #expect(apple.simulator.statistics.accepted == 0)
        isTrusted.withLock { $0 = true }
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("h: claimed buckets receive the state at once, without a new publication")
    func claimedBucketsReceiveTheStateAtOnce() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<200)
        let tokens = MemoryTokens(count: 200)
        tokens.state.withLock { $0.served = Set(Bucket.all.prefix(512)) }
        let node = Node(try apple.configuration(), tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("its half is recorded") { node.progress.count(atLeast: 1) == 512 }
        tokens.state.withLock { $0.served = Set(Bucket.all) }
        try await eventually("all phones show 1", within: .seconds(20)) { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.all.count == 1 })
        await node.stop()
        await apple.simulator.stop()
    }

    @Test func bucketsThatAreLostAndClaimedAgainAreServed() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<200)
        let tokens = MemoryTokens(count: 200)
        let node = Node(try apple.configuration(), tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        for served in [Set(Bucket.all.prefix(512)), Set(Bucket.all)] {
            tokens.state.withLock { $0.served = served }
            await node.dispatcher.bucketsChanged(of: Fixture.match)
        }
        await node.publish(Fixture.current(2))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("H1, H2, 25: a successor continues after a crash, and repeats no more than the bound")
    func aSuccessorContinuesAfterACrash() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<3000)
        await apple.simulator.interfere { _ in .delay(.milliseconds(10)) }
        let (progress, shared) = (MemoryProgress(), MemoryProviderTokens())
        let tokens = MemoryTokens(count: 3000)
        var configuration = try apple.configuration()
        configuration.unrecordedSendsMax = 200
        let isAlive = Mutex(true)
        let first = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared) {
            isAlive.withLock { $0 }
        }
        await first.publish(Fixture.current(1, alert: "w1"))
        try await eventually("it is half done") { screens.count { $0.newest == 1 } > 1000 }
        // A crash: nothing is sent and nothing recorded from here on.
        isAlive.withLock { $0 = false }
        progress.state.withLock { $0.isFenced = true }
        await first.stop()
        progress.state.withLock { $0.isFenced = false }
        let second = Node(configuration, tokens: tokens, progress: progress, providerTokens: shared)
        await second.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        let twice = screens.count { $0.alerts > 1 }
        // Open requests at the crash, and unrecorded sends since the last flush.
        #expect(twice < 200 + 1600)
        #expect(screens.allSatisfy { $0.alerts >= 1 })
        #expect(second.progress.count(atLeast: 1) > 0)
        await second.stop()
        await apple.simulator.stop()
    }
}
