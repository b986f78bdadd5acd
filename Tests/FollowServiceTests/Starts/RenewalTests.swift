import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService

/// An activity that grows too old is started again if the person still follows, and ended once it is renewed.
@Suite struct RenewalTests {
    private let channel = ChannelID("b2xk")

    private func phone(_ store: Store, _ number: UInt64, route: ActivityRoute, follows: Bool = true) async throws {
        try await store.registerDevice(number, abilities: [.activities, .frequentPushes, .alerts])
        if follows {
            _ = try await store.follows.put(FollowSettings(match: .final), of: device(number), clientSequence: 1)
        }
        try await register(store, number, route: route, seq: 1)
    }

    private func register(_ store: Store, _ number: UInt64, route: ActivityRoute, seq: Int64) async throws {
        _ = try await store.activities.register(
            ActivityRegistration(
                device: device(number),
                match: .final,
                activityID: ActivityID(unchecked: "A-\(seq)"),
                environment: .sandbox,
                route: route,
                startedAt: store.time.now,
                clientSequence: seq
            )
        )
    }

    private func starts(_ store: Store, _ numbers: ClosedRange<UInt64>) async throws -> Set<DeviceID> {
        let renewals = Renewals(activities: store.activities)
        return Set(try await renewals.start(numbers.map { device($0) }, of: .final).map(\.target.device))
    }

    @Test func aFollowerIsRenewedOnce() async throws {
        let store = try await Store()
        try await phone(store, 1, route: .token(token(1)))
        try await phone(store, 2, route: .token(token(2)), follows: false)
        try await phone(store, 3, route: .token(token(3)))
        _ = try await store.activities.end(
            ActivityEnd(
                device: device(3),
                activityID: ActivityID(unchecked: "A-1"),
                reason: .dismissed,
                clientSequence: 2
            )
        )
        #expect(try await starts(store, 1...3) == [device(1)], "neither after an unfollow nor after a dismissal")
        #expect(try await store.number(Statement("select count(*) from activity where state = 1")) == 2, "none ended")
        store.time.advance(by: FollowLimits.unrenewedAge - FollowLimits.renewalAge - .seconds(1))
        #expect(try await starts(store, 1...3).isEmpty, "one start for one renewal, whichever node selects it")
        store.time.advance(by: FollowLimits.renewalAge)
        #expect(try await starts(store, 1...3) == [device(1)], "the next renewal is another")
    }

    @Test func anActivityThatIsNotRenewedIsEnded() async throws {
        let store = try await Store()
        let renewals = Renewals(activities: store.activities)
        try await phone(store, 1, route: .token(token(1)))
        try await phone(store, 2, route: .token(token(2)))
        try await register(store, 2, route: .token(token(22)), seq: 2)
        let old = [1, 2].map { HeldActivity(device: device($0), generation: 1, startedAt: 0, environment: .sandbox) }
        let ending = try await renewals.end(old, of: .final)
        #expect(ending.map(\.device) == [device(1)] && ending.allSatisfy { $0.reason == .expired })
        #expect(try await renewals.end(old, of: .final).count == 1, "the end is repeated until it is answered")
        #expect(try await store.activities.finishEnd(of: ending) == 1)
        #expect(try await renewals.end(old, of: .final).isEmpty)
    }

    @Test func aChannelIsEmptyAfterAllActivitiesMoved() async throws {
        let store = try await Store()
        let renewals = Renewals(activities: store.activities)
        let (channel, next) = (try #require(channel), try #require(ChannelID("bmV4dA==")))
        let all = 1...20 as ClosedRange<UInt64>
        for number in all { try await phone(store, number, route: .channel(channel), follows: number != 20) }
        #expect(try await renewals.isEmpty(channel, of: .final) == false)
        var seen: [DeviceID] = []
        for bucket in Bucket.all {
            let waiting = try await renewals.waiting(on: channel, of: .final, in: bucket)
            seen += try await renewals.start(waiting, of: .final).map(\.target.device)
            #expect(
                try await renewals.waiting(on: channel, of: .final, in: bucket).isEmpty,
                "no activity is selected twice"
            )
        }
        #expect(seen.count == 19 && Set(seen) == Set((1...19).map { device($0) }))
        #expect(try await renewals.isEmpty(channel, of: .final) == false, "the old ones are kept")
        for number in all { try await register(store, number, route: .channel(next), seq: 2) }
        #expect(try await renewals.isEmpty(channel, of: .final))
    }
}

/// The old activity is kept until its device shows the new one.
@Suite struct RenewalScheduleTests {
    private let end = Instant(milliseconds: 1_000_000)
    private let start = Instant(milliseconds: 9_000_000)

    private func aged(_ number: UInt64, generation: Int32 = 1, startedAt: UInt32 = 2_000) -> HeldActivity {
        HeldActivity(device: device(number), generation: generation, startedAt: startedAt, environment: .sandbox)
    }

