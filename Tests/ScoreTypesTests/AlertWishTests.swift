import ScoreTypes
import Testing

@Suite struct AlertWishTests {
    private func reach(_ moments: (kinds: UInt8, side: UInt8)...) -> AlertReach {
        moments.reduce(into: AlertReach()) { $0.add(kinds: $1.kinds, side: $1.side) }
    }

    @Test func aWishIsHeldAgainstKindAndSide() {
        let firstSidesWicket = reach((1, 1))
        #expect(firstSidesWicket.reaches(.all))
        #expect(!firstSidesWicket.reaches(.none))
        #expect(firstSidesWicket.reaches(AlertWish(kinds: 1, side: 1)))
        #expect(!firstSidesWicket.reaches(AlertWish(kinds: 1, side: 2)), "the other side's supporters are spared")
        #expect(!firstSidesWicket.reaches(AlertWish(kinds: 14)), "all but wickets")
        let result = reach((4, 0))
        #expect(result.reaches(AlertWish(kinds: 4, side: 2)), "what has no side is for both")
    }

    @Test func oneWantedMomentOfSeveralIsEnoughButKindAndSideBelongTogether() {
        let lastWicketAndEnd = reach((1, 2), (4, 0))
        #expect(lastWicketAndEnd.reaches(AlertWish(kinds: 1)))
        #expect(lastWicketAndEnd.reaches(AlertWish(kinds: 4, side: 1)))
        #expect(!lastWicketAndEnd.reaches(AlertWish(kinds: 1, side: 1)), "the end is nobody's wicket")
    }

    @Test func everybodyIsEverybodyWhoWantsToBeToldAtAll() {
        #expect(AlertReach().isEmpty && !AlertReach.everybody.isEmpty)
        for kinds in 1...15 as ClosedRange<UInt8> {
            for side in 0...2 as ClosedRange<UInt8> {
                #expect(AlertReach.everybody.reaches(AlertWish(kinds: kinds, side: side)))
            }
        }
        #expect(!AlertReach.everybody.reaches(.none))
    }

    @Test func higherBitsAreDropped() {
        #expect(AlertWish(kinds: 0xFF, side: 7).rawValue == 0x3F)
    }
}
