// The pace of reloads: the first at once, then every quarter of an hour, sooner after a moment, none without change.

import LiveSurface
import ScoreTypes
import Testing

@testable import LiveActivities

@Suite struct WidgetPacingTests {
    private static let (final, other) = (MatchID(unchecked: "final"), MatchID(unchecked: "other"))

    private var pacing = WidgetPacing()

    private mutating func note(
        _ revision: Int64,
        _ title: String,
        of match: MatchID = final,
        moment: Bool = false,
        isFinal: Bool = false
    ) throws {
        let slice = try SurfaceSnapshot.Widget(title: title, body: "", progress: 0, deepLink: "score://match/1")
        pacing.note(
            WidgetChange(
                match: match,
                revision: try #require(Revision("Abcd1234.\(revision)")),
                content: .init(state: .active, slice: .widget(slice)),
                hasMoment: moment,
                isFinal: isFinal
            )
        )
    }

    /// The reloads that begin at a second.
    private mutating func begin(_ second: Int64) -> [Int64] {
        pacing.begin(at: .seconds(second)).map(\.revision.number)
    }

    @Test mutating func changesWithinTheSpacingAreOneReload() throws {
        try note(1, "MI 1/0")
        #expect(begin(10) == [1])
        for revision in 2...90 as ClosedRange<Int64> { try note(revision, "MI \(revision)/0") }
        #expect(begin(909).isEmpty)
        #expect(begin(910) == [90])
        #expect(begin(5_000).isEmpty, "nothing has changed")
    }

    @Test mutating func aMomentWaitsAThirdOfThat() throws {
        try note(1, "MI 1/0")
        #expect(begin(0) == [1])
        try note(2, "MI 1/1", moment: true)
        try note(3, "MI 2/1")
        #expect(begin(299).isEmpty)
        #expect(begin(300) == [3])
        try note(4, "MI 3/1")
        #expect(begin(1_199).isEmpty)
        #expect(begin(1_200) == [4])
    }

    @Test mutating func aStateThatNoWidgetShowsReloadsNone() throws {
        try note(1, "MI 1/0")
        #expect(begin(0) == [1])
        try note(2, "MI 1/0")
        #expect(begin(10_000).isEmpty)
        // A wicket that is withdrawn before its reload.
        try note(3, "MI 1/1", moment: true)
        try note(4, "MI 1/0")
        #expect(begin(20_000).isEmpty)
        // A confirmation of a wicket that the widgets show.
        try note(5, "MI 1/1")
        #expect(begin(20_000) == [5])
        try note(6, "MI 1/1", moment: true)
        try note(7, "MI 2/1")
        #expect(begin(20_300).isEmpty, "the moment was shown")
        try note(6, "MI 1/1", moment: true)
        #expect(begin(20_900) == [7], "an older publication changes nothing")
    }

    @Test mutating func followersOfTwoMatchesAreReloadedOnce() throws {
        try note(1, "MI 1/0")
        #expect(pacing.begin(at: .zero).map(\.recent) == [[]])
        try note(1, "IND 1/0", of: Self.other)
        #expect(pacing.begin(at: .seconds(299)).map(\.recent) == [[Self.final]])
        try note(2, "IND 2/0", of: Self.other, moment: true)
        #expect(pacing.begin(at: .seconds(599)).map(\.recent) == [[]])
        try note(2, "MI 2/0", isFinal: true)
        #expect(pacing.begin(at: .seconds(900)).map(\.recent) == [[]], "no later reload would show a result")
    }

    @Test mutating func aReloadThatFailedIsRepeatedAfterTheSameTime() throws {
        try note(1, "MI 1/0", moment: true)
        let reload = try #require(pacing.begin(at: .zero).first)
        pacing.failed(reload)
        #expect(begin(299).isEmpty)
        #expect(begin(300) == [1])
    }

    @Test mutating func theNumberOfMatchesIsBounded() throws {
        pacing = WidgetPacing(matchesMax: 3)
        for number in 0...3 {
            try note(1, "MI 1/0", of: MatchID(unchecked: "m\(number)"))
            #expect(begin(Int64(number)).count == 1)
        }
        try note(2, "MI 2/0", of: MatchID(unchecked: "m0"))
        #expect(begin(3) == [2], "the first match was forgotten")
    }
}
