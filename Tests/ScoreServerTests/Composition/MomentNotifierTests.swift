// Notifications from the store of followers through the true dispatcher to a simulated Apple.

import FollowService
import Foundation
import HTTP2
import MatchEngine
import MatchJournal
import Postgres
import Providers
import PushDispatcher
import ScoreTypes
import Simulators
import Synchronization
import Testing
import Waiting

@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct MomentNotifierTests {
    @Test func aWicketReachesThoseWhoAreToldByNotificationOnly() async throws {
        let stage = try await Stage()
        let plain = try await stage.phone(1)
        let resultsOnly = try await stage.phone(2, alerts: [.result])
        let otherSide = try await stage.phone(3, intent: .second)
        let withActivity = try await stage.phone(4)
        try await stage.activity(4)
        // An hour on both sides of now, in Kolkata.
        let minute = Int16((ServiceClock().wall.seconds + 19_800) / 60 % 1_440)
        let quiet = try await stage.phone(
            5,
            profile: DeviceProfile(timeZone: "Asia/Kolkata"),
            quietHours: QuietHours(from: (minute + 1_380) % 1_440, until: (minute + 60) % 1_440)
        )

        stage.notifier.take(stage.telling([try stage.wicket(1)], revision: 7))
        try await eventually("both were told") { plain.pushes.count == 1 && quiet.pushes.count == 1 }
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
        #expect(quiet.pushes.first?.priority == 5 && plain.pushes.first?.priority == 10)

        stage.notifier.take(stage.telling([try stage.result()], revision: 8))
        try await eventually("the result is told") {
            resultsOnly.pushes.count == 1 && otherSide.pushes.count == 1 && plain.pushes.count == 2
        }
        #expect(withActivity.pushes.isEmpty, "an activity tells its own alerts")
        await stage.stop()
    }

    @Test func whatIsTooOldIsNotToldAndDeadTokensAreDropped() async throws {
        let stage = try await Stage()
        let phone = try await stage.phone(1)
        let gone = try await stage.phone(2)
        stage.notifier.take(stage.telling([try stage.wicket(1)], revision: 7, age: .seconds(61)))
        stage.apple.unregister(token: Stage.token(2), at: ServiceClock().wall)
        stage.notifier.take(stage.telling([try stage.milestone(), try stage.wicket(2)], revision: 8))
        try await eventually("the dead token is dropped") {
            try await stage.devices.find(Stage.device(2))?.alertToken == nil
        }
        try await eventually("the other one is told") { !phone.pushes.isEmpty }
        #expect(phone.pushes.count == 1, "two moments of one ball are told once")
        #expect((phone.aps.first?["alert"] as? [String: Any])?["title"] as? String == "Wicket! Sharma out")
        #expect(gone.pushes.isEmpty)
        await stage.stop()
    }

    @Test func aPageIsToldOnceItWasAnsweredAndTheNextOneWaitsForRoom() async throws {
        let stage = try await Stage(bounds: (page: 2, underWay: 2))
        let arrivals = Mutex<[ContinuousClock.Instant]>([])
        await stage.apple.interfere { _ in
            arrivals.withLock { $0.append(.now) }
            return .delay(.seconds(4))
        }
        var phones: [Screen] = []
        for number in 1...6 { phones.append(try await stage.phone(number)) }
        stage.notifier.take(stage.telling([try stage.wicket(1)], revision: 7))
        try await eventually("the first page has arrived") { arrivals.withLock { $0.count } >= 2 }
        #expect(try await stage.untold(7) == 1024, "and was not answered")
        try await eventually("all were told") { phones.allSatisfy { $0.pushes.count == 1 } }
        try await eventually("all is recorded") { try await stage.untold(7) == 0 }
        let times = arrivals.withLock { $0 }
        #expect(times.count == 6)
        #expect(times[2] - times[0] >= .milliseconds(3_900), "the second page has waited for the first one's answers")
        await stage.stop()
    }

    @Test func aPageThatIsLostBeforeItsAnswersCountsAsUntold() async throws {
        let stage = try await Stage()
        let phone = try await stage.phone(1)
        let hasArrived = Mutex(false)
        await stage.apple.interfere { _ in
            hasArrived.withLock { $0 = true }
            return .silence
        }
        stage.notifier.take(stage.telling([try stage.wicket(1)], revision: 7))
        try await eventually("Apple has it") { hasArrived.withLock { $0 } }
        #expect(await stage.dispatcher.noticesUnderWay == 1)
        await stage.crash()
        await stage.apple.interfere(nil)
        #expect(try await stage.untold(7) == 1024)
        #expect(phone.pushes.isEmpty)
        await stage.stop()
    }

    /// A store, a dispatcher and an Apple.
    private struct Stage {
        let apple: APNsSimulator
        let notifier: MomentNotifier
        let dispatcher: Dispatcher
        let audience: AlertAudience
        let devices: Devices
        private let follows: Follows
        private let activities: Activities
        private let pool: Pool
        private let tasks: [Task<Void, Never>]

        init(
            bounds: (page: Int, underWay: Int) = (MomentNotifier.pageMax, MomentNotifier.underWayMax)
        ) async throws {
            let clock = ServiceClock()
            pool = Pool(try await ScratchDatabase.make(), size: 4, name: "alerts-test")
            try await pool.execute(Statement("update bucket_owner set term = 1"))
            devices = Devices(pool: pool, clock: clock, onWritten: {})
            follows = Follows(pool: pool, clock: clock)
            activities = Activities(pool: pool, clock: clock, onWritten: {})
            let key = try #require(DemoKeyPair())
            let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
            apple = try await APNsSimulator.start(
                APNsSimulatorConfiguration(
                    bundleID: "app.score",
                    teamID: "TEAMTEAM01",
                    keyID: "ABCDEFGHIJ",
                    publicKeyPEM: key.publicPEM,
                    identity: identity
                )
            )
            let door = DispatcherConfiguration.Endpoint(host: "127.0.0.1", port: UInt16(apple.pushPort))
            let dispatcher = Dispatcher(
                configuration: DispatcherConfiguration(
                    bundleID: "app.score",
                    teamID: "TEAMTEAM01",
                    keyID: "ABCDEFGHIJ",
                    signingKey: try SigningKey(pem: key.privatePEM),
                    environments: [.sandbox: DispatcherConfiguration.Endpoints(push: door, management: door)],
                    authorities: identity.certificatePEM
                ),
                tokens: NoTokens(),
                progress: BenchProgress(),
                channels: BenchChannels(),
                providerTokens: BenchProviderTokens(),
                clock: clock,
                observer: EndClosing(
                    activities: activities,
                    devices: devices,
                    starts: StartCandidates(pool: pool, clock: clock)
                )
            )
            self.dispatcher = dispatcher
            audience = AlertAudience(pool: pool, clock: clock)
            let notifier = MomentNotifier(
                audience: audience,
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

        /// Buckets in which a revision was not told.
        func untold(_ revision: Int64) async throws -> Int {
            try await audience.untold(Samples.match, revision: revision, term: Term(1), of: Bucket.all).count
        }

        /// Loses the notifier with whatever it was about.
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
        ) async throws -> Screen {
            let screen = Screen()
            apple.register(token: Self.token(number), kind: .alert) { screen.show($0) }
            _ = try await devices.register(
                NewDevice(
                    device: Self.device(number),
                    environment: .sandbox,
                    bundleID: "app.score",
                    abilities: [.activities, .alerts],
                    schemaVersion: 1,
                    profile: profile,
                    credentialHash: [UInt8](repeating: UInt8(number), count: 32),
                    quietHours: quietHours
                )
            )
            _ = try await devices.setToken(
                DeviceTokenRegistration(
                    device: Self.device(number),
                    kind: .alert,
                    token: Self.token(number),
                    environment: .sandbox,
                    clientSequence: 1
                )
            )
            _ = try await follows.put(
                FollowSettings(match: Samples.match, teamIntent: intent, alerts: alerts),
                of: Self.device(number),
                clientSequence: 1
            )
            return screen
        }

        func activity(_ number: Int) async throws {
            _ = try await activities.register(
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
            moment("w:1:\(number)", .wicket, side: .first, relevance: 90, "Wicket! Sharma out")
        }

        func milestone() throws -> Moment { moment("b50:1:x", .fifty, side: .first, relevance: 70, "Fifty") }
        func result() throws -> Moment { moment("res", .result, side: nil, relevance: 100, "MI won") }

        private func moment(
            _ key: String,
            _ kind: Moment.Kind,
            side: Side?,
            relevance: Int,
            _ title: String
        ) -> Moment {
            Moment(
                key: MomentKey(key),
                kind: kind,
                subject: "x",
                side: side,
                title: title,
                body: "MI 87/6",
                priority: .ten,
                relevance: relevance,
                isAlert: true
            )
        }

        func telling(_ moments: [Moment], revision: Int64, age: Duration = .zero) -> MomentNotifier.Telling {
            MomentNotifier.Telling(
                match: Samples.match,
                revision: revision,
                committedAt: ServiceClock().wall + (.zero - age),
                moments: moments.compactMap(TellableMoment.init).sorted { $0.relevance > $1.relevance },
                state: Samples.replica(balls: 12).state,
                info: Samples.info()
            )
        }
    }

    /// What one phone was sent.
    private final class Screen: Sendable {
        private let kept = Mutex<[DeliveredPush]>([])
        var pushes: [DeliveredPush] { kept.withLock { $0 } }
        var bodies: [[String: Any]] {
            pushes.compactMap { try? JSONSerialization.jsonObject(with: Data($0.body)) as? [String: Any] }
        }
        var aps: [[String: Any]] { bodies.compactMap { $0["aps"] as? [String: Any] } }
        func show(_ push: DeliveredPush) { kept.withLock { $0.append(push) } }
    }

    /// Nobody has an activity that is reached by a walk.
    private struct NoTokens: TokenSource {
        func buckets(of match: MatchID) -> [Bucket] { [] }
        func copyTokens(
            of match: MatchID,
            bucket: Bucket,
            before cursor: WalkCursor,
            into slice: inout TokenSlice
        ) -> WalkCursor? {
            nil
        }
        func token(of match: MatchID, device: DeviceID, generation: Int32) -> PushToken? { nil }
        func newest(of match: MatchID, device: DeviceID) -> LateToken? { nil }
        func evict(_ rejections: [Rejection]) async {}
    }
}
