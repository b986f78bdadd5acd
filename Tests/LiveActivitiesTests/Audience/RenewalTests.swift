// Eight hours are shorter than a day's play: the phone gets a second activity before it loses the first.

import FollowService
import Foundation
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct RenewalTests {
    private let due = FollowLimits.renewalAge + .seconds(60)
    private let overdue = FollowLimits.unrenewedAge + .seconds(60)

    @Test("23: after seven and a half hours an activity is started again, and kept until the phone has the new one")
    func activitiesAreRenewedBeforeEightHours() async throws {
        try await PushSetup.withAudience { setup, node in
            let (start, shown, fresh) = (setup.screen(101, .pushToStart), setup.screen(1), setup.screen(2))
            try await node.phone(1, startToken: 101)
            try await node.activity(1, name: "old", age: due)
            // New enough for another minute.
            try await node.phone(2, startToken: 102)
            let young = setup.screen(102, .pushToStart)
            try await node.activity(2, age: FollowLimits.renewalAge - .seconds(60))
            try await node.report()
            try await eventually("it is started again") { start.all.last?.event == .start }
            let newest = try await node.report(balls: 8)
            try await eventually("the old one is kept up to date") { shown.all.last?.revision == newest }
            #expect(shown.all.allSatisfy { $0.event == .update }, "the phone always has one")

            let next = setup.screen(11)
            try await node.activity(1, name: "new", route: .token(PushSetup.token(11)), sequence: 2)
            try await eventually("the old one ended") { shown.all.last?.event == .end }
            let end = try #require(shown.aps.last)
            #expect(end["dismissal-date"] as? Int == end["timestamp"] as? Int, "it is replaced")
            try await node.report(balls: 9)
            try await eventually("the new one is shown the next ball") { next.all.last?.event == .update }
            #expect(try await setup.number(Statement("select count(*) from activity where state = 1")) == 2)
            #expect(start.all.count == 1, "one start for one renewal")
            #expect(young.all.isEmpty && fresh.all.allSatisfy { $0.event == .update })
        }
    }

    @Test("23: an activity that was not renewed ends five minutes before the phone would end it, with a text")
    func anUnrenewedActivityIsEnded() async throws {
        try await PushSetup.withAudience { setup, node in
            let (kept, ended) = (setup.screen(1), setup.screen(2))
            for number in 1...2 { try await node.phone(number) }
            try await node.activity(1, age: due)
            try await node.activity(2, age: overdue)
            try await node.report()
            try await eventually("the older one ended") { ended.all.last?.event == .end }
            #expect(ended.sub == Farewell.words, "\(ended.all.map(\.event))")
            let end = try #require(ended.aps.last)
            #expect(end["dismissal-date"] as? Int == (end["timestamp"] as? Int).map { $0 + 4 * 3600 })
            try await node.report(balls: 8)
            try await eventually("the younger one goes on") { kept.all.count > 1 }
            #expect(kept.all.allSatisfy { $0.event == .update })
        }
    }

    /// A phone with an activity on the match's first channel, and its received pushes; the channel is old.
    private func phoneOnChannel(
        _ setup: PushSetup,
        _ node: PushNode,
        age: Duration
    ) async throws -> (channel: ChannelID, log: PhoneLog) {
        // Its app has started the activity: the token for starts comes later.
        try await node.phone(1, abilities: [.activities, .frequentPushes, .alerts, .channels])
        try await node.report()
        let channel = try await node.requestedChannel()
        let log = PhoneLog()
        #expect(setup.apple.subscribe(channel: channel, subscriber: 1) { log.show($0) })
        try await node.activity(1, name: "old", route: .channel(channel))
        try await node.phone(1, abilities: [.activities, .frequentPushes, .alerts, .channels], startToken: 101)
        let back = Statement("update channel set opened_at = now() - make_interval(secs => $1)")
        try await setup.pool.execute(back, [.double(Double(age.milliseconds) / 1000)])
        return (channel, log)
    }

    @Test("23: while starts are switched off nothing is renewed, and what is overdue still ends with a text")
    func overdueActivitiesEndWhileStartsAreOff() async throws {
        try await PushSetup.withAudience { setup, node in
            await node.push.dispatcher.allowStarts(false)
            let (start, kept, ended) = (setup.screen(102, .pushToStart), setup.screen(2), setup.screen(3))
            try await node.phone(2, startToken: 102)
            try await node.activity(2, age: due)
            try await node.phone(3)
            try await node.activity(3, age: overdue)
            let (_, old) = try await phoneOnChannel(setup, node, age: overdue)
            try await eventually("the one on a token ended") { ended.all.last?.event == .end }
            try await eventually("those on the channel ended") { old.all.last?.event == .end }
            #expect(ended.sub == Farewell.words && old.sub == Farewell.words)
            #expect(start.all.isEmpty && kept.all.allSatisfy { $0.event == .update })
            await node.push.dispatcher.allowStarts(true)
            try await eventually("the due one is started again") { start.all.count == 1 }
        }
    }

    @Test("23: a channel's phones move to the next one, silently, and the old one ends when all have moved")
    func phonesMoveToTheNextChannel() async throws {
        try await PushSetup.withAudience { setup, node in
            let (start, next) = (setup.screen(101, .pushToStart), PhoneLog())
            let (first, old) = try await phoneOnChannel(setup, node, age: due)
            try await eventually("it is started again") { start.all.count == 1 }
            let channels = try await node.follow.channels.channels(of: Samples.match)
            let second = try #require(channels.last { $0.isCurrent }?.channel)
            #expect(second != first && channels.map(\.retiredAt) == [nil, nil])
            #expect(start.aps.first?["input-push-channel"] as? String == second.text)
            #expect(setup.apple.subscribe(channel: second, subscriber: 1) { next.show($0) })
            try await node.report(balls: 9)
            try await eventually("both are shown the next ball") { old.all.count > 0 && next.all.count > 0 }
            #expect(old.all.allSatisfy { $0.event == .update })
            #expect(old.aps.allSatisfy { $0["alert"] == nil }, "no alert is sent twice")

            try await node.activity(1, name: "new", route: .channel(second), sequence: 2)
            try await eventually("the old one ended") { old.all.last?.event == .end }
            let newest = try await node.report(balls: 11)
            try await eventually("the new one goes on") { next.all.last?.revision == newest }
            #expect(next.all.allSatisfy { $0.event == .update } && start.all.count == 1)
            #expect(try await setup.number(Statement("select count(*) from activity where state = 1")) == 1)
        }
    }

    /// Plans starts of another match, which are due in years, until the dispatcher has no capacity left.
    private func fill(_ setup: PushSetup, _ node: PushNode, with match: MatchID) async throws {
        // The first start of each call is due at once.
        _ = setup.screen(999, .pushToStart)
        try await node.report(match)
        try await eventually("it is published") { node.publications.current(match) != nil }
        let content = try #require(node.publications.current(match)).startContent(
            StartForm(variant: .own),
            ownType: APNsTestAccount.attributesType,
            at: ServiceClock().wall
        )
        let recipient = PushRecipient(
            device: PushSetup.device(999),
            generation: 1,
            environment: .sandbox,
            token: PushSetup.token(999)
        )
        let starts = Array(repeating: PushStart(recipient, subscription: .token), count: 2_000)
        while await node.push.dispatcher.hasRoom {
            await node.push.dispatcher.start(starts, with: content, over: .seconds(1_000_000_000))
        }
    }

    @Test("23: a channel's phones are started while the dispatcher has capacity, and the others in a later round")
    func phonesOfAChannelWaitForCapacity() async throws {
        try await PushSetup.withAudience { setup, node in
            let (start, ended) = (setup.screen(101, .pushToStart), setup.screen(2))
            let other = MatchID(unchecked: "other")
            try await fill(setup, node, with: other)
            _ = try await phoneOnChannel(setup, node, age: due)
            try await eventually("the channel has a successor") {
                try await node.follow.channels.channels(of: Samples.match).count == 2
            }
            // Its end shows that another round was made.
            try await node.phone(2)
            try await node.activity(2, age: overdue)
            try await eventually("the overdue one ended") { ended.all.last?.event == .end }
            let marked = Statement("select count(*) from follow where start_sent_at is not null")
            #expect(try await setup.number(marked) == 0, "no start is planned without capacity")
            await node.push.dispatcher.forget(other)
            try await eventually("the phone is started") { start.all.count == 1 }
        }
    }

    @Test("23: the end of a channel by a node that died is repeated by its successor")
    func aSuccessorRepeatsTheEndOfAChannel() async throws {
        try await PushSetup.withAudience { setup, node in
            let (channel, old) = try await phoneOnChannel(setup, node, age: .seconds(60))
            try await node.report(balls: 9)
            try await eventually("the match is shown") { !old.all.isEmpty }
            let ended = Statement(
                "update channel set swept_at = now(), superseded_at = now(), retired_at = now() where channel_id = $1"
            )
            // Until it is taken over, as if APNs had accepted it right now.
            try await eventually("the phone that was off receives it") {
                try await setup.pool.execute(ended, [.text(channel.text)])
                return old.all.last?.event == .end
            }
            let end = try #require(old.aps.last)
            #expect(end["dismissal-date"] as? Int == end["timestamp"] as? Int, "it is replaced")
            try await eventually("at each of its steps") { old.all.count { $0.event == .end } >= 4 }
        }
    }

    @Test("23: a phone that has not moved in time receives an end with a text")
    func anOverdueChannelIsEnded() async throws {
        try await PushSetup.withAudience { setup, node in
            let (_, old) = try await phoneOnChannel(setup, node, age: overdue)
            try await eventually("it ended") { old.all.last?.event == .end }
            #expect(old.sub == Farewell.words)
            try await eventually("it is closed") {
                try await setup.number(Statement("select count(*) from activity where state = 3")) == 1
            }
        }
    }
}
