// Names identify players without ids; two players are never taken for one.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite struct NameMatchingTests {
    /// The ids of the match's own players, by those of another provider.
    private static func found(_ ours: [String], _ theirs: [(id: String, name: String)]) -> [String: String] {
        var book = Scorebook()
        book.info.teams[0] = TeamInfo(
            id: "MI",
            name: "Mumbai Indians",
            players: ours.map { Player(id: "our \($0)", name: $0) }
        )
        var record = MatchRecord()
        record.apply(.info(book.info))
        book.info.teams[0] = TeamInfo(
            id: "MI",
            name: "Mumbai Indians",
            players: theirs.map { Player(id: $0.id, name: $0.name) }
        )
        return NameMatching(book.snapshot.info.teams, in: record).players
    }

    @Test func fullNamesAndInitialsMatch() {
        #expect(
            Self.found(["Rohit Sharma", "Ishan Kishan"], [("1", "RG Sharma"), ("2", "Ishan Kishan")])
                == ["1": "our Rohit Sharma", "2": "our Ishan Kishan"]
        )
    }

    @Test func aFullNameMatchExcludesOthers() {
        #expect(
            Self.found(["Kusal Mendis"], [("1", "Kusal Mendis"), ("2", "Kamindu Mendis")])
                == ["1": "our Kusal Mendis"]
        )
        #expect(
            Self.found(["Kusal Mendis"], [("2", "Kamindu Mendis"), ("1", "Kusal Mendis")])
                == ["1": "our Kusal Mendis"]
        )
    }

    @Test func anIDMatchExcludesOthers() {
        #expect(Self.found(["Kusal Mendis"], [("our Kusal Mendis", "BKG Mendis"), ("2", "K Mendis")]).isEmpty)
    }

    @Test func twoPlayersWithOneInitialMatchNoPlayer() {
        #expect(Self.found(["K Mendis"], [("1", "Kusal Mendis"), ("2", "Kamindu Mendis")]).isEmpty)
        #expect(Self.found(["Kusal Mendis", "Kamindu Mendis"], [("1", "K Mendis")]).isEmpty)
        #expect(Self.found(["Kusal Mendis"], [("1", "Kusal Mendis"), ("2", "Kusal Mendis")]).isEmpty)
    }

    @Test func remainingPlayersMatchByInitials() {
        #expect(
            Self.found(["Kusal Mendis", "Kamindu Mendis"], [("1", "Kusal Mendis"), ("2", "PHKD Mendis")])
                == ["1": "our Kusal Mendis"]
        )
        #expect(
            Self.found(["Kusal Mendis", "Kamindu Mendis"], [("1", "Kusal Mendis"), ("2", "KP Mendis")])
                == ["1": "our Kusal Mendis", "2": "our Kamindu Mendis"]
        )
    }

    /// The first team of a snapshot of another feed, as a match with our team takes it.
    private static func taken(_ theirs: TeamInfo, over ours: TeamInfo) -> TeamInfo {
        var book = Scorebook()
        book.info.teams[0] = ours
        var record = MatchRecord()
        record.apply(.info(book.info))
        book.info.teams[0] = theirs
        return NameMatching(book.snapshot.info.teams, in: record).apply(to: book.snapshot).info.teams[0]
    }

    @Test func aKnownTeamAndItsPlayersKeepTheirNames() {
        let ours = TeamInfo(
            id: "MI",
            name: "Mumbai Indians",
            abbreviation: "MI",
            players: [Player(id: "142", name: "Rohit Sharma"), Player(id: "812", name: "Player 812")]
        )
        let theirs = TeamInfo(
            id: "MI",
            name: "Mumbai",
            abbreviation: "MUM",
            color: "#004ba0",
            players: [
                Player(id: "142", name: "RG Sharma"), Player(id: "812", name: "SA Yadav"),
                Player(id: "9", name: "Tilak Varma"),
            ]
        )
        let taken = Self.taken(theirs, over: ours)
        #expect(taken.name == "Mumbai Indians" && taken.abbreviation == "MI" && taken.color == "#004ba0")
        #expect(taken.players.map(\.name) == ["Rohit Sharma", "SA Yadav", "Tilak Varma"])
    }
}
