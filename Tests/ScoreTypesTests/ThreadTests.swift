import ScoreTypes
import Synchronization
import Testing

@Suite struct ThreadTests {
    @Test func aFullMailboxRefusesAndKeepsItsOrder() {
        let mailbox = Mailbox<Int>(limit: 2)
        #expect(mailbox.post(1))
        #expect(mailbox.post(2))
        #expect(!mailbox.post(3))
        #expect(mailbox.drain() == [1, 2])
        #expect(mailbox.post(4))
        #expect(mailbox.drain() == [4])
    }

    @Test func anActorOnItsThreadRunsInOrder() async {
        let counter = Counter()
        await withTaskGroup(of: Void.self) { group in
            for _ in 0..<100 { group.addTask { await counter.increment() } }
        }
        #expect(await counter.value == 100)
        counter.stop()
    }

    private actor Counter {
        private let executor = ThreadExecutor(name: "counter")
        private(set) var value = 0
        nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }
        func increment() { value += 1 }
        nonisolated func stop() { executor.stop() }
    }
}

@Suite struct ServiceClockTests {
    @Test func domainTimeIsScaledWithRealMinima() {
        let time = Mutex(Duration.zero)
        let clock = ServiceClock(speed: 100, monotonic: { time.withLock { $0 } }, wall: { Instant(milliseconds: 5) })
        time.withLock { $0 = .seconds(2) }
        #expect(clock.domain == .seconds(200))
        #expect(clock.real(.seconds(100)) == .seconds(1))
        #expect(clock.real(.seconds(10), .failover) == .milliseconds(300))
        #expect(clock.real(.milliseconds(20), .failover) == .milliseconds(20), "a short wait is not prolonged")
        #expect(ServiceClock(speed: -1).speed == 1)
    }
}
