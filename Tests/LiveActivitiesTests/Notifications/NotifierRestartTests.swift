// A notification that APNs accepted is not sent again after a restart, however slow the store and APNs are.

import Foundation
import MatchJournal
import Postgres
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(3))) struct NotifierRestartTests {
    @Test("a head that is newer than the announced revision announces no moment again", arguments: [false, true])
    func aNewerHeadAnnouncesNothingAgain(isCrash: Bool) async throws {
        let setup = try await NotifierSetup()
        let phone = try await setup.phone(1)
        let wicket = setup.wicket(1, at: 7)
        setup.announce([wicket], revision: 7)
        try await eventually("it is recorded") { try await setup.unannounced(7) == 0 }
        if isCrash { await setup.kill() } else { await setup.leave() }
        try await setup.start()
        // A ball came in between: the head of the new node is revision 9, with the moments of the last minute.
        let next = setup.wicket(2, at: 9)
        setup.announce([wicket, next], revision: 9)
        try await eventually("the new moment is sent") { phone.all.count == 2 }
        try await eventually("it is recorded") { try await setup.unannounced(9) == 0 }
        #expect(setup.doubles.isEmpty)
        #expect(phone.bodies.last?["liveSurface"] != nil)
        await setup.stop()
    }

    @Test("a stop waits for open answers and records them")
    func aStopRecordsWhatIsAnsweredMeanwhile() async throws {
        let setup = try await NotifierSetup()
        let phones = [try await setup.phone(1), try await setup.phone(2), try await setup.phone(3)]
        let arrivals = Mutex(0)
        await setup.apple.interfere { _ in
            arrivals.withLock { $0 += 1 }
            return .delay(.milliseconds(900))
        }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("APNs has all") { arrivals.withLock { $0 } == 3 }
        await setup.leave()
        #expect(phones.allSatisfy { $0.all.count == 1 })
        try await setup.start()
        #expect(try await setup.unannounced(7) == 0)
        await setup.stop()
    }

    @Test("a stop counts a request without an answer as sent, and leaves the waiting ones to the successor")
    func aStopCountsAnOpenRequestAsSent() async throws {
        let setup = try await NotifierSetup()
        let (silent, refused) = (try await setup.phone(1), try await setup.phone(2))
        let first = NotifierSetup.token(1).bytes
        let arrivals = Mutex<Set<[UInt8]>>([])
        await setup.apple.interfere { arrival in
            arrivals.withLock { _ = $0.insert(arrival.recipient) }
            return arrival.recipient == first ? .silence : .answer(status: 429, reason: "TooManyRequests")
        }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("APNs has both") { arrivals.withLock { $0.count } == 2 }
        await setup.leave()
        await setup.apple.interfere(nil)
        try await setup.start()
        setup.announce([setup.wicket(1, at: 7)], revision: 8)
        try await eventually("the refused one is sent") { refused.all.count == 1 }
        try await eventually("it is recorded") { try await setup.unannounced(7) == 0 }
        #expect(silent.all.isEmpty, "its fate is unknown, so it is not repeated")
        await setup.stop()
    }

    @Test("buckets that a node takes over do not wait for an answer to the same announcement")
    func bucketsThatAreTakenOverDoNotWait() async throws {
        let setup = try await NotifierSetup()
        let (refused, other) = (try await setup.phone(1), try await setup.phone(2))
        let first = NotifierSetup.token(1).bytes
        let isAsked = Mutex(false)
        await setup.apple.interfere { arrival in
            guard arrival.recipient == first else { return nil }
            isAsked.withLock { $0 = true }
            return .answer(status: 429, reason: "TooManyRequests")
        }
        setup.owned.withLock { $0 = [Bucket(of: NotifierSetup.device(1))] }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("APNs refuses the first one") { isAsked.withLock { $0 } }
        setup.owned.withLock { $0 = Bucket.all }
        await setup.node.notifier.bucketsChanged()
        // The first bucket is recorded when its phone has an answer, or after the minute of the moment.
        try await eventually("the other one is notified", within: .seconds(30)) { other.all.count == 1 }
        #expect(refused.all.isEmpty)
        try await eventually("all buckets but the first are recorded", within: .seconds(30)) {
            try await setup.unannounced(7) == 1
        }
        #expect(setup.doubles.isEmpty)
        await setup.stop()
    }

    @Test("a store that fails between two pages does not repeat the first one")
    func aFailedReadRepeatsNothing() async throws {
        let setup = try await NotifierSetup(bounds: (page: 1, underWay: 1000))
        var phones: [PhoneLog] = []
        for number in 1...6 { phones.append(try await setup.phone(number)) }
        let admin = Pool(setup.info, size: 1, name: "admin")
        let isCut = Mutex(false)
        await setup.apple.interfere { _ in
            // The connections of the node are cut while it reads the next pages.
            let isFirst = isCut.withLock { cut in
                defer { cut = true }
                return !cut
            }
            if isFirst {
                Task {
                    let end = Statement(
                        "select pg_terminate_backend(pid) from pg_stat_activity where application_name like '%node-1%'"
                    )
                    _ = try? await admin.query(end) { try $0.bool(0) }
                }
            }
            return nil
        }
        setup.announce([setup.wicket(1, at: 7)], revision: 7)
        try await eventually("all are notified") { phones.allSatisfy { !$0.all.isEmpty } }
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        #expect(setup.doubles.isEmpty)
        await admin.close()
        await setup.stop()
    }

    @Test("orderly restarts with slow answers, a slow store and a busy machine repeat nothing", arguments: 1...4)
    func restartsRepeatNothing(seed: UInt64) async throws {
        var chance = SplitMix64(seed: seed)
        let setup = try await NotifierSetup(bounds: (page: 3, underWay: 6))
        var phones: [PhoneLog] = []
        for number in 1...9 { phones.append(try await setup.phone(number)) }
        let admin = Pool(setup.info, size: 1, name: "admin")
        let delays = Mutex((chance: SplitMix64(seed: seed &* 31), arrivals: 0))
        await setup.apple.interfere { _ in
            let wait = delays.withLock { delays in
                delays.arrivals += 1
                return Int.random(in: 0...700, using: &delays.chance)
            }
            return wait < 200 ? nil : .delay(.milliseconds(wait))
        }
        var (revision, moments): (Int64, [ConfirmedMoment]) = (0, [])
        for round in 1...5 {
            revision += .random(in: 1...3, using: &chance)
            let wicket = setup.wicket(round, at: revision)
            moments.append(wicket)
            let disturbance = chance.next()
            async let slow: Void = Self.disturb(admin, disturbance)
            let arrivals = delays.withLock { $0.arrivals } + Int.random(in: 0...8, using: &chance)
            setup.announce([wicket], revision: revision)
            try await eventually("APNs has some of them") { delays.withLock { $0.arrivals } >= arrivals }
            await setup.leave()
            await slow
            try await setup.start()
            // A new node publishes its head with the moments of the last minute; often a ball was added.
            revision += .random(in: 0...1, using: &chance)
            setup.announce(moments, revision: revision)
        }
        let last = try #require(moments.last).revision
        try await eventually("all is recorded", within: .seconds(40)) { try await setup.unannounced(last) == 0 }
        #expect(setup.doubles.isEmpty, "seed \(seed)")
        #expect(phones.allSatisfy { !$0.all.isEmpty }, "seed \(seed)")
        await admin.close()
        await setup.stop()
    }

    /// Holds the progress locked for a while, and keeps the processors busy.
    private static func disturb(_ admin: Pool, _ seed: UInt64) async {
        var chance = SplitMix64(seed: seed)
        let (lock, burn) = (Double.random(in: 0...0.9, using: &chance), Int.random(in: 0...300, using: &chance))
        for _ in 0..<4 {
            Task.detached {
                let end = ContinuousClock.now + .milliseconds(burn)
                while ContinuousClock.now < end {}
            }
        }
        _ = try? await admin.transaction { connection in
            try connection.execute(Statement("lock table fanout in exclusive mode"))
            _ = try connection.query(Statement("select pg_sleep($1)::text"), [.double(lock)]) { try $0.text(0) }
        }
    }
}
