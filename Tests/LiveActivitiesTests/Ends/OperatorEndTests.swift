// An operator's order to end a match's activities reaches every phone, by token or by channel.

import FollowService
import MatchJournal
import MatchSamples
import Postgres
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct OperatorEndTests {
    @Test func phonesOnAChannelAreEndedToo() async throws {
        try await PushSetup.withAudience { setup, node in
            let (broadcast, screen) = (PhoneLog(), setup.screen(2))
            try await node.phone(1, abilities: [.activities, .frequentPushes, .alerts, .channels])
            try await node.phone(2)
            try await node.report()
            let channel = try await node.requestedChannel()
            #expect(setup.apple.subscribe(channel: channel, subscriber: 1) { broadcast.show($0) })
            try await node.activity(1, route: .channel(channel))
            try await node.activity(2)
            // A state after the end would be the last one.
            let newest = try await node.report(balls: 9)
            try await eventually("both show the newest state") {
                [broadcast, screen].allSatisfy { $0.all.contains { $0.revision == newest } }
            }

            try await node.push.ending.endAll(of: Samples.match, because: .over)
            try await eventually("the channel's phones ended") { broadcast.all.last?.event == .end }
            try await eventually("the other one ended") { screen.all.last?.event == .end }
            try await eventually("the store has it") {
                let ended = Statement("select count(*) from activity where state = 3 and end_reason = 'over'")
                return try await setup.number(ended) == 2
            }
            #expect([broadcast, screen].allSatisfy { $0.all.count { $0.event == .end } == 1 })
        }
    }

    @Test func activitiesAreMarkedInThousands() async throws {
        try await PushSetup.withAudience { setup, node in
            let count = 2_050
            for start in stride(from: 1, through: count, by: 400) {
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for number in start...min(count, start + 399) {
                        group.addTask { try await node.activity(number) }
                    }
                    try await group.waitForAll()
                }
            }
            try await node.report()
            try await eventually("there is a state to leave behind") {
                node.publications.current(Samples.match) != nil
            }
            try await node.push.ending.endAll(of: Samples.match, because: .over)
            #expect(try await setup.number(Statement("select count(*) from activity where state = 1")) == 0)
            let times = Statement("select count(distinct ending_at) from activity where end_reason = 'over'")
            #expect(try await setup.number(times) <= 3, "one transaction for each thousand")
        }
    }
}
