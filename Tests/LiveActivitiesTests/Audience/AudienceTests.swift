// From followers in the store to activities on Lock Screens: each phone is started once, by its own route.

import FollowService
import Foundation
import MatchEngine
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import TestSupport
import Testing

@testable import LiveActivities
@testable import MatchJournal

@Suite(.timeLimit(.minutes(2))) struct AudienceTests {
    @Test("23: each phone is started once, with an alert, by a channel from iOS 18 and by a token before")
    func eachPhoneIsStartedOnceByItsRoute() async throws {
        try await PushSetup.withAudience { setup, node in
            let (old, new) = (setup.screen(101, .pushToStart), setup.screen(102, .pushToStart))
            try await node.phone(1, startToken: 101)
            try await node.phone(2, abilities: [.activities, .frequentPushes, .alerts, .channels], startToken: 102)
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
            // A later follower shows that the followers were read again, more than once.
            for late in 3...5 {
                let screen = setup.screen(100 + late, .pushToStart)
                try await node.phone(late, startToken: 100 + late)
                try await eventually("the late one was started") { screen.all.count == 1 }
            }
            #expect(old.all.count == 1 && new.all.count == 1, "no phone is started twice")
            #expect(setup.apple.statistics.traps.isEmpty)
        }
    }

    @Test("a phone without frequent pushes stays on a token from iOS 18 on: a broadcast has one priority for all")
    func aPhoneWithoutFrequentPushesStaysOnAToken() async throws {
        try await PushSetup.withAudience { setup, node in
            let screen = setup.screen(101, .pushToStart)
            try await node.phone(1, abilities: [.activities, .alerts, .channels], startToken: 101)
            try await node.report()
            try await eventually("it was started") { screen.all.count == 1 }
            #expect(screen.aps[0]["input-push-token"] as? Int == 1)
            #expect(screen.aps[0]["input-push-channel"] == nil)
            #expect(try await node.follow.channels.channels(of: Samples.match).isEmpty)
        }
    }

    @Test("tokens that cannot be read when a match begins are read later, without another ball")
    func unreadTokensAreReadLater() async throws {
        try await PushSetup.withAudience { setup, node in
            let screen = setup.screen(1)
            try await node.phone(1)
            try await node.activity(1)
            // The pools have a connection each before new ones are refused.
            try await node.report(MatchID(unchecked: "other"))
            try await setup.acceptConnections(false)
            var newest: Int64 = 0
            try await eventually("the report found a connection") {
                newest = (try? await node.report()) ?? 0
                return newest > 0
            }
            try await eventually("the match has begun") {
                await node.push.audience.matches[Samples.match]?.tokens == .unread
            }
            #expect(screen.all.isEmpty)
            try await setup.acceptConnections(true)
            try await eventually("the phone is current") { screen.all.last?.revision == newest }
        }
    }

    @Test("C24: a match without followers causes no channel and no push")
    func aMatchWithoutFollowersIsQuiet() async throws {
        try await PushSetup.withAudience { setup, node in
            let other = MatchID(unchecked: "other")
            for match in [Samples.match, other] { try await node.report(match) }
            // Followers of the other match show that the rounds of both have been made, more than once.
            for late in 1...3 {
                let screen = setup.screen(100 + late, .pushToStart)
                try await node.phone(
                    late,
                    follows: other,
                    abilities: [.activities, .frequentPushes, .alerts, .channels],
                    startToken: 100 + late
                )
                try await eventually("it was started") { screen.all.count == 1 }
            }
            #expect(try await node.follow.channels.channels(of: other).count == 1)
            #expect(try await node.follow.channels.channels(of: Samples.match).isEmpty)
            let counts = setup.apple.statistics
            #expect(counts.accepted - counts.broadcasts == 3, "\(counts.events)")
        }
    }

    @Test("I18: a match that an operator holds starts no activity, and its release starts all of them")
    func aHeldMatchStartsNoActivity() async throws {
        try await PushSetup.withAudience { setup, node in
            let (first, waiting) = (setup.screen(101, .pushToStart), setup.screen(102, .pushToStart))
            let other = MatchID(unchecked: "other")
            try await node.phone(1, startToken: 101)
            for match in [Samples.match, other] { try await node.report(match) }
            try await eventually("the match is on") { first.all.count == 1 }
            let journal = Journal(pool: setup.pool)
            #expect(try await journal.hold(Samples.match, reason: "wrong teams"))
            try await eventually("the hold is known") { await node.push.audience.held == [Samples.match] }
            try await node.phone(2, startToken: 102)
            // A follower of the other match shows that the followers were read again, more than once.
            for late in 3...4 {
                let screen = setup.screen(100 + late, .pushToStart)
                try await node.phone(late, startToken: 100 + late)
                _ = try await node.follow.follows.put(
                    FollowSettings(match: other),
                    of: PushSetup.device(late),
                    clientSequence: 2
                )
                try await eventually("it was started on the other one") { screen.all.count == 1 }
            }
            #expect(waiting.all.isEmpty)
            #expect(try await journal.release(Samples.match))
            try await eventually("it continues") { waiting.all.count == 1 }
        }
    }

    /// The match in play, or with a confirmed result.
    private func publication(_ revision: Int64, isFinal: Bool) throws -> Publication {
        var replica = Samples.replica(
            balls: 7,
            status: isFinal ? .result : .live,
            result: isFinal ? Samples.won : nil
        )
        if isFinal { replica.apply(.confirmed([MomentKey("res")])) }
        let now = ServiceClock().wall
        let row = PublicationRow(
            revision: revision,
            apnsTimestamp: now.seconds - 100 + revision,
            at: now,
            seenAt: now,
            priority: 5,
            alertKey: nil,
            cause: .reply
        )
        let batch = try #require(PublicationBatch([row], confirmed: [:], now: now))
        let epoch = try #require(Epoch("abcdEFG1"))
        let renderer = PublicationRenderer(scheme: "score")
        let publication = try #require(renderer.render(batch, of: replica, match: Samples.match, epoch: epoch))
        #expect(publication.isFinal == isFinal)
        return publication
    }

    @Test("a match that goes on after its end is not closed, and its followers are started")
    func aMatchThatGoesOnIsNotOver() async throws {
        try await PushSetup.withAudience { setup, node in
            let (early, late) = (setup.screen(101, .pushToStart), setup.screen(102, .pushToStart))
            try await node.phone(1, startToken: 101)
            try await node.push.publish(publication(1, isFinal: false))
            try await eventually("the match is on") { early.all.count == 1 }
            try await node.push.publish(publication(2, isFinal: true))
            #expect(await node.push.audience.matches[Samples.match]?.overAt != nil)
            try await node.push.publish(publication(3, isFinal: false))
            #expect(await node.push.audience.matches[Samples.match]?.overAt == nil)
            try await node.phone(2, startToken: 102)
            try await eventually("the late one was started") { late.all.count == 1 }
        }
    }

    @Test("starts precede the first ball, though the feed sends nothing more until then")
    func startsPrecedeTheFirstBall() async throws {
        try await PushSetup.withAudience { setup, node in
            let screen = setup.screen(101, .pushToStart)
            try await node.phone(1, startToken: 101)
            // Ten seconds ahead is as near as a match gets at this speed.
            let startsAt = ServiceClock().wall.seconds + 12
            try await node.report(balls: 0, status: .toss, startsAt: startsAt)
            try await eventually("it was started", within: .seconds(30)) { screen.all.count == 1 }
            #expect(ServiceClock().wall.seconds <= startsAt)
            let start = try #require(screen.aps.first)
            let (sent, stale) = (start["timestamp"] as? Int64 ?? 0, start["stale-date"] as? Int64 ?? 0)
            #expect(sent >= startsAt - 11 && stale == sent + 1800)
        }
    }

    @Test(
        "activities shown hours before the first ball are served, and no other match is that early",
        arguments: [7200, nil] as [Int64?]
    )
    func activitiesShownEarlyAreServed(ahead: Int64?) async throws {
        try await PushSetup.withAudience { setup, node in
            let (shown, started) = (setup.screen(1), setup.screen(102, .pushToStart))
            let startsAt = ahead.map { ServiceClock().wall.seconds + $0 }
            let other = MatchID(unchecked: "nobodys")
            for match in [Samples.match, other] {
                try await node.report(match, balls: 0, status: .scheduled, startsAt: startsAt)
            }
            try await node.phone(1)
            try await node.phone(2, startToken: 102)
            try await node.activity(1)
            try await eventually("it is attended") { await node.push.audience.matches[Samples.match] != nil }
            try await node.report(balls: 0, status: .toss, startsAt: startsAt)
            try await eventually("the toss arrives") { shown.all.count == 1 }
            #expect(await node.push.audience.matches[other] == nil, "no activity is left")
            #expect(started.all.isEmpty, "starts still have time")
        }
    }

    @Test("stumps: all activities end with the day's card, none starts at night, and all start in the morning")
    func stumpsEndActivitiesUntilTheNextDay() async throws {
        try await PushSetup.withAudience { setup, node in
            let (old, new) = (setup.screen(101, .pushToStart), setup.screen(102, .pushToStart))
            let shown = setup.screen(1)
            try await node.phone(1, startToken: 101)
            try await node.phone(2, abilities: [.activities, .frequentPushes, .alerts, .channels], startToken: 102)
            try await node.report()
            try await eventually("both were started") { old.all.count == 1 && new.all.count == 1 }
            let first = try #require(try await node.follow.channels.channels(of: Samples.match).first)
            let broadcasts = PhoneLog()
            #expect(setup.apple.subscribe(channel: first.channel, subscriber: 2) { broadcasts.show($0) })
            try await node.activity(1)
            try await node.activity(2, route: .channel(first.channel))

            try await node.report(balls: 8, status: .stumps)
            try await eventually("the card stays") {
                shown.all.last?.event == .end && broadcasts.all.last?.event == .end
            }
            for end in [shown.aps.last, broadcasts.aps.last] {
                let time = try #require(end?["timestamp"] as? Int)
                #expect(end?["dismissal-date"] as? Int == time + 4 * 3600)
            }
            let night = setup.screen(103, .pushToStart)
            try await node.phone(3, startToken: 103)
            try await node.report(balls: 8, status: .restDay)
            try await eventually("all are closed") {
                try await setup.number(Statement("select count(*) from activity where state <> 3")) == 0
            }
            #expect(old.all.count == 1 && new.all.count == 1 && night.all.isEmpty)

            try await node.report(balls: 9)
            try await eventually("all are started") {
                old.all.count == 2 && new.all.count == 2 && night.all.count == 1
            }
            let channels = try await node.follow.channels.channels(of: Samples.match)
            #expect(channels.first { $0.channel == first.channel }?.retiredAt != nil)
            let next = channels.last { $0.retiredAt == nil }?.channel.text
            #expect(new.aps.last?["input-push-channel"] as? String == next)
        }
    }
}
