// Each text at its limit (PUBLICATION section 1): a fitting text stays whole, a longer one is shortened.

import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct TextLimitTests {
    private func letters(_ count: Int) -> String { String(repeating: "x", count: count) }

    /// A match that is over with this result.
    private func drawn(_ result: ProviderResult, first: TeamInfo? = nil) -> ContentState {
        var script = MatchScript.t20()
        if let first {
            var info = script.info
            info.teams[0] = first
            script = MatchScript(info)
        }
        script.begin(.first)
        script.bowl("1 4")
        script.status(result.kind == .noResult ? .noResult : .result)
        script.result(result)
        return script.drawn()
    }

    private func chase(_ method: String) -> ContentState {
        var script = Situation.chase()
        script.reframe { $0.target = Target(runs: 120, balls: 90, method: method) }
        return script.drawn()
    }

    /// A result in full within 24 characters, else the winner; a margin of an innings has its own form.
    @Test(
        arguments: [
            (ProviderResult(kind: .runs(100), winner: .first, method: "DLS"), "MI won by 100 runs (DLS)"),
            (ProviderResult(kind: .runs(100), winner: .second, method: "DLS"), "CSK won"),
            (ProviderResult(kind: .runs(1), winner: .second), "CSK won by 1 run"),
            (ProviderResult(kind: .wickets(10), winner: .second), "CSK won by 10 wickets"),
            (ProviderResult(kind: .wickets(1), winner: .first), "MI won by 1 wicket"),
            (ProviderResult(kind: .wickets(9), winner: .second, method: "DLS"), "CSK won"),
            (ProviderResult(kind: .innings(150), winner: .first), "won by inns & 150 runs"),
            (ProviderResult(kind: .innings(1), winner: .first), "won by inns & 1 run"),
            (ProviderResult(kind: .fewerWickets, winner: .first), "MI won"),
            (ProviderResult(kind: .awarded, winner: .second), "Match awarded to CSK"),
            (ProviderResult(kind: .awarded), "Match awarded"), (ProviderResult(kind: .tie), "Match tied"),
            (ProviderResult(kind: .tie, tieBreakWinner: .second), "CSK won"),
            (ProviderResult(kind: .noResult), "No result"), (ProviderResult(kind: .draw), "Match drawn"),
        ] as [(ProviderResult, String)]
    )
    func theSmallLineOfAResult(result: ProviderResult, line: String) {
        #expect(drawn(result).small.line == line)
    }

    /// The smallest presentation has seven characters: a side of four letters is alone there.
    @Test(arguments: [("MI", "MI won"), ("MUM", "MUM won"), ("MUMB", "MUMB")])
    func theMinimalTextOfAWin(abbreviation: String, text: String) {
        let team = TeamInfo(id: "1", name: "Mumbai Indians", abbreviation: abbreviation)
        #expect(drawn(ProviderResult(kind: .runs(5), winner: .first), first: team).minimal.text == text)
    }

    @Test(arguments: [
        (ProviderResult.Kind.draw, "drawn", "drawn"), (.tie, "tied", "tied"), (.noResult, "N/R", "no result"),
        (.awarded, "ended", "ended"),
    ])
    func aMatchWithoutAWinner(kind: ProviderResult.Kind, minimal: String, trailing: String) {
        let content = drawn(ProviderResult(kind: kind))
        #expect(content.minimal.text == minimal && content.compactTrailing.text == trailing)
        #expect(content.compactTrailing.overs == nil && content.compactTrailing.runRate == nil)
    }

    @Test func longWordsOfAResultAreCut() {
        let long = drawn(ProviderResult(kind: .runs(5), winner: .first, method: "Some very long method"))
        #expect(long.expanded.line == "MI won by 5 runs (Some very l…)" && long.small.line == "MI won")
        let team = TeamInfo(id: "1", name: letters(120), abbreviation: "MI")
        let named = drawn(ProviderResult(kind: .runs(5), winner: .first), first: team)
        #expect(named.lockScreen.line == letters(95) + "…" && named.expanded.line == "MI won by 5 runs")
        let fits = TeamInfo(id: "1", name: letters(82), abbreviation: "MI")
        let whole = drawn(ProviderResult(kind: .runs(5), winner: .first), first: fits)
        #expect(whole.lockScreen.line == letters(82) + " won by 5 runs", "just 96")
    }

    /// Two are named, each by the longest form of the name that fits.
    @Test(
        arguments: [
            (["Rohit Sharma"], "Rohit Sharma"), (["A One", "B Two"], "A One, B Two"),
            (["A One", "B Two", "C Three"], "A One, B Two"),
            (["Abcdefghijk Mnopqrstuvwx"], "Abcdefghijk Mnopqrstuvwx"),
            (["Abcdefghijkl Mnopqrstuvwx"], "A Mnopqrstuvwx"),
        ] as [([String], String)]
    )
    func playersOfTheMatch(names: [String], text: String) {
        let result = ProviderResult(kind: .runs(5), winner: .first, playersOfMatch: names)
        #expect(drawn(result).lockScreen.sub == "Player of the match: \(text)")
    }

    /// A method that is no word for a target is not shown as one.
    @Test(arguments: [
        ("DLS", true), ("DLSDLSDL", true), ("DLSDLSDLS", false), ("Lost fewer wickets", false), ("", false),
    ])
    func aMethodOfEightLettersIsShown(method: String, isNamed: Bool) {
        let sub = chase(method).lockScreen.sub
        #expect(sub == (isNamed ? "Target 120 (\(method)) · " : "") + "Partnership 87 (69)")
    }

    @Test(arguments: [(24, 24), (64, 64), (65, 64), (400, 64)]) func aNoteIsCutAtItsLimit(length: Int, shown: Int) {
        var script = Situation.chase()
        script.status(.rain, note: letters(length))
        let sub = script.drawn().lockScreen.sub ?? ""
        #expect(sub.count == shown && sub.hasSuffix("…") == (length > 64))
    }

    @Test(arguments: [(120, 120), (121, 120)]) func anEventIsCutAtItsLimit(length: Int, shown: Int) {
        let body = letters(length)
        let event = Moment(
            "w:1:1",
            .wicket,
            .loud,
            subject: "s",
            title: "Wicket!",
            body: .literal(body),
            flash: "Wicket!!!"
        )
        let content = Situation.chase().drawn(event: event)
        #expect(content.expanded.event?.text.count == shown && content.expanded.event?.kind == "wicket")
        #expect(content.minimal.flash == "Wicket!…")
    }

    /// The balls of the over, at least six and at most ten, oldest first.
    @Test(arguments: [
        ("1 2", "1 2"), ("1 2 3 4 . 6", "1 2 3 4 . 6"), ("1 2 1 2 1 2 6", "2 1 2 1 2 6"),
        ("wd wd 1 2 1 2 1 2", "wd wd 1 2 1 2 1 2"),
        ("wd wd wd wd wd wd 1 2 1 2 1", "wd wd wd wd wd 1 2 1 2 1"),
        ("wd wd wd wd 1 2 1 2 1 2", "wd wd wd wd 1 2 1 2 1 2"),
        ("1 1 1 1 1 1 wd wd wd wd wd wd 4", "wd wd wd wd wd wd 4"),
    ])
    func theLastBallsAreThoseOfTheOver(marks: String, shown: String) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl(marks)
        #expect(script.drawn().expanded.recent.joined(separator: " ") == shown)
    }

    // MARK: Attributes

    private func attributes(name: String, competition: String, match: MatchID?) throws -> LiveActivityAttributes {
        var info = MatchInfo.make(.t20, first: name, second: name)
        info.competition = competition
        return ContentStateRenderer.attributes(of: info, match: try #require(match), scheme: letters(30))
    }

    @Test func attributesFitTheLongestNames() throws {
        let whole = try attributes(name: letters(36), competition: letters(48), match: MatchID("m1"))
        #expect(whole.teams.map(\.name) == [letters(36), letters(36)] && whole.competition == letters(48))
        #expect(whole.deepLink == letters(23) + "…://match/m1")
        let cut = try attributes(name: letters(37), competition: letters(49), match: MatchID("m1"))
        #expect(cut.teams[0].name == letters(35) + "…" && cut.competition == letters(47) + "…")
    }

    /// A start has attributes, state and envelope in 4,096 bytes: names are shortened, first the competition's.
    @Test(arguments: [("x", false, 36, 48), ("é", false, 24, 0), ("x", true, 24, 0), ("😀", true, 8, 0)])
    func namesAreShortenedFirst(letter: String, isLongID: Bool, length: Int, competition: Int) throws {
        let name = String(repeating: letter, count: 60)
        let match = isLongID ? MatchIDs.longest : MatchID("m1")
        let made = try attributes(name: name, competition: name, match: match)
        #expect(made.teams.allSatisfy { $0.name.count == length } && made.competition?.count ?? 0 == competition)
        #expect(ContentStateRenderer.bytes(of: made).count <= EngineLimits.attributesBytes)
    }

    @Test(arguments: [
        ("abcdef", 6, "abcdef"), ("abcdefg", 6, "abcde…"), ("", 3, ""), ("ab", 1, "…"), ("abc   def", 6, "abc…"),
        ("\tab", 3, " ab"), ("a\u{200f}\u{200f}b", 5, "a b"), ("a\u{7f}b", 3, "a b"), ("a\u{9f}b", 3, "a b"),
        ("a\u{a0}b", 3, "a\u{a0}b"), ("a~b", 3, "a~b"), ("a\u{feff}b", 3, "a b"), ("a\u{2069}b", 3, "a b"),
        ("a\u{206a}b", 3, "a\u{206a}b"), ("ééé", 3, "ééé"), ("éééé", 3, "éé…"),
    ])
    func aTextIsCutToItsLength(text: String, limit: Int, clipped: String) {
        #expect(Clip.text(text, limit) == clipped)
        #expect(Clip.fits(text, limit) == (text == clipped))
    }
}
