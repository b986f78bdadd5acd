// Nodes one after the other that notify the same phones, over one store and one simulated APNs.

import FollowService
import Foundation
import LiveSurface
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

/// A store, a simulated APNs, and a node that a test stops, kills and starts again.
final class NotifierSetup: Sendable {
    /// One process: its own connections, dispatcher and notifier.
    struct Node: Sendable {
        let pool: Pool
        let dispatcher: Dispatcher
        let notifier: MomentNotifier
        let tasks: [Task<Void, Never>]
        /// Whether it may send; false after a crash, and while it does not trust its term.
        let isAlive: Liveness

        /// A flag that threads share.
        final class Liveness: Sendable {
            let flag = Mutex(true)
            /// How often the notifier had no term.
            let refusals = Mutex(0)

            /// Lets the node continue in its term, or no longer trust it.
            func trust(_ isTrusted: Bool) { flag.withLock { $0 = isTrusted } }

            func trusted(_ term: Term) -> Term? {
                guard !flag.withLock({ $0 }) else { return term }
                refusals.withLock { $0 += 1 }
                return nil
            }
        }
    }

    typealias Bounds = (page: Int, underWay: Int)

    let apple: APNsSimulator
    let stores: FollowerStores
    let info: ConnectionInfo
    /// The buckets that the node sends for; the store has it as the owner of all.
    let owned = Mutex(Bucket.all)
    private let clock = ServiceClock()
    private let account: APNsTestAccount
    private let folder: URL
    private let pool: Pool
    private let bounds: Bounds
    private let providerTokens = MemoryProviderTokens()
    private let running = Mutex<(node: Node?, term: Int64, dead: [Node])>((nil, 0, []))