    @Test func aRenewedActivityIsKeptUntilItIsReplaced() throws {
        var book = RenewalSchedule()
        #expect(book.look(at: [aged(1), aged(2)], endingBefore: end, now: start).due == [aged(1), aged(2)])
        let unmarked = book.look(at: [aged(1)], endingBefore: end, now: start)
        #expect(unmarked.due == [aged(1)], "unmarked, it is selected again")
        for number in 1...2 as ClosedRange<UInt64> { book.keep(aged(number), token: try token(number), at: start) }
        let still = book.look(at: [aged(1), aged(2)], endingBefore: end, now: start)
        #expect(still.due.isEmpty && still.gone.isEmpty && still.overdue.isEmpty)
        let renewed = book.look(at: [aged(2)], endingBefore: end, now: start)
        #expect(renewed.gone.map(\.activity) == [aged(1)])
        #expect(renewed.gone.map(\.token) == [try token(1)], "the old activity ends on its own token")
        #expect(book.look(at: [aged(2)], endingBefore: end, now: start).gone.isEmpty, "it is selected once")
    }

    @Test func aNewTokenOfAnActivityIsNoNewActivity() throws {
        var book = RenewalSchedule()
        book.keep(aged(1), token: try token(1), at: start)
        let rotated = book.look(at: [aged(1, generation: 2)], endingBefore: end, now: start)
        #expect(rotated.gone.isEmpty && rotated.due == [aged(1, generation: 2)])
        book.keep(aged(1, generation: 2), token: try token(2), at: start)
        #expect(book.look(at: [], endingBefore: end, now: start).gone.map(\.token) == [try token(2)])
    }

    @Test func aStartWithoutASecondActivityIsTriedAgain() throws {
        var book = RenewalSchedule()
        for number in 1...2 as ClosedRange<UInt64> { book.keep(aged(number), token: try token(number), at: start) }
        let all = [aged(1), aged(2)]
        let again = start + FollowLimits.renewalRetryTime
        #expect(book.look(at: all, endingBefore: end, now: again - .milliseconds(1)).due.isEmpty)
        #expect(book.look(at: all, endingBefore: end, now: again).due == all)
        #expect(book.look(at: all, endingBefore: end, now: again).due == all, "until it is started")
        book.keep(aged(1), token: try token(1), at: again)
        #expect(book.look(at: all, endingBefore: end, now: again).due == [aged(2)])
        let renewed = book.look(at: [aged(2)], endingBefore: end, now: again)
        #expect(renewed.gone.map(\.token) == [try token(1)], "its old activity is still kept")
    }

    @Test func triedRenewalsDoNotDelayOthers() throws {
        var book = RenewalSchedule()
        let token = try token(1)
        let off = (0..<UInt64(FollowLimits.renewalsUnderWay)).map { aged($0) }
        for activity in off { book.keep(activity, token: token, at: start) }
        let again = start + FollowLimits.renewalRetryTime
        let other = aged(UInt64(FollowLimits.renewalsUnderWay))
        let round = book.look(at: off + [other], endingBefore: end, now: again)
        #expect(round.due.first == other && round.due.count == FollowLimits.renewalsPerRound)
        for activity in round.due.dropFirst() { book.keep(activity, token: token, at: again) }
        #expect(book.look(at: off, endingBefore: end, now: again).gone.isEmpty)
        #expect(book.look(at: [], endingBefore: end, now: again).gone.count == off.count, "none was forgotten")
    }

    @Test func anActivityNotRenewedInTimeIsEnded() throws {
        var book = RenewalSchedule()
        let late = aged(1, startedAt: 999)
        book.keep(late, token: try token(1), at: start)
        let round = book.look(at: [late, aged(2, startedAt: 1_000)], endingBefore: end, now: start)
        #expect(round.overdue == [late] && round.gone.isEmpty && round.due == [aged(2, startedAt: 1_000)])
        #expect(book.look(at: [], endingBefore: end, now: start).gone.isEmpty, "what was ended is not ended again")
    }

    @Test func renewalsAboveTheLimitWaitForTheNextRound() throws {
        var book = RenewalSchedule()
        let many = (0..<UInt64(FollowLimits.renewalsPerRound) + 5).map { aged($0) }
        let first = book.look(at: many, endingBefore: end, now: start)
        #expect(first.due.count == FollowLimits.renewalsPerRound)
        let token = try token(1)
        for activity in first.due { book.keep(activity, token: token, at: start) }
        #expect(book.look(at: many, endingBefore: end, now: start).due == Array(many.suffix(5)))
    }

    @Test func phonesWithoutAnAnswerDoNotDelayOthers() throws {
        var book = RenewalSchedule()
        let off = (0..<UInt64(FollowLimits.renewalsUnderWay)).map { aged($0) }
        let token = try token(1)
        for activity in off { book.keep(activity, token: token, at: start) }
        let other = aged(UInt64(FollowLimits.renewalsUnderWay))
        #expect(book.look(at: off + [other], endingBefore: end, now: start).due == [other])
        book.keep(other, token: token, at: start)
        #expect(book.look(at: off + [other], endingBefore: end, now: start).due.isEmpty, "they are not selected again")
        let renewed = book.look(at: Array(off.dropFirst()), endingBefore: end, now: start)
        #expect(renewed.gone.map(\.activity) == [other], "the oldest was forgotten, and is not ended by renewals")
        let late = aged(1, startedAt: 900)
        let last = book.look(at: [late] + off.dropFirst(2), endingBefore: end, now: start)
        #expect(last.overdue == [late], "all end in time")
        let again = aged(2, startedAt: 30_000)
        #expect(book.look(at: [again], endingBefore: end, now: start).due == [again], "its next renewal is another")
    }
}
