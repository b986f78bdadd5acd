// The card names the batters before their first ball, so a new batter is shown at once.

import MatchEngine
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = EntitySportSample

@Suite struct EntitySportCreaseTests {
    private static let balls = [
        Sample.ball(1, batter: 11, score: "1"), Sample.ball(2, batter: 12, score: #""w""#, out: true),
    ]
    private static let before = Sample.innings("1/0 (0.1 ov)", [Sample.row(11, 1, 1), Sample.row(12, 0, 0)])

    private static func card(_ striker: String, _ other: String) -> String {
        let rows = [
            Sample.row(11, 1, 1, position: other), Sample.row(12, 0, 1, out: "b Ex"),
            Sample.row(13, 0, 0, position: striker),
        ]
        return Sample.innings("1/1 (0.2 ov)", rows)
    }

    @Test("a new batter is at the crease after a wicket, before facing a ball")
    func aNewBatterIsAtTheCrease() throws {
        let snapshot = try Sample.snapshot(card: Self.card("striker", "non-striker"), balls: Self.balls)
        #expect(snapshot.innings[0].crease?.striker?.id == "13")
        #expect(snapshot.innings[0].crease?.nonStriker?.id == "11")
        let innings = try #require(snapshot.replica.state.innings.first)
        #expect(innings.atCrease.map { innings.batters[$0].player.id } == ["11", "13"])
        #expect(innings.onStrike.map { innings.batters[$0].player.id } == "13")
        #expect(!innings.isStrikeInferred)
    }

    @Test("a card with another score than the balls places no batter")
    func aCardWithAnotherScorePlacesNoBatter() throws {
        let snapshot = try Sample.snapshot(
            card: Self.card("striker", "non-striker"),
            commentaryInnings: Self.before,
            balls: Array(Self.balls.prefix(1))
        )
        #expect(snapshot.innings[0].crease == nil)
    }

    @Test("without marks, with two strikers, and after the innings no batter is placed")
    func ambiguousMarksPlaceNoBatter() throws {
        #expect(try Sample.snapshot(card: Self.card("", ""), balls: Self.balls).innings[0].crease == nil)
        let twice = Self.card("striker", "striker")
        #expect(try Sample.snapshot(card: twice, balls: Self.balls).innings[0].crease == nil)
        let rows = [Sample.row(11, 1, 1, position: "striker"), Sample.row(12, 0, 1, out: "b Ex")]
        let over = Sample.innings("1/1 (0.2 ov)", rows, status: 2)
        #expect(try Sample.snapshot(card: over, balls: Self.balls).innings[0].crease == nil)
    }
}
