// A figure that is worse with a greater audience is marked, and a fact is not.

import Testing

@testable import ScoreLab

@Suite struct AudienceFiguresTests {
    @Test func aFigureThatGrowsFasterThanTheAudienceIsMarked() {
        func size(_ rate: Double, _ time: Double, _ fact: Double) -> [AudienceFigure] {
            [
                AudienceFigure(key: "rate", title: "rate", value: rate, sense: .more),
                AudienceFigure(key: "time", title: "time", value: time, sense: .less),
                AudienceFigure(key: "fact", title: "fact", value: fact, sense: .fact),
            ]
        }
        let small = (devices: 1, figures: size(100, 10, 1))
        #expect(AudienceFigures(sizes: [small, (10, size(81, 11.9, 99))]).worse.isEmpty)
        #expect(AudienceFigures(sizes: [small, (10, size(79, 12.1, 99))]).worse == ["rate", "time"])
        #expect(AudienceFigures(sizes: [small, (10, size(300, 1, 99))]).worse.isEmpty)
        #expect(AudienceFigures(sizes: [small]).worse.isEmpty)
    }

    @Test func halfOfThePhonesFollowTheFinal() {
        let matches = AudienceRun.matches(200)
        #expect(matches.count == 398 && Set(matches).count == 200)
        #expect(matches.count { $0 == AudienceRun.final } == 199)
        #expect(AudienceRun.matches(1) == [AudienceRun.final])
    }
}
