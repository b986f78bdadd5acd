// The times of the benchmark of streams are those of what arrived, so that what did not arrive is a fault of its own.

import ScoreTypes
import Testing

@testable import ScoreLab

@Suite struct StreamFiguresTests {
    private static func figures(_ change: (inout StreamFigures) -> Void = { _ in }) -> StreamFigures {
        var figures = StreamFigures()
        figures.clients = 100
        figures.seconds = 60
        figures.balls = (58, 0)
        figures.stormSeconds = 3
        change(&figures)
        return figures
    }

    @Test func eachThingThatDidNotArriveIsAFault() {
        #expect(Self.figures().faults.isEmpty)
        #expect(Self.figures { $0.missed = 2 }.faults == ["2 readers without the last ball"])
        #expect(Self.figures { $0.balls.incomplete = 1 }.faults.count == 1)
        #expect(Self.figures { $0.balls.all = 29 }.faults == ["29 balls in 60 s"])
        #expect(Self.figures { $0.stormSeconds = nil }.faults.count == 1)
        #expect(Self.figures { $0.isLeaseLost = true }.faults.count == 1)
    }

    @Test func aStateThatFewReadersGotIsIncomplete() {
        var latency = StreamLatency()
        for revision in Int64(1)...4 { latency.commit(revision, at: .seconds(revision)) }
        func arrived(_ revision: Int64, _ count: Int) {
            latency.add([.init(revision: revision, count: count, last: .seconds(revision + 1))])
        }
        arrived(2, 9)
        arrived(3, 4)
        arrived(3, 4)
        #expect(latency.newest == 4)
        #expect(latency.untilLast(readers: 9).count == 1)
        func incomplete(through revision: Int64, readers: Int) -> [Int] {
            let states = latency.states(through: revision, readers: readers)
            return [states.all, states.incomplete]
        }
        #expect(incomplete(through: 3, readers: 9) == [3, 1], "the first state is not judged")
        #expect(incomplete(through: 4, readers: 9) == [4, 2])
        #expect(incomplete(through: 4, readers: 8) == [4, 1], "arrivals of two processes are added up")
        #expect(StreamLatency().states(through: 4, readers: 1).all == 0)
    }
}
