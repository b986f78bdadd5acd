// The states of a circuit breaker, and the refill of a token bucket.

import ScoreTypes
import Testing

@Suite struct CircuitBreakerTests {
    private static func breaker(isWindowSliding: Bool = true) -> CircuitBreaker {
        CircuitBreaker(
            CircuitBreaker.Rules(
                failuresInARowMax: 5,
                window: 20,
                windowFailuresMax: 10,
                isWindowSliding: isWindowSliding,
                successesNeeded: 3
            )
        )
    }

    /// Records outcomes of one kind; returns whether the last of them opened the breaker.
    @discardableResult
    private func record(
        _ evidence: CircuitBreaker.Evidence,
        _ breaker: inout CircuitBreaker,
        times: Int = 1,
        now: Duration = .zero
    ) -> Bool {
        var hasOpened = false
        for _ in 0..<times { hasOpened = breaker.record(evidence, now: now, reopensAfter: .seconds(10)) }
        return hasOpened
    }

    @Test func theBreakerOpensAfterFailuresInARow() {
        var breaker = Self.breaker()
        record(.failure, &breaker, times: 4)
        #expect(breaker.admit(now: .zero, patience: .seconds(1)) == .granted)
        #expect(record(.failure, &breaker))
        #expect(breaker.admit(now: .seconds(4), patience: .seconds(1)) == .refused(wait: .seconds(6)))
        #expect(breaker.gauge == 2)
    }

    @Test func theBreakerOpensAtAHighRateOfFailures() {
        var breaker = Self.breaker()
        for _ in 0..<9 {
            record(.failure, &breaker)
            record(.success, &breaker)
        }
        #expect(breaker.gauge == 0)
        record(.failure, &breaker)
        #expect(breaker.gauge == 2)
    }

    @Test func aSlidingWindowCountsTheNewestRequestsAndATumblingOneRestarts() {
        var (sliding, tumbling) = (Self.breaker(), Self.breaker(isWindowSliding: false))
        for _ in 0..<2 {
            for (evidence, times) in [(CircuitBreaker.Evidence.success, 15), (.failureInWindow, 5)] {
                record(evidence, &sliding, times: times)
                record(evidence, &tumbling, times: times)
            }
        }
        #expect(sliding.gauge == 0 && tumbling.gauge == 0)
        record(.failureInWindow, &sliding, times: 5)
        record(.failureInWindow, &tumbling, times: 5)
        #expect(sliding.gauge == 2 && tumbling.gauge == 0)
        #expect(record(.failureInWindow, &tumbling, times: 5))
    }

    @Test func kindsOfFailuresAreCountedSeparately() {
        var breaker = Self.breaker()
        for _ in 0..<20 {
            record(.failureInARow, &breaker, times: 4)
            record(.success, &breaker)
        }
        record(.failureInWindow, &breaker, times: 9)
        #expect(breaker.gauge == 0)
        record(.failureInARow, &breaker, times: 4)
        record(.success, &breaker)
        #expect(breaker.gauge == 0)
        #expect(record(.failureInARow, &breaker, times: 5))
    }

    @Test func anOpenBreakerProbesOneByOneAndCloses() {
        var breaker = Self.breaker()
        record(.failure, &breaker, times: 5)
        for success in 1...3 {
            #expect(breaker.admit(now: .seconds(10), patience: .seconds(1)) == .granted)
            #expect(breaker.gauge == 1)
            #expect(breaker.admit(now: .seconds(10), patience: .seconds(1)) == .refused(wait: .seconds(1)))
            record(.success, &breaker, now: .seconds(10))
            #expect(breaker.gauge == (success == 3 ? 0 : 1))
        }
        // Failures from before it opened are forgotten.
        record(.failure, &breaker, times: 4)
        #expect(breaker.gauge == 0)
    }

    @Test func aFailedProbeReopensTheBreaker() {
        var breaker = Self.breaker()
        record(.failure, &breaker, times: 5)
        #expect(breaker.admit(now: .seconds(10), patience: .seconds(1)) == .granted)
        record(.failure, &breaker, now: .seconds(11))
        #expect(breaker.admit(now: .seconds(12), patience: .seconds(1)) == .refused(wait: .seconds(9)))
    }

    @Test func anAbandonedProbeIsReturned() {
        var breaker = Self.breaker()
        record(.failure, &breaker, times: 5)
        #expect(breaker.admit(now: .seconds(10), patience: .seconds(1)) == .granted)
        breaker.abandon()
        #expect(breaker.admit(now: .seconds(10), patience: .seconds(1)) == .granted)
    }

    @Test func outcomesOfEarlierRequestsAreIgnored() {
        var breaker = Self.breaker()
        record(.failure, &breaker, times: 5)
        #expect(record(.success, &breaker, times: 9) == false)
        #expect(record(.failure, &breaker, times: 9) == false)
        #expect(breaker.state == .open(until: .seconds(10)))
    }
}

@Suite struct TokenBucketTests {
    @Test func aBucketFillsEvenlyUpToItsCapacity() {
        var bucket = TokenBucket(level: 2, now: .zero)
        let times: [Duration] = [.zero, .zero, .zero, .seconds(4), .seconds(5), .seconds(3), .seconds(500)]
        let waits = times.map { now in
            bucket.fill(perSecond: 0.2, upTo: 2, now: now)
            let wait = bucket.wait(for: 1, perSecond: 0.2)
            if wait == nil { bucket.take(1) }
            return wait
        }
        #expect(waits == [nil, nil, .seconds(5), .seconds(1), nil, .seconds(5), nil])
        #expect(bucket.level == 1)
    }
}
