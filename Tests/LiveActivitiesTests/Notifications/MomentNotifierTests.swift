// Notifications from the store of followers through the real dispatcher to a simulated APNs.

import FollowService
import Foundation
import MatchEngine
import MatchJournal
import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities

@Suite(.timeLimit(.minutes(2))) struct MomentNotifierTests {
    @Test func aWicketNotifiesDevicesWithoutAnActivityOnly() async throws {
        let setup = try await Setup()
        let plain = try await setup.phone(1)
        let resultsOnly = try await setup.phone(2, alerts: [.result])
        let otherSide = try await setup.phone(3, intent: .second)
        let withActivity = try await setup.phone(4)
        try await setup.activity(4)
        // An hour on both sides of now, in Kolkata.
        let minute = Int16((ServiceClock().wall.seconds + 19_800) / 60 % 1_440)
        let quiet = try await setup.phone(
            5,
            profile: DeviceProfile(timeZone: "Asia/Kolkata"),
            quietHours: QuietHours(from: (minute + 1_380) % 1_440, until: (minute + 60) % 1_440)
        )

        setup.notifier.announce(setup.announcement([try setup.wicket(1)], revision: 7))
        try await eventually("both are notified") { plain.all.count == 1 && quiet.all.count == 1 }
        let aps = try #require(plain.aps.first)
        #expect(aps["thread-id"] as? String == "match-ipl-final")
        #expect(aps["interruption-level"] as? String == "time-sensitive")
        #expect(aps["category"] as? String == "surface-update")
        #expect(aps["sound"] as? String == "default")
        let sideCar = try #require(plain.bodies.first?["liveSurface"] as? [String: Any])
        #expect(sideCar["kind"] as? String == "surface_snapshot")
        #expect(sideCar["snapshotId"] as? String == "match-ipl-final@7")
        #expect(quiet.aps.first?["interruption-level"] as? String == "passive")
        #expect(quiet.aps.first?["sound"] == nil)
        #expect(quiet.all.first?.priority == 5 && plain.all.first?.priority == 10)

        setup.notifier.announce(setup.announcement([try setup.result()], revision: 8))
        try await eventually("the result is sent") {
            resultsOnly.all.count == 1 && otherSide.all.count == 1 && plain.all.count == 2
        }
        #expect(withActivity.all.isEmpty, "an activity receives its own alerts")
        await setup.stop()
    }

    @Test func oldMomentsAreNotSentAndDeadTokensAreRemoved() async throws {
        let setup = try await Setup()
        let phone = try await setup.phone(1)
        let gone = try await setup.phone(2)
        setup.notifier.announce(setup.announcement([try setup.wicket(1)], revision: 7, age: .seconds(61)))
        setup.apple.unregister(token: Setup.token(2), at: ServiceClock().wall)
        setup.notifier.announce(setup.announcement([try setup.milestone(), try setup.wicket(2)], revision: 8))
        try await eventually("the dead token is dropped") {
            try await setup.stores.devices.find(Setup.device(2))?.alertToken == nil
        }
        try await eventually("the other one has it") { !phone.all.isEmpty }
        #expect(phone.all.count == 1, "two moments of one ball are one notification")
        #expect((phone.aps.first?["alert"] as? [String: Any])?["title"] as? String == "Wicket! Sharma out")
        #expect(gone.all.isEmpty)
        await setup.stop()
    }

    @Test func aPageIsRecordedWhenAnsweredAndTheNextOneWaits() async throws {
        let setup = try await Setup(bounds: (page: 2, underWay: 2))
        let arrivals = Mutex<[ContinuousClock.Instant]>([])
        await setup.apple.interfere { _ in
            arrivals.withLock { $0.append(.now) }
            return .delay(.seconds(4))
        }
        var phones: [PhoneLog] = []
        for number in 1...6 { phones.append(try await setup.phone(number)) }
        setup.notifier.announce(setup.announcement([try setup.wicket(1)], revision: 7))
        try await eventually("the first page has arrived") { arrivals.withLock { $0.count } >= 2 }
        #expect(try await setup.unannounced(7) == 1024, "and was not answered")
        try await eventually("all are notified") { phones.allSatisfy { $0.all.count == 1 } }
        try await eventually("all is recorded") { try await setup.unannounced(7) == 0 }
        let times = arrivals.withLock { $0 }
        #expect(times.count == 6)
        #expect(
            times[2] - times[0] >= .milliseconds(3_900),
            "the second page has waited for the answers to the first one"
        )
        await setup.stop()
    }

    @Test func aPageLostBeforeItsAnswersIsSentAgain() async throws {
        let setup = try await Setup()
        let phone = try await setup.phone(1)
        let hasArrived = Mutex(false)
        await setup.apple.interfere { _ in
            hasArrived.withLock { $0 = true }
            return .silence
        }
        setup.notifier.announce(setup.announcement([try setup.wicket(1)], revision: 7))
        try await eventually("Apple has it") { hasArrived.withLock { $0 } }
        #expect(await setup.dispatcher.noticesUnderWay == 1)
        await setup.crash()
        await setup.apple.interfere(nil)
        #expect(try await setup.unannounced(7) == 1024)
        #expect(phone.all.isEmpty)
        await setup.stop()
    }

    /// A store, a dispatcher and a simulated APNs.
    private struct Setup {
        let apple: APNsSimulator
        let notifier: MomentNotifier
        let dispatcher: Dispatcher
        let stores: FollowerStores
        private let folder: URL
        private let pool: Pool
        private let tasks: [Task<Void, Never>]

        init(
            bounds: (page: Int, underWay: Int) = (
                LiveActivityLimits.recipientsPerPage, LiveActivityLimits.notificationsUnderWay
            )
        ) async throws {
            let (clock, info) = (ServiceClock(), try await ScratchDatabase.make())
            pool = Pool(info, size: 4, name: "alerts-test")
            try await pool.execute(Statement("update bucket_owner set term = 1"))
            stores = FollowerStores(
                pool: pool,
                clock: clock,
                arenas: ArenaIndex(info: info, pool: pool, clock: clock)
            )
            folder = FileManager.default.temporaryDirectory.appending(path: "notifier-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            let account = try await APNsTestAccount.open(in: folder)
            apple = account.simulator
            let dispatcher = Dispatcher(
                configuration: try account.dispatcherConfiguration(),
                tokens: NoTokens(),
                progress: NoProgress(),
                channels: NoChannels(),
                providerTokens: MemoryProviderTokens(),
                clock: clock,
                observer: OutcomeRecorder(stores: stores)
            )
            self.dispatcher = dispatcher
            let notifier = MomentNotifier(
                audience: stores.alertAudience,
                dispatcher: dispatcher,
                buckets: { Bucket.all },
                term: { Term(1) },
                clock: clock,
                scheme: "score",
                bounds: bounds
            )
            self.notifier = notifier
            tasks = [Task { await dispatcher.run() }, Task { await notifier.run() }]
        }

        /// Buckets in which a revision was not announced.
        func unannounced(_ revision: Int64) async throws -> Int {
            try await stores.alertAudience.unannounced(Samples.match, revision: revision, term: Term(1), of: Bucket.all)
                .count
        }

        /// Stops the notifier with its open work.
        func crash() async {
            tasks.last?.cancel()
            await tasks.last?.value
        }

        func stop() async {
            for task in tasks {
                task.cancel()
                await task.value
            }
            await apple.stop()
            await pool.close()
            try? FileManager.default.removeItem(at: folder)
        }

        static func device(_ number: Int) -> DeviceID { DeviceID(high: 7, low: UInt64(number)) }
        static func token(_ number: Int) -> PushToken {
            PushToken(bytes: [UInt8](repeating: UInt8(number), count: 32)) ?? token(1)
        }

        func phone(
            _ number: Int,
            alerts: AlertKinds = .all,
            intent: TeamIntent = .neither,
            profile: DeviceProfile = DeviceProfile(),
            quietHours: QuietHours? = nil
        ) async throws -> PhoneLog {
            let screen = PhoneLog()
            apple.register(token: Self.token(number), kind: .alert) { screen.show($0) }
            _ = try await stores.devices.register(
                NewDevice(
                    device: Self.device(number),
                    environment: .sandbox,
                    bundleID: APNsTestAccount.bundleID,
                    abilities: [.activities, .alerts],
                    schemaVersion: 1,
                    profile: profile,
                    credentialHash: [UInt8](repeating: UInt8(number), count: 32),
                    quietHours: quietHours
                )
            )
            _ = try await stores.devices.setToken(
                DeviceTokenRegistration(
                    device: Self.device(number),
                    kind: .alert,
                    token: Self.token(number),
                    environment: .sandbox,
                    clientSequence: 1
                )
            )
            _ = try await stores.follows.put(
                FollowSettings(match: Samples.match, teamIntent: intent, alerts: alerts),
                of: Self.device(number),
                clientSequence: 1
            )
            return screen
        }

        func activity(_ number: Int) async throws {
            _ = try await stores.activities.register(
                ActivityRegistration(
                    device: Self.device(number),
                    match: Samples.match,
                    activityID: ActivityID(unchecked: "activity-\(number)"),
                    environment: .sandbox,
                    route: .token(Self.token(number + 100)),
                    startedAt: ServiceClock().wall,
                    clientSequence: 1
                )
            )
        }

        func wicket(_ number: Int) throws -> Moment {
            moment("w:1:\(number)", .wicket, side: .first, "Wicket! Sharma out")
        }

        func milestone() throws -> Moment { moment("b50:1:x", .fifty, side: .first, "Fifty") }
        func result() throws -> Moment { moment("res", .result, side: nil, "MI won") }

        private func moment(_ key: String, _ kind: Moment.Kind, side: Side?, _ title: String) -> Moment {
            Moment(key, kind, .loud, subject: "x", side: side, title: title, body: "MI 87/6")
        }

        func announcement(_ moments: [Moment], revision: Int64, age: Duration = .zero) -> MomentAnnouncement {
            MomentAnnouncement(
                match: Samples.match,
                revision: revision,
                committedAt: ServiceClock().wall + (.zero - age),
                moments: SelectableMoment.choices(of: moments),
                state: Samples.replica(balls: 12).state,
                info: Samples.info()
            )
        }
    }
}
