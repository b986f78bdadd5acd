// From followers in the store to activities on Lock Screens: started once, in the way that each phone knows.

import FollowService
import Foundation
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Testing
import Waiting

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct AudienceTests {
    @Test("23: each phone is started once, with an alert, by a channel from iOS 18 and by a token before")
    func startsEachInItsWay() async throws {
        try await PushStage.attending { stage, node in
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
}
