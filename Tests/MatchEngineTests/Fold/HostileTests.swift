// No number, name or order of a feed stops the engine.

import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct HostileTests {
    @Test(arguments: [UInt64(31), 32, 33, 34, 35, 36])
    func anyNumbersFoldAndDraw(seed: UInt64) {
        var feed = HostileFeed(seed: seed)
        var replica = MatchReplica()
        for _ in 0..<400 {
            replica.apply(feed.change())
            let info = replica.record.info ?? MatchInfo(format: .t20, teams: [])
            let content = ContentStateRenderer.render(replica.state, info: info, revision: Int64(feed.number()))
            #expect(ContentStateRenderer.bytes(of: content).count <= 3_500, "seed \(seed)")
            #expect(content.minimal.text.count <= 7 && content.small.line.count <= 24, "seed \(seed)")
        }
    }

    @Test(arguments: ScoreStyle.allCases, [UInt64(41), 42, 43])
    func anyRecordIsDrawnOnEverySurface(style: ScoreStyle, seed: UInt64) throws {
        var feed = HostileFeed(seed: seed)
        var replica = MatchReplica(options: EngineOptions(scoreStyle: style))
        let match = try #require(MatchID("hostile"))
        for _ in 0..<120 {
            replica.apply(feed.change())
            let info = replica.record.info ?? MatchInfo(format: .t20, teams: [])
            let context = SurfaceContext(
                match: match,
                revision: Int64(feed.number()),
                updatedAt: Instant(milliseconds: 1_790_000_000_000),
                scheme: "score",
                event: replica.state.moments.last
            )
            for kind in SurfaceSnapshot.Kind.allCases {
                let form = SurfaceForm(kind)
                let snapshot = try SurfaceRenderer.snapshot(form, of: replica.state, info: info, in: context)
                #expect(SurfaceRenderer.bytes(of: snapshot).count <= 4_096, "seed \(seed)")
                guard kind == .notification else { continue }
                let payload = try snapshot.notificationPayload(category: String(repeating: "c", count: 128))
                #expect(SurfaceRenderer.bytes(of: payload).count <= 4_096, "seed \(seed)")
            }
        }
    }

    @Test(arguments: [UInt64(51), 52, 53, 54])
    func batchesFoldLikeSingleChanges(seed: UInt64) {
        var feed = HostileFeed(seed: seed)
        let changes = (0..<200).map { _ in feed.change() }
        var single = MatchReplica()
        for change in changes { single.apply(change) }
        var batched = MatchReplica()
        batched.apply(changes)
        #expect(batched.record == single.record, "seed \(seed)")
        #expect(batched.state.innings == single.state.innings, "seed \(seed)")
    }

    @Test func hugeSumsDoNotOverflow() {
        var script = MatchScript.t20()
        script.begin(.first)
        for _ in 0..<2_000 { script.add(runs: DeliveryRuns(bat: .max, wides: .max, penalty: .max), over: .max) }
        let card = script.state.innings[0]
        #expect(card.runs == 2_000 * 3_000)
        script.drawn().expectWithinLimits()
    }

    @Test func ballsWithoutAnInningsWaitForItsFrame() {
        let script = ChaseExample.script
        var replica = MatchReplica()
        replica.apply(script.deliveries.map { .inserted($0) })
        #expect(replica.state.innings.isEmpty)
        replica.apply(script.changes)
        #expect(replica.state == script.state)
    }
}
