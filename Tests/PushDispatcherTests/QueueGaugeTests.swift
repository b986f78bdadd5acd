// The waiting requests are counted by class while they come, go, wait for another try, and are withdrawn.

import HTTP2
import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct QueueGaugeTests {
    private static func push(_ ticket: UInt64, _ kind: PayloadKind, queuedAt: Duration = .zero) -> DirectedPush {
        let match = MatchID(unchecked: "m\(ticket % 3)")
        var push = DirectedPush(
            ticket: ticket,
            kind: kind,
            match: match,
            target: .device(Fixture.device(Int(ticket)), generation: 1, token: Fixture.token(Int(ticket))),
            body: BodyBytes([]),
            priority: .five,
            expiration: 0,
            seed: RequestSeed(match: match, revision: 1, kind: kind, key: []),
            whenAmbiguous: .repeat,
            repeatsWhenFailed: true
        )
        push.queuedAt = queuedAt
        return push
    }

    @Test func theCountsByClassFollowEveryChange() {
        var chance = SplitMix64(seed: 7)
        var queue = DirectedQueue()
        var (now, ticket): (Duration, UInt64) = (.zero, 0)
        var waiting: [UInt64: PayloadKind] = [:]
        for _ in 0..<5_000 {
            now += .milliseconds(10)
            switch chance.next() % 5 {
            case 0, 1:
                ticket += 1
                let kind = PayloadKind.allCases[Int(ticket) % PayloadKind.allCases.count]
                let isTaken = queue.append(Self.push(ticket, kind, queuedAt: now))
                #expect(isTaken)
                waiting[ticket] = kind
            case 2:
                ticket += 1
                let isTaken = queue.delay(Self.push(ticket, .alert, queuedAt: now), until: now + .milliseconds(50))
                #expect(isTaken)
                waiting[ticket] = .alert
            case 3:
                if let push = queue.next(at: now) { waiting[push.ticket] = nil }
            default:
                for push in queue.removeAll(where: { $0.ticket % 11 == 0 }) { waiting[push.ticket] = nil }
            }
            let gauge = queue.gauge(at: now)
            for kind in PayloadKind.allCases where gauge.waiting(kind) != waiting.values.count(where: { $0 == kind }) {
                Issue.record("\(kind): \(gauge.waiting(kind))")
            }
            let count = queue.count
            #expect(gauge.waiting == count)
        }
    }

    @Test func theOldestIsTheFirstOfAMatch() {
        var queue = DirectedQueue()
        #expect(queue.gauge(at: .seconds(9)).oldest == nil)
        _ = queue.append(Self.push(1, .alert, queuedAt: .seconds(3)))
        _ = queue.append(Self.push(2, .alert, queuedAt: .seconds(5)))
        _ = queue.delay(Self.push(3, .alert, queuedAt: .zero), until: .seconds(60))
        let gauge = queue.gauge(at: .seconds(9))
        #expect(gauge.oldest == .seconds(6) && gauge.retrying == 1 && gauge.waiting == 3)
        var sum = QueueGauge()
        sum += gauge
        sum += QueueGauge(oldest: .seconds(8))
        #expect(sum.waiting(.alert) == 3 && sum.oldest == .seconds(8))
    }

    @Test func quantilesAreThoseOfTheNewestSamples() {
        var trips = RoundTrips()
        #expect(trips.quantiles([0.5]).isEmpty)
        trips.add(Array(repeating: .seconds(1), count: PushLimits.roundTrips))
        trips.add((1...100).map { .milliseconds($0) })
        #expect(trips.count == PushLimits.roundTrips && trips.quantiles([1]) == [.seconds(1)])
        for _ in 0..<11 { trips.add((1...100).map { .milliseconds($0) }) }
        #expect(trips.count == PushLimits.roundTrips)
        let quantiles = trips.quantiles([0, 0.5, 0.99, 1])
        #expect(quantiles.first == .milliseconds(1) && quantiles.last == .milliseconds(100))
        #expect((.milliseconds(48) ... .milliseconds(52)).contains(quantiles[1]))
    }
}
