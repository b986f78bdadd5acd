// An unknown status changes neither play nor a stop of play: the known status stays (C.17).

import Foundation
import MatchEngine
import MatchSamples
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest
@testable import ScoreLab

@Suite struct UnknownStatusTests {
    /// A rehearsal with a match, a ball, and then a status.
    private static func rehearsal(_ status: MatchStatus, _ clock: ManualClock) -> (MatchRehearsal, Scorebook) {
        var rehearsal = MatchRehearsal(match: Scorebook.match, provider: .sportmonks, clock: clock.clock())
        var book = Scorebook.begun
        book.ball(1)
        _ = rehearsal.accept(book.snapshot)
        book.status = StatusReport(status: status, note: "as it was", day: 2)
        _ = rehearsal.accept(book.snapshot)
        return (rehearsal, book)
    }

    private static let unknown = StatusReport(status: .live, note: "Bad Light", isUnknown: true)

    @Test(
        "the known word stays and the unknown one is shown",
        arguments: [
            MatchStatus.rain, .stumps, .live, .inningsBreak,
        ]
    )
    func anUnknownStatusKeepsTheKnownOne(status: MatchStatus) {
        let clock = ManualClock()
        var (rehearsal, book) = Self.rehearsal(status, clock)
        let since = rehearsal.record.status.since
        clock.advance(by: .seconds(7_200))
        book.status = Self.unknown
        _ = rehearsal.accept(book.snapshot)
        #expect(rehearsal.record.status == StatusReport(status: status, note: "Bad Light", since: since, day: 2))
    }

    @Test("an unknown status is no resumption, and the delay before it is announced when it ends")
    func anUnknownStatusIsNoResumption() {
        let clock = ManualClock()
        var (rehearsal, book) = Self.rehearsal(.rain, clock)
        // A feed that is polled twice a minute, so that it is never silent.
        func show(_ status: StatusReport, for minutes: Int) {
            book.status = status
            for _ in 0..<minutes * 2 {
                _ = rehearsal.accept(book.snapshot)
                clock.advance(by: .seconds(30))
            }
        }
        show(StatusReport(status: .rain), for: 50)
        show(Self.unknown, for: 15)
        #expect(rehearsal.alerts.isEmpty)
        show(StatusReport(status: .live), for: 1)
        #expect(rehearsal.alerts.map(\.kind) == [.resumption])
    }

    @Test("a result stays under an unknown status")
    func aResultStaysUnderAnUnknownStatus() {
        let clock = ManualClock()
        var (rehearsal, book) = Self.rehearsal(.rain, clock)
        let result = ProviderResult(kind: .runs(3), winner: .first)
        book.status = StatusReport(status: .result)
        book.result = result
        _ = rehearsal.accept(book.snapshot)
        book.status = Self.unknown
        book.result = nil
        _ = rehearsal.accept(book.snapshot)
        #expect(rehearsal.record.result == result && rehearsal.record.status.status == .result)
    }

    @Test("before any known status, and before the start, the other fields decide")
    func otherFieldsDecideBeforeTheFirstStatus() {
        #expect(Self.unknown.understood(after: nil).status == .live)
        #expect(Self.unknown.understood(after: StatusReport(status: .startDelayed)).status == .live)
        let before = StatusReport(status: .scheduled, note: "Elephant", isUnknown: true)
        #expect(before.understood(after: StatusReport(status: .startDelayed)).status == .startDelayed)
        let over = StatusReport(status: .result, isUnknown: true)
        #expect(over.understood(after: StatusReport(status: .live)).status == .result)
        #expect(!Self.unknown.understood(after: nil).isUnknown)
    }

    @Test("a stored report has no mark of unknown statuses")
    func theCodingHasNoMark() throws {
        let row = Data(#"{"status":"rain","note":"Rain","since":7}"#.utf8)
        let report = try JSONDecoder().decode(StatusReport.self, from: row)
        #expect(report == StatusReport(status: .rain, note: "Rain", since: 7))
        let written = String(decoding: try JSONEncoder().encode(Self.unknown), as: UTF8.self)
        #expect(!written.contains("isUnknown"))
    }

    @Test("adapters mark the statuses that they do not know")
    func adaptersMarkUnknownStatuses() throws {
        func sportmonks(_ word: String) throws -> Bool {
            let balls = [SportmonksSample.ball(1)]
            return try SportmonksSample.snapshot(SportmonksSample.fixture(status: word, balls: balls)).status.isUnknown
        }
        #expect(try [sportmonks("Bad Light"), sportmonks("Int."), sportmonks("1st Innings")] == [true, false, false])
        let unknown = try EntitySportSample.snapshot(state: 12, more: #","game_state_str":"Bad Light""#).status
        #expect(unknown.isUnknown && unknown.note == "Bad Light")
        let ball = RoanuzSample.plain(0, 1)
        #expect(try RoanuzSample.snapshot([ball], status: "swarm_of_bees").status.isUnknown)
        #expect(try !RoanuzSample.snapshot([ball], status: "in_play").status.isUnknown)
        func cricsheet(_ word: String) throws -> StatusReport {
            try CricsheetSample.snapshot(overs: [[CricsheetSample.ball()]], live: #"{"state":"\#(word)"}"#).status
        }
        #expect(try [cricsheet("bad_dream"), cricsheet("bad_light")].map(\.isUnknown) == [true, false])
        #expect(try cricsheet("bad_dream").note == "bad_dream")
        #expect(try (0...9).allSatisfy { try !EntitySportSample.snapshot(state: $0).status.isUnknown })
    }
}
