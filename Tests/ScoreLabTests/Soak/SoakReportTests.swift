// A soak fails for growth, for screens that went back, and for a server that stopped working, and names each fault.

import ScoreTypes
import Testing

@testable import ScoreLab

@Suite struct SoakReportTests {
    /// Samples of ten minutes.
    private static func samples(
        grown bytes: Double = 0,
        descriptors: Double = 0,
        work: (Int) -> SoakWork = SoakReportTests.steady
    ) -> [ServerSamples.Sample] {
        (0...300).map { number in
            let part = Double(number) / 200
            return ServerSamples.Sample(
                at: .seconds(2 * number),
                residentBytes: 100_000_000 + Int(bytes * part),
                descriptors: 50 + Int((descriptors * part).rounded()),
                work: work(number)
            )
        }
    }

    private static func steady(_ number: Int) -> SoakWork {
        SoakWork(pushes: 9 * number, streamStates: 3 * number, registrations: number, revisions: 2 * number)
    }

    private static func report(
        _ samples: [ServerSamples.Sample] = SoakReportTests.samples(),
        isSameProcess: Bool = true,
        pushes: Int = 1,
        _ change: (inout SoakCounts.Values) -> Void = { _ in }
    ) -> SoakReport {
        var counts = SoakCounts.Values()
        counts.rounds = 1
        change(&counts)
        return SoakReport(samples: samples, counts: counts, pushes: (pushes, 0), isSameProcess: isSameProcess)
    }

    @Test func aSoakIsJudgedByMemoryDescriptorsAndScreens() {
        let limit = LabLimits.soakGrowth
        #expect(Self.report().faults.isEmpty)
        #expect(Self.report { $0.rounds = 0 }.faults == ["no round was finished"])
        #expect(Self.report(Self.samples(grown: limit.bytes * 0.9, descriptors: limit.descriptors - 1)).isFlat)
        #expect(!Self.report(Self.samples(grown: limit.bytes * 1.1)).isFlat)
        #expect(!Self.report(Self.samples(descriptors: limit.descriptors + 2)).isFlat)
        #expect(Self.report { $0.wentBack = 1 }.faults == ["1 older states after newer ones"])
        #expect(Self.report { $0.undecodable = 1 }.faults == ["1 pushes did not decode"])
        #expect(Self.report(pushes: 0).faults == ["no push was accepted"])
        #expect(Self.report(isSameProcess: false).faults.count == 1)
        #expect(!Self.report([]).isFlat)
    }

    @Test func refusedStreamsAreNoWork() {
        #expect(Self.report { ($0.streams, $0.refusedStreams) = (100, 50) }.isFlat)
        #expect(Self.report { ($0.streams, $0.refusedStreams) = (100, 51) }.faults == ["51 short streams were refused"])
    }

    @Test func aServerThatStopsWorkingIsNotFlat() {
        let stopped = Self.samples { Self.steady(min($0, 200)) }
        #expect(Self.report(stopped).faults == SoakWork.kinds.map { "no \($0.name) in part 4 of 4" })
        let mute = Self.samples { number in
            var work = Self.steady(number)
            work.pushes = number <= 150 ? 9 * number : 9 * max(150, number - 75)
            return work
        }
        #expect(Self.report(mute).faults == ["no pushes in part 3 of 4"])
        #expect(Self.report(Self.samples { _ in SoakWork() }).faults.count == 4 * SoakWork.kinds.count)
    }

    @Test func theWorkOfAllPartsIsThatOfTheRun() {
        let parts = SoakWork.parts((0...8).map { (.seconds($0), Self.steady($0)) }, count: 4)
        #expect(parts == Array(repeating: Self.steady(2), count: 4))
        #expect(SoakWork.parts([], count: 4) == Array(repeating: SoakWork(), count: 4))
    }
}
