// A file of aliases is imported as a whole; a mistake is reported by line and field.

import MatchJournal
import Providers
import ScoreIngest
import ScoreTypes
import Testing

@testable import ScoreServer

@Suite struct AliasFileTests {
    private static func mistakes(_ text: String) -> [String] {
        do throws(AliasFile.Mistakes) {
            _ = try AliasFile.read(text)
            return []
        } catch {
            return error.sentences
        }
    }

    @Test func anAliasFileIsRead() throws {
        let text = """
            \u{feff}kind,provider,provider_id,our_id\r
            # the final\r
            match,roanuz,iplt20_2026_g1,mi-csk\r
            \r
             team , sportmonks , 7 , MI \r
            player,entitysport,119,MS Dhoni\r
            player,entitysport,119,MS Dhoni
            """
        #expect(
            try AliasFile.read(text) == [
                Alias(.match, .roanuz, "iplt20_2026_g1", means: "mi-csk"), Alias(.team, .sportmonks, "7", means: "MI"),
                Alias(.player, .entitySport, "119", means: "MS Dhoni"),
                Alias(.player, .entitySport, "119", means: "MS Dhoni"),
            ]
        )
        #expect(try AliasFile.read("").isEmpty)
    }

    @Test(arguments: [
        ("player,roanuz,1", "line 2: our_id: expected kind,provider,provider_id,our_id, but there are 3 fields"),
        ("player,roanuz,1,2,3", "line 2: our_id: expected kind,provider,provider_id,our_id, but there are 5 fields"),
        ("umpire,roanuz,1,2", "line 2: kind: expected one of match, team, player"),
        ("player,cricinfo,1,2", "line 2: provider: expected one of sportmonks, roanuz, "),
        ("player,roanuz,,2", "line 2: provider_id: expected an id of 1 to 200 characters"),
        ("player,roanuz,1,\"2\"", "line 2: our_id: expected an id of 1 to 200 characters"),
        ("match,roanuz,1,a b", "line 2: our_id: expected 1 to 64 of A-Z"),
        ("team,roanuz,t,CSK", "line 2: provider_id: expected one meaning, but another line says MI"),
    ])
    func aMistakeIsReportedByLineAndField(line: String, complaint: String) {
        let announced = Self.mistakes("team,roanuz,t,MI\n\(line)\nplayer,roanuz,3,4")
        #expect(announced.count == 1 && announced[0].hasPrefix(complaint), "\(announced)")
    }

    @Test func mistakesAreReportedUpToTheLimit() {
        #expect(Self.mistakes("a\nb\nplayer,roanuz,3,4\nc").map { $0.prefix(7) } == ["line 1:", "line 2:", "line 4:"])
        let wrong = Array(repeating: "a", count: 2 * ServerLimits.aliasFileMistakes).joined(separator: "\n")
        #expect(Self.mistakes(wrong).count == ServerLimits.aliasFileMistakes)
    }
}
