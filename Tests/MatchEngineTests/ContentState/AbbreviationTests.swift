// Two to four characters a side, and never the same for both.

import Testing

@testable import MatchEngine

@Suite struct AbbreviationTests {
    private func abbreviations(_ first: String, _ second: String) -> [String] {
        let both = Abbreviations(.make(.t20, first: first, second: second))
        return [both.first, both.second]
    }

    @Test(arguments: [
        ("India", "Australia", "IND", "AUS"), ("India Women", "England Women", "IND", "ENG"),
        ("Mumbai Indians", "Chennai Super Kings", "MI", "CSK"), ("West Indies", "South Africa", "WI", "SA"),
        ("Surrey", "Kent", "SUR", "KEN"), ("Isle of Man", "Germany", "IOM", "GER"),
        ("Northern Districts", "Otago", "ND", "OTA"), ("United States of America", "Canada", "USA", "CAN"),
        ("Antigua and Barbuda Falcons", "Guyana Amazon Warriors", "ABF", "GAW"),
        ("Sri Lanka", "Suriname Lions", "SL", "SULI"), ("India", "India A", "IND", "INA"),
    ]) func knownNamesHaveTheirUsualAbbreviation(first: String, second: String, one: String, two: String) {
        #expect(abbreviations(first, second) == [one, two])
    }

    @Test func abbreviationsOfTheFeedArePreferredWhenTheyFit() {
        var info = MatchInfo.make(.t20)
        info.teams = [
            TeamInfo(id: "1", name: "Mumbai Indians", abbreviation: "mum"),
            TeamInfo(id: "2", name: "Chennai Super Kings", abbreviation: "-"),
        ]
        let both = Abbreviations(info)
        #expect(both.first == "MUM" && both.second == "CSK")
        info.teams[1] = TeamInfo(id: "2", name: "Mumbai", abbreviation: "MUM")
        #expect(Abbreviations(info).second != "MUM")
    }

    @Test(arguments: [
        "", " ", "X", "👨‍👩‍👧‍👦", "भारत", "A", "1", "Ω", String(repeating: "Z", count: 10_000), "\u{0}", "de of the",
    ])
    func unusualNamesHaveDifferentAbbreviations(name: String) {
        let both = abbreviations(name, name)
        #expect(both[0] != both[1])
        for text in both { #expect((2...4).contains(text.count) && text.unicodeScalars.count <= 4, "\(text)") }
    }
}
