// Names in the lengths of their places, and the text of a dismissal with every kind of fielder (C.11).

import Testing

@testable import MatchEngine

@Suite struct NameRowsTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let full: String
        let initialed: String
        let surname: String

        init(_ text: String, full: String? = nil, _ initialed: String, _ surname: String) {
            (testDescription, self.full) = (text, full ?? text)
            (self.initialed, self.surname) = (initialed, surname)
        }
    }

    static let rows = [
        Row("Rohit Sharma", "R Sharma", "Sharma"),
        Row("RG Sharma", "RG Sharma", "Sharma"),
        Row("M.S. Dhoni", "M.S. Dhoni", "Dhoni"),
        Row("AR Khan Niazi", "AR Khan Niazi", "Khan Niazi"),
        Row("AB de Villiers", "AB de Villiers", "de Villiers"),
        Row("Rassie van der Dussen", "R van der Dussen", "van der Dussen"),
        Row("Shakib Al Hasan", "S Al Hasan", "Al Hasan"),
        Row("Nazmul Hossain Shanto", "N H Shanto", "Shanto"),
        Row("DPMDX Jayawardene", "DPMDX Jayawardene", "Jayawardene"),
        Row("DPMDXY Jayawardene", "D Jayawardene", "Jayawardene"),
        Row("Ab Sharma", "A Sharma", "Sharma"),
        Row("Mahmudullah", "Mahmudullah", "Mahmudullah"),
        Row("MS", "MS", "MS"),
        Row("Mohammad Nawaz (3)", full: "Mohammad Nawaz", "M Nawaz", "Nawaz"),
        Row("  Rohit Sharma  ", full: "Rohit Sharma", "R Sharma", "Sharma"),
        Row("Ämilie Öz", "Ä Öz", "Öz"),
        Row("Mohammad Wasim Jr", "M Wasim Jr", "Wasim Jr"),
        Row("Mohammad Wasim Jr.", "M Wasim Jr.", "Wasim Jr."),
        Row("AB de Villiers Snr", "AB de Villiers Snr", "de Villiers Snr"),
        Row("Rassie van der Dussen III", "R van der Dussen III", "van der Dussen III"),
        Row("Wasim Jr", "Wasim Jr", "Wasim Jr"),
        Row("MS II", "MS II", "MS II"),
        Row("Jr", "Jr", "Jr"),
        Row("", "", ""),
    ]

    @Test(arguments: rows) func aNameHasThreeLengths(row: Row) {
        let name = PersonName(row.testDescription)
        #expect(name.full == row.full && name.initialed == row.initialed && name.surname == row.surname)
    }

    /// The longest form that fits is used; a name without one is cut.
    @Test(arguments: [
        ("Rassie van der Dussen", 24, "Rassie van der Dussen"), ("Rassie van der Dussen", 21, "Rassie van der Dussen"),
        ("Rassie van der Dussen", 20, "R van der Dussen"), ("Rassie van der Dussen", 16, "R van der Dussen"),
        ("Rassie van der Dussen", 15, "van der Dussen"), ("Rassie van der Dussen", 14, "van der Dussen"),
        ("Rohit Sharma", 12, "Rohit Sharma"), ("Rohit Sharma", 11, "R Sharma"), ("Rohit Sharma", 7, "Sharma"),
    ])
    func theLongestFittingNameIsUsed(name: String, limit: Int, form: String) {
        #expect(PersonName(name).fitting(limit) == form)
    }

    /// Every dismissal with one fielder, one without a name, two of them, none, and a substitute.
    @Test(
        arguments: [
            (DismissalKind.caught, [Fielder(name: "Virat Kohli")], "c Kohli b Bumrah"),
            (.caught, [Fielder(name: "Jasprit Bumrah")], "c & b Bumrah"),
            (.caught, [Fielder(name: "R Jadeja", isSubstitute: true)], "c sub (Jadeja) b Bumrah"),
            (.caught, [Fielder(name: nil, isSubstitute: true)], "c sub b Bumrah"),
            (.caught, [Fielder(name: "", isSubstitute: true)], "c sub b Bumrah"),
            (.caught, [], "caught b Bumrah"),
            (.stumped, [Fielder(name: "Rishabh Pant")], "st †Pant b Bumrah"),
            (.stumped, [Fielder(name: nil)], "st †sub b Bumrah"),
            (.stumped, [], "stumped b Bumrah"),
            (.runOut, [Fielder(name: "R Jadeja")], "run out (Jadeja)"),
            (.runOut, [Fielder(name: "R Jadeja"), Fielder(name: "V Kohli")], "run out (Jadeja/Kohli)"),
            (.runOut, [Fielder(name: nil, isSubstitute: true), Fielder(name: "V Kohli")], "run out (sub/Kohli)"),
            (.runOut, [], "run out"),
            (.lbw, [], "lbw b Bumrah"), (.bowled, [], "b Bumrah"), (.caughtAndBowled, [], "c & b Bumrah"),
            (.hitWicket, [], "hit wicket b Bumrah"), (.obstructingTheField, [], "obstructing the field"),
            (.hitTheBallTwice, [], "hit the ball twice"), (.timedOut, [], "timed out"),
            (.handledTheBall, [], "handled the ball"), (.retiredOut, [], "retired out"),
            (.retiredHurt, [], "retired hurt"), (.retiredNotOut, [], "retired not out"),
        ] as [(DismissalKind, [Fielder], String)]
    )
    func aDismissalHasItsText(kind: DismissalKind, fielders: [Fielder], words: String) {
        var script = MatchScript.t20()
        script.begin(.first)
        let dismissal = Dismissal(kind: kind, out: script.batter(1), fielders: fielders)
        script.add(dismissals: [dismissal], by: "Jasprit Bumrah")
        #expect(script.state.innings[0].batters[0].howOut == words)
    }

    /// A bowler without a name is not printed.
    @Test(arguments: [
        (DismissalKind.bowled, "bowled"), (.lbw, "lbw"), (.caughtAndBowled, "caught and bowled"), (.caught, "caught"),
        (.stumped, "stumped"), (.hitWicket, "hit wicket"),
    ])
    func aDismissalWithoutABowler(kind: DismissalKind, words: String) {
        let dismissal = Dismissal(kind: kind, out: .named("One"))
        #expect(HowOut.text(dismissal, bowler: nil, fielding: .second, names: PlayerNames()) == words)
    }

    // MARK: Text of a result

    /// An empty method is not printed, nor one where play did not decide.
    @Test(arguments: [
        ("DLS", ProviderResult.Kind.runs(21), "MI won by 21 runs (DLS method)"), ("", .runs(21), "MI won by 21 runs"),
        ("D/L", .runs(1), "MI won by 1 run (D/L method)"), ("DLS", .awarded, "Match awarded to MI"),
        ("DLS", .fewerWickets, "MI won by losing fewer wickets"), ("VJD", .won, "MI won (VJD method)"),
    ])
    func aMethodIsShownWhereItDecided(method: String, kind: ProviderResult.Kind, text: String) {
        var script = MatchScript.t20()
        script.begin(.first)
        script.bowl("1")
        script.result(ProviderResult(kind: kind, winner: .first, method: method))
        #expect(script.state.result?.text { $0 == .first ? "MI" : "CSK" } == text)
    }
}