    init(
        bounds: Bounds = (LiveActivityLimits.recipientsPerPage, LiveActivityLimits.notificationsUnderWay)
    ) async throws {
        self.bounds = bounds
        info = try await ScratchDatabase.make()
        pool = Pool(info, size: 4, name: "alerts-test")
        stores = FollowerStores(pool: pool, clock: clock, arenas: ArenaIndex(info: info, pool: pool, clock: clock))
        folder = FileManager.default.temporaryDirectory.appending(path: "notifier-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        account = try await APNsTestAccount.open(in: folder)
        apple = account.simulator
        try await start()
    }

    // MARK: Nodes

    var node: Node {
        running.withLock { running in
            guard let node = running.node else { fatalError("no node runs") }
            return node
        }
    }

    private var term: Term { Term(running.withLock { $0.term }) }

    /// Starts a node with a new term, which owns all buckets.
    func start() async throws {
        let term = running.withLock { running in
            running.term += 1
            return Term(running.term)
        }
        try await pool.execute(Statement("update bucket_owner set term = $1"), [.int(term.number)])
        let alive = Node.Liveness()
        let own = Pool(info, size: 4, name: "node-\(term.number)")
        let followers = FollowerStores(pool: own, clock: clock, arenas: stores.arenas)
        let dispatcher = Dispatcher(
            configuration: try account.dispatcherConfiguration(),
            tokens: NoTokens(),
            progress: NoProgress(),
            channels: NoChannels(),
            providerTokens: providerTokens,
            clock: clock,
            observer: OutcomeRecorder(stores: stores, clock: clock),
            maySend: { alive.flag.withLock { $0 } }
        )
        let notifier = MomentNotifier(
            audience: followers.alertAudience,
            dispatcher: dispatcher,
            buckets: { [self] in owned.withLock { $0 } },
            term: { alive.trusted(term) },
            clock: clock,
            form: NotificationForm(scheme: "score"),
            bounds: bounds
        )
        let tasks = [Task { await dispatcher.run() }, Task { await notifier.run() }]
        let node = Node(pool: own, dispatcher: dispatcher, notifier: notifier, tasks: tasks, isAlive: alive)
        running.withLock { $0.node = node }
    }

    /// Stops the node as a service group does: in the reverse order of the start.
    func leave() async {
        guard let node = running.withLock({ $0.node.take() }) else { return }
        await Self.end(node)
    }

    /// kill -9: nothing more is sent, read or recorded; answers to open requests are lost.
    func kill() async {
        guard let node = running.withLock({ $0.node.take() }) else { return }
        node.isAlive.flag.withLock { $0 = false }
        await node.pool.close()
        for task in node.tasks { task.cancel() }
        running.withLock { $0.dead.append(node) }
    }

    func stop() async {
        await leave()
        for node in running.withLock({ $0.dead }) { await Self.end(node) }
        await apple.stop()
        await pool.close()
        try? FileManager.default.removeItem(at: folder)
    }

    private static func end(_ node: Node) async {
        for task in node.tasks.reversed() {
            task.cancel()
            await task.value
        }
        await node.pool.close()
    }

    // MARK: Phones

    static func device(_ number: Int) -> DeviceID { PushSetup.device(number) }
    static func token(_ number: Int) -> PushToken { PushSetup.token(number) }

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
                abilities: [.activities, .frequentPushes, .alerts],
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
                startedAt: clock.wall,
                clientSequence: 1
            )
        )
    }

    // MARK: Moments

    func wicket(
        _ number: Int,
        at revision: Int64,
        age: Duration = .zero,
        title: String = "Wicket! Sharma out"
    ) -> ConfirmedMoment {
        moment("w:1:\(number)", .wicket, side: .first, title, at: revision, age: age)
    }

    /// A wicket whose texts have keys.
    func keyedWicket(at revision: Int64) -> ConfirmedMoment {
        let body = NotificationText(.out, "R Sharma", "b Bumrah", "45", "32")
        let moment = Moment(
            "w:1:1",
            .wicket,
            .loud,
            subject: "x",
            side: .first,
            title: NotificationText(.wicket),
            body: body
        )
        return ConfirmedMoment(moment, revision: revision, at: clock.wall)
    }

    func milestone(at revision: Int64) -> ConfirmedMoment {
        moment("b50:1:x", .fifty, side: .first, "Fifty", at: revision)
    }

    func result(at revision: Int64) -> ConfirmedMoment { moment("res", .result, side: nil, "MI won", at: revision) }

    private func moment(
        _ key: String,
        _ kind: Moment.Kind,
        side: Side?,
        _ title: String,
        at revision: Int64,
        age: Duration = .zero
    ) -> ConfirmedMoment {
        ConfirmedMoment(
            Moment(key, kind, .loud, subject: "x", side: side, title: .literal(title), body: "MI 87/6"),
            revision: revision,
            at: clock.wall + (.zero - age)
        )
    }

    /// Announces moments as the publication of a head does.
    func announce(_ moments: [ConfirmedMoment], of match: MatchID = Samples.match, revision: Int64) {
        node.notifier.announce(
            MomentAnnouncement(
                source: NotifiedRevision(
                    match: match,
                    number: revision,
                    // After the registration of activities, which is compared in whole seconds.
                    at: clock.wall + .seconds(1),
                    state: Samples.replica(balls: 12).state,
                    info: Samples.info()
                ),
                moments: SelectableMoment.choices(of: moments)
            )
        )
    }

    /// The payload that the snapshot of a moment makes, with the time of a received one.
    func rendered(_ moment: Moment, revision: Int64) throws -> [UInt8] {
        let context = SurfaceContext(
            match: Samples.match,
            revision: revision,
            updatedAt: clock.wall,
            scheme: "score",
            event: moment
        )
        let snapshot = try SurfaceRenderer.snapshot(
            .notification,
            of: Samples.replica(balls: 12).state,
            info: Samples.info(),
            in: context
        )
        return SurfaceRenderer.bytes(of: try snapshot.notificationPayload())
    }

    /// Buckets in which a revision was not announced.
    func unannounced(_ revision: Int64) async throws -> Int {
        try await stores.alertAudience.unannounced(Samples.match, revision: revision, term: term, of: Bucket.all).count
    }

    /// Records a revision as announced in one bucket, as the node before did.
    func recordAnnounced(_ revision: Int64, in bucket: Bucket) async throws {
        // Makes the rows of all buckets.
        _ = try await unannounced(revision)
        let isOwner = try await stores.alertAudience.recordAnnounced(
            Samples.match,
            revision: revision,
            term: term,
            of: [bucket]
        )
        #expect(isOwner)
    }

    /// The notifications that APNs accepted more than once for the same recipient.
    var doubles: [String: Int] {
        let accepted = apple.journal(last: .max).filter { $0.status == 200 && !$0.id.isEmpty }
        let counts = accepted.reduce(into: [String: Int]()) { counts, push in
            counts["\(push.id) \(push.recipient?.description ?? "")", default: 0] += 1
        }
        return counts.filter { $0.value > 1 }
    }
}
