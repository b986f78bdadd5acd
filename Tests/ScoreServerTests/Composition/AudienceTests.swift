// From followers in the store to activities on Lock Screens: started once, in the way that each phone knows, renewed.

import FollowService
import Foundation
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct AudienceTests {
    /// A node that owns all buckets and looks for followers often, around the body.
    private func attending(_ body: (PushStage, PushNode) async throws -> Void) async throws {
        let stage = try await PushStage()
        let node = try await stage.node("a", speed: 1000)
        try await node.ownership.claim()
        let running = Task { await node.push.audience.run() }
        do { try await body(stage, node) } catch { Issue.record(error) }
        running.cancel()
        await running.value
        await stage.stop(node)
    }

    @Test("23: each phone is started once, with an alert, by a channel from iOS 18 and by a token before")
    func startsEachInItsWay() async throws {
        try await attending { stage, node in
            let (old, new) = (stage.screen(101, .pushToStart), stage.screen(102, .pushToStart))
            try await node.phone(1, startToken: 101)
            try await node.phone(2, abilities: [.activities, .alerts, .channels], startToken: 102)
            try await node.report()
            try await eventually("both were started") { old.all.count == 1 && new.all.count == 1 }
            let channel = try #require(try await node.follow.channels.channels(of: Samples.match).first?.channel)
            #expect(old.aps[0]["input-push-token"] as? Int == 1 && old.aps[0]["input-push-channel"] == nil)
            #expect(new.aps[0]["input-push-channel"] as? String == channel.text)
            #expect(new.aps[0]["input-push-token"] == nil)
            for screen in [old, new] {
                #expect(screen.aps[0]["event"] as? String == "start")
                #expect((screen.aps[0]["alert"] as? [String: Any])?["title"] is String)
                #expect(screen.all[0].priority == 10)
            }
            // Somebody who comes later shows that the followers were looked at again, more than once.
            for late in 3...5 {
                let screen = stage.screen(100 + late, .pushToStart)
                try await node.phone(late, startToken: 100 + late)
                try await eventually("the late one was started") { screen.all.count == 1 }
            }
            #expect(old.all.count == 1 && new.all.count == 1, "nobody is started twice")
            #expect(stage.apple.statistics.traps.isEmpty)
        }
    }

    @Test("23: what is older than seven and a half hours is started anew first, and ended after that")
    func renewsBeforeEightHours() async throws {
        try await attending { stage, node in
            let (start, shown, fresh) = (stage.screen(101, .pushToStart), stage.screen(1), stage.screen(2))
            try await node.phone(1, startToken: 101)
            try await node.activity(1, name: "old", age: .seconds(27_060))
            // Young enough for another minute.
            try await node.phone(2, startToken: 102)
            let young = stage.screen(102, .pushToStart)
            try await node.activity(2, age: .seconds(26_940))
            try await node.report()
            try await eventually("the old one ended") { shown.aps.last?["event"] as? String == "end" }
            let started = try #require(start.all.first)
            let ended = try #require(shown.all.last)
            #expect(started.event == .start && ended.event == .end)
            let order = stage.apple.journal(last: 100).filter { $0.event == "start" || $0.event == "end" }
            #expect(order.map(\.event) == ["start", "end"], "the phone is never left without")
            #expect(young.all.isEmpty && fresh.all.allSatisfy { $0.event == .update })
            // The new activity lives on a token of its own and is not ended with the old one.
            let next = stage.screen(11)
            try await node.activity(1, name: "new", route: .token(PushStage.token(11)), sequence: 2)
            try await eventually("the old one is closed, the new one is not") {
                try await stage.number(Statement("select count(*) from activity where state = 1")) == 2
            }
            try await node.report(balls: 9)
            try await eventually("the new one is shown the next ball") { next.all.last?.event == .update }
            #expect(start.all.count == 1, "one start for one renewal")
        }
    }
}
