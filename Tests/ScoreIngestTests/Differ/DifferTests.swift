// Changes between a stored match and a reply: their kinds, their order, and that they lead to the reply.

import MatchEngine
import MatchSamples
import ScoreTypes
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

private typealias Sample = CricsheetSample

@Suite struct DifferTests {
    private let over = [Sample.ball(1), Sample.ball(2), Sample.ball(3)]

    private func record(of snapshot: MatchSnapshot) -> MatchRecord {
        var record = MatchRecord()
        for change in Differ.changes(from: record, to: snapshot) { record.apply(change) }
        return record
    }

    @Test func theFirstReplyIsInOrder() throws {
        let snapshot = try Sample.snapshot(overs: [over], live: #"{"state":"lunch"}"#)
        let changes = Differ.changes(from: MatchRecord(), to: snapshot)
        let deliveries = snapshot.deliveries.map(Change.inserted)
        #expect(
            changes == [.info(snapshot.info), .innings(snapshot.innings[0])] + deliveries + [.status(snapshot.status)]
        )
    }

    @Test func anUnchangedReplyHasNoChanges() throws {
        let snapshot = try Sample.snapshot(overs: [over, over])
        #expect(Differ.changes(from: record(of: snapshot), to: snapshot).isEmpty)
    }

    @Test func oneBallIsAddedAndOneCorrected() throws {
        let before = try Sample.snapshot(overs: [over])
        let after = try Sample.snapshot(overs: [
            [Sample.ball(1), Sample.ball(0, extras: ["wides": 5]), Sample.ball(3), Sample.ball(6)]
        ])
        let changes = Differ.changes(from: record(of: before), to: after)
        #expect(changes == [.amended(after.deliveries[1]), .inserted(after.deliveries[3])])
    }

    @Test func aMissingBallIsWithdrawnInItsPlace() throws {
        let before = try Sample.snapshot(overs: [over, over])
        var after = before
        let gone = after.deliveries.remove(at: 1)
        after.deliveries[3].runs.bat = 6
        let changes = Differ.changes(from: record(of: before), to: after)
        #expect(changes == [.withdrawn(gone.key), .amended(after.deliveries[3])])
    }

    @Test func aReplacedBallIsWithdrawnBeforeTheNewOne() throws {
        let before = try Sample.snapshot(overs: [over])
        var after = before
        after.deliveries[1].key = DeliveryKey("0")
        let changes = Differ.changes(from: record(of: before), to: after)
        #expect(changes == [.withdrawn(before.deliveries[1].key), .inserted(after.deliveries[1])])
    }

    @Test func frameStatusAndResultChangesAreFound() throws {
        let before = try Sample.snapshot(overs: [over])
        var after = before
        after.info.venue = "Elsewhere"
        after.innings = [InningsInfo(ordinal: 2, batting: .second)]
        after.status = StatusReport(status: .abandoned)
        after.result = ProviderResult(kind: .noResult)
        #expect(
            Differ.changes(from: record(of: before), to: after) == [
                .info(after.info), .inningsWithdrawn(ordinal: 1), .innings(after.innings[0]),
                .status(after.status), .result(after.result),
            ]
        )
    }

    @Test func aWithdrawnResultIsAChange() throws {
        var before = try Sample.snapshot(overs: [over])
        before.result = ProviderResult(kind: .tie)
        var after = before
        after.result = nil
        #expect(Differ.changes(from: record(of: before), to: after) == [.result(nil)])
    }

    @Test func changesLeadFromAnyReplyToAnyOther() throws {
        let seed = UInt64.random(in: .min ... .max)
        print("seed \(seed)")
        var generator = SplitMix64(seed: seed)
        var stored = MatchRecord()
        for _ in 0..<200 {
            let balls = (0..<Int.random(in: 0...4, using: &generator)).map { _ in
                (0..<Int.random(in: 0...7, using: &generator)).map { _ in
                    Sample.ball(Int.random(in: 0...6, using: &generator))
                }
            }
            let snapshot = try Sample.snapshot(overs: balls)
            for change in Differ.changes(from: stored, to: snapshot) { stored.apply(change) }
            #expect(stored.deliveries == snapshot.deliveries)
            #expect(stored.innings == snapshot.innings)
            #expect(stored.status == snapshot.status)
        }
    }
}
