import ScoreTypes
import Testing

@Suite struct AlertWishTests {
    private func reach(_ moments: (kinds: UInt8, side: UInt8)...) -> AlertReach {
        moments.reduce(into: AlertReach()) { $0.add(kinds: $1.kinds, side: $1.side) }
    }

    @Test func aWishSelectsByKindAndSide() {
        let firstSidesWicket = reach((1, 1))
        #expect(firstSidesWicket.reaches(.all))
        #expect(!firstSidesWicket.reaches(.none))
        #expect(firstSidesWicket.reaches(AlertWish(kinds: 1, side: 1)))
        #expect(
            !firstSidesWicket.reaches(AlertWish(kinds: 1, side: 2)),
            "supporters of the other side do not receive it"
        )
        #expect(!firstSidesWicket.reaches(AlertWish(kinds: 14)), "all but wickets")
        let result = reach((4, 0))
        #expect(result.reaches(AlertWish(kinds: 4, side: 2)), "a moment without a side is for both")
    }

    @Test func oneWantedMomentSufficesWithItsKindAndSide() {
        let lastWicketAndEnd = reach((1, 2), (4, 0))
        #expect(lastWicketAndEnd.reaches(AlertWish(kinds: 1)))
        #expect(lastWicketAndEnd.reaches(AlertWish(kinds: 4, side: 1)))
        #expect(!lastWicketAndEnd.reaches(AlertWish(kinds: 1, side: 1)), "the end is not a wicket")
    }

    @Test func theDefaultReachesAllWithAnyAlert() {
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

    @Test func aDeviceWithoutFrequentPushesReceivesTheSameAlerts() {
        let wish = AlertWish(kinds: 1, side: 2, isInfrequent: true)
        #expect(wish.isInfrequent && wish.kinds == 1 && wish.side == 2)
        #expect(reach((1, 2)).reaches(wish) && !reach((2, 2)).reaches(wish))
        #expect(!AlertWish.all.isInfrequent)
    }
}
