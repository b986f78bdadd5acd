// A lane opens more connections when streams, and not its thread, limit its rate.

import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite
struct PoolGrowthTests {
    /// Samples of a lane at its ticks.
    private struct Lane {
        var growth: PoolGrowth
        var now = Duration.zero
        var asleep = Duration.zero
        var answers = 0
        /// Time from a request to its answer.
        var roundTrip = Duration.milliseconds(60)

        init(fewest: Int = 2, most: Int = 32) { growth = PoolGrowth(fewest: fewest, most: most) }

        /// Runs for a time; while it is short, all streams of the open connections are in use.
        mutating func run(_ time: Duration, short isShort: Bool, working: Double, open: Int? = nil) {
            for _ in 0..<Int(time / PushLimits.laneTick) {
                let streams = 800 * (open ?? growth.wanted)
                now += PushLimits.laneTick
                asleep += PushLimits.laneTick * (1 - working)
                answers += isShort ? Int(Double(streams) * (PushLimits.laneTick / roundTrip)) : 0
                growth.record(
                    PoolGrowth.Sample(
                        now: now,
                        asleep: asleep,
                        isShort: isShort,
                        answers: answers,
                        streamsInUse: isShort ? streams : 0,
                        open: open ?? growth.wanted
                    )
                )
            }
        }
    }

    @Test("a thread that works an eighth of its time gets eight times the connections, doubled at a time")
    func itGrowsUntilTheThreadWorks() {
        var lane = Lane()
        lane.run(.milliseconds(250), short: true, working: 0.125)
        #expect(lane.growth.wanted == 4)
        lane.run(.milliseconds(200), short: true, working: 0.25)
        #expect(lane.growth.wanted == 8)
        lane.run(.milliseconds(200), short: true, working: 0.5)
        #expect(lane.growth.wanted == 16)
        lane.run(.seconds(20), short: true, working: 0.95)
        #expect(lane.growth.wanted == 16)
    }

    @Test("no connection is added for a thread without a pause, a short burst, or a slow APNs")
    func itStaysWhereStreamsAreNotTheLimit() {
        var busy = Lane()
        busy.run(.seconds(20), short: true, working: 1)
        #expect(busy.growth.wanted == 2)
        var bursts = Lane()
        for _ in 0..<100 {
            bursts.run(.milliseconds(150), short: true, working: 0.1)
            bursts.run(.milliseconds(50), short: false, working: 0.1)
        }
        #expect(bursts.growth.wanted == 2)
        var slow = Lane()
        slow.roundTrip = .seconds(2)
        slow.run(.seconds(20), short: true, working: 0.1)
        #expect(slow.growth.wanted == 2)
    }

    @Test("connections that are wanted and not open come before further ones, and the bound holds")
    func itWaitsForItsConnections() {
        var lane = Lane()
        lane.run(.seconds(20), short: true, working: 0.1, open: 1)
        #expect(lane.growth.wanted == 2)
        lane.run(.seconds(20), short: true, working: 0.01)
        #expect(lane.growth.wanted == 32)
        var fixed = Lane(fewest: 2, most: 1)
        fixed.run(.seconds(20), short: true, working: 0.1)
        #expect(fixed.growth.wanted == 2)
    }

    @Test("an hour without a shortage returns to the configured number")
    func itShrinks() {
        var lane = Lane()
        lane.run(.seconds(20), short: true, working: 0.1)
        #expect(lane.growth.wanted > 2)
        let grown = lane.growth.wanted
        lane.run(PushLimits.extraConnectionAge - .seconds(1), short: false, working: 0.1)
        #expect(lane.growth.wanted == grown)
        lane.run(.seconds(2), short: false, working: 0.1)
        #expect(lane.growth.wanted == 2)
    }
}
