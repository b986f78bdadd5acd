// Formats, results and states in the spelling of Cricsheet.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite struct CricsheetFrameTests {
    private let adapter = CricsheetAdapter()

    @Test(arguments: [
        ("Test", "international", 6, "null", "", Format.test, nil as Int?),
        ("MDM", "club", 6, "null", "", .firstClass, nil),
        ("ODI", "international", 6, "50", "", .odi, 300),
        ("ODM", "club", 6, "45", "", .listA, 270),
        ("T20", "international", 6, "20", "", .t20i, 120),
        ("T20", "international", 6, "50", "", .t20i, 120),
        ("T20", "club", 6, "20", "", .t20, 120),
        ("T20", "club", 6, "10", "", .t10, 60),
        ("IT20", "international", 6, "20", "", .t20, 120),
        ("T20", "club", 5, "20", "The Hundred Men's Competition", .hundred, 100),
        ("T20", "club", 6, "17", "The Hundred Women's Competition", .hundred, 100),
        ("Blitz", "club", 6, "40", "", .listA, 240),
    ])
    func formats(
        type: String,
        teamType: String,
        ballsPerOver: Int,
        overs: String,
        event: String,
        format: Format,
        limit: Int?
    ) throws {
        let info = try adapter.snapshot(
            Sample.document(type: type, teamType: teamType, ballsPerOver: ballsPerOver, overs: overs, event: event)
        ).info
        #expect(info.format == format)
        #expect(info.ballLimit == limit)
        #expect(info.ballsPerOver == ballsPerOver)
    }

    @Test func readsTheFrame() throws {
        let toss = #","toss":{"winner":"Blues","decision":"field"}"#
        let info = try adapter.snapshot(Sample.document(info: toss, live: #"{"state":"toss","startsAt":7}"#)).info
        #expect(info.teams.map(\.name) == ["Reds", "Blues"])
        #expect(info.team(.first).players.map(\.id) == ["aaaa1111", "B Two"])
        #expect(info.toss == Toss(winner: .second, decision: .field))
        #expect(info.isWomens && info.season == "2026" && info.venue == "Mill Lane" && info.startsAt == 7)
        #expect(info.competition == "Shire Cup" && info.days == ["2026-05-01"])
    }

    @Test(arguments: [
        (#"{"winner":"Reds","by":{"runs":12}}"#, ProviderResult(kind: .runs(12), winner: .first)),
        (#"{"winner":"Blues","by":{"wickets":1}}"#, ProviderResult(kind: .wickets(1), winner: .second)),
        (#"{"winner":"Reds","by":{"innings":1,"runs":9}}"#, ProviderResult(kind: .innings(9), winner: .first)),
        (
            #"{"winner":"Reds","by":{"runs":2},"method":"VJD"}"#,
            ProviderResult(kind: .runs(2), winner: .first, method: "VJD")
        ),
        (#"{"winner":"Reds","method":"Awarded"}"#, ProviderResult(kind: .awarded, winner: .first, method: "Awarded")),
        (
            #"{"winner":"Reds","method":"Lost fewer wickets"}"#,
            ProviderResult(kind: .fewerWickets, winner: .first, method: "Lost fewer wickets")
        ),
        (#"{"winner":"Reds"}"#, ProviderResult(kind: .won, winner: .first)),
        (#"{"result":"draw"}"#, ProviderResult(kind: .draw)),
        (#"{"result":"no result"}"#, ProviderResult(kind: .noResult)),
        (#"{"result":"tie"}"#, ProviderResult(kind: .tie)),
        (
            #"{"result":"tie","eliminator":"Blues"}"#,
            ProviderResult(kind: .tie, tieBreakWinner: .second, tieBreak: "superOver")
        ),
        (
            #"{"result":"tie","bowl_out":"Reds"}"#,
            ProviderResult(kind: .tie, tieBreakWinner: .first, tieBreak: "bowlOut")
        ),
    ])
    func results(outcome: String, result: ProviderResult) throws {
        #expect(try adapter.snapshot(Sample.document(info: ",\"outcome\":\(outcome)")).result == result)
    }

    @Test(arguments: [
        (nil as String?, "", MatchStatus.scheduled, nil as String?),
        (nil, #","toss":{"winner":"Reds","decision":"bat"}"#, .toss, nil),
        (#"{"state":"badLight","note":"Gloomy"}"#, "", .badLight, "Gloomy"),
        (#"{"state":"super_over_break"}"#, "", .superOverBreak, nil),
        (#"{"state":"siesta"}"#, "", .scheduled, "siesta"),
        (nil, #","outcome":{"result":"no result"}"#, .abandonedNoBall, nil),
        (nil, #","outcome":{"result":"draw"}"#, .drawn, nil),
        (nil, #","outcome":{"result":"tie"}"#, .tied, nil),
        (nil, #","outcome":{"result":"tie","eliminator":"Reds"}"#, .result, nil),
        (nil, #","outcome":{"winner":"Reds","method":"Awarded"}"#, .awarded, nil),
    ])
    func states(live: String?, info: String, status: MatchStatus, note: String?) throws {
        let report = try adapter.snapshot(Sample.document(info: info, live: live)).status
        #expect(report.status == status)
        #expect(report.note == note)
    }

    @Test func statesFollowFromTheInnings() throws {
        let one = Sample.innings(overs: [[Sample.ball()]])
        let extra = Sample.innings(more: #","super_over":true"#)
        #expect(try adapter.snapshot(Sample.document(innings: [one])).status.status == .live)
        #expect(try adapter.snapshot(Sample.document(innings: [one, one, extra])).status.status == .superOver)
    }
}
