// During an upgrade two nodes render different layouts, and phones have apps of different releases.

import CurlTransfer
import LiveActivities
import LiveSurface
import MatchEngine
import MatchJournal
import Postgres
import ScoreClient
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer
@testable import Simulators

/// Two nodes over one database, and at each node a phone of each iOS with an app of each release.
private struct LayoutNodes: Sendable {
    let setup: NodeSetup
    let nodes: [WholeNode]
    let phones: [SimulatedPhone]
    private let clock: ServiceClock
    private let writer: MatchWriter
    private let apps: Task<Void, Never>

    /// Starts the phones; the first node, which remains, writes the match.
    init(_ setup: NodeSetup, _ nodes: [WholeNode], _ environment: PhoneEnvironment, clock: ServiceClock, seed: UInt64) {
        (self.setup, self.nodes, self.clock) = (setup, nodes, clock)
        let driver = TransferDriver(name: "phones")
        let releases = nodes.flatMap { node in IOSRelease.allCases.flatMap { [(node, $0), (node, $0)] } }
        let phones = releases.enumerated().map { number, phone in
            let server = PhoneServer(host: APNsTestAccount.host, port: phone.0.publicClient.port, driver: driver)
            return SimulatedPhone(
                number: number,
                release: phone.1,
                isNewestApp: Self.hasNewestApp(number),
                faults: FleetFaults.OfPhone(),
                seed: seed,
                setting: FleetSetting(match: PhonesOfNode.match, server: server, environment: environment)
            )
        }
        self.phones = phones
        let services = nodes[0].node.services
        writer = MatchWriter(
            match: PhonesOfNode.match,
            feed: FeedID(unchecked: "test"),
            journal: services.journal,
            fence: { services.membership.fence() },
            clock: clock
        )
        apps = Task {
            await withDiscardingTaskGroup { group in
                for phone in phones { group.addTask { await phone.run() } }
                group.addTask { await environment.schedule.run() }
            }
            driver.stop()
        }
    }

    static func hasNewestApp(_ phone: Int) -> Bool { phone.isMultiple(of: 2) }

    func stop() async {
        apps.cancel()
        await apps.value
    }

    /// Reports the first ball.
    func begin() async throws { try await writer.report(balls: 1, status: .live, seenAt: clock.wall) }

    /// Reports one more ball, and checks the layout that each phone shows.
    func check(balls: Int, sentBy running: [WholeNode]) async throws {
        let revision = try await writer.report(balls: balls, status: .live, seenAt: clock.wall)
        try await eventually("each phone shows revision \(revision) on one card", within: .seconds(30)) {
            phones.allSatisfy { phone in
                let cards = phone.system.cards
                return cards.count == 1 && cards[0].phase == .active && cards[0].revision == revision
            }
        }
        let shown = phones.map { $0.system.cards.first?.content.v }
        #expect(try await shown == expected(of: running), "\(phones.map(\.summary))")
    }

    func stump(balls: Int) async throws {
        try await writer.report(balls: balls, status: .stumps, seenAt: clock.wall)
    }

    /// The layout for each phone, by its app and by the node that owns its bucket; that of a channel is the oldest.
    private func expected(of running: [WholeNode]) async throws -> [Int] {
        let rows = try await setup.pool.query(Statement("select activity_id, bucket from activity where state = 1")) {
            (try $0.text(0), try $0.int(1))
        }
        let buckets = Dictionary(rows) { first, _ in first }
        return phones.map { phone in
            guard Self.hasNewestApp(phone.number), let card = phone.system.cards.first, !card.isOnChannel else {
                return 1
            }
            let owner = running.map(\.node.services).first { services in
                services.ownership.buckets.contains { Int64($0.number) == buckets[card.activityID] }
            }
            return owner?.settings.engine.newestLayout.rawValue ?? 0
        }
    }
}

@Suite(.timeLimit(.minutes(2))) struct LayoutNodesTests {
    @Test(
        "with nodes and apps of two layouts each phone decodes each state, also after a node has left",
        arguments: [ContentStateVersion.one, .two]
    )
    func everyPhoneDecodesEveryState(remaining: ContentStateVersion) async throws {
        let seed = UInt64.random(in: 0...UInt64(Int64.max))
        print("two layouts: seed \(seed)")
        let time = MovedTime()
        let setup = try await NodeSetup(clock: time.phones)
        let result: Result<Void, any Error>
        do {
            try await setup.withWholeNode(Self.settings(remaining), name: "first", clock: time.node) { first in
                try await Self.play(first, setup, time, seed: seed)
            }
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await setup.stop()
        try result.get()
    }

    private static func settings(_ layout: ContentStateVersion) -> [String: String] {
        PhonesOfNode.limits.merging(["CONTENT_LAYOUT_NEWEST": "\(layout.rawValue)"]) { $1 }
    }

    /// Plays with a second node of the other layout, then with the first one alone.
    private static func play(_ first: WholeNode, _ setup: NodeSetup, _ time: MovedTime, seed: UInt64) async throws {
        let other: ContentStateVersion = first.node.services.settings.engine.newestLayout == .one ? .two : .one
        let environment = PhoneEnvironment(network: setup.account.simulator, clock: time.phones)
        let started = Mutex<LayoutNodes?>(nil)
        let result: Result<Void, any Error>
        do {
            try await setup.withWholeNode(settings(other), name: "second", clock: time.node) { second in
                let nodes = [first, second]
                try await own(Bucket.count / 2, nodes)
                for node in nodes { try await checkConfiguration(of: node) }
                let rig = LayoutNodes(setup, nodes, environment, clock: time.node, seed: seed)
                started.withLock { $0 = rig }
                try await follow(rig)
                for balls in 2...4 { try await rig.check(balls: balls, sentBy: nodes) }
            }
            let rig = try #require(started.withLock { $0 })
            try await own(Bucket.count, [first])
            for balls in 5...6 { try await rig.check(balls: balls, sentBy: [first]) }
            try await finish(rig)
            result = .success(())
        } catch {
            result = .failure(error)
        }
        await started.withLock { $0 }?.stop()
        try result.get()
    }

    /// Waits until each node owns so many buckets.
    private static func own(_ count: Int, _ nodes: [WholeNode]) async throws {
        try await eventually("each node owns \(count) buckets") {
            nodes.allSatisfy { $0.node.services.ownership.buckets.count == count }
        }
    }

    private static func checkConfiguration(of node: WholeNode) async throws {
        let newest = node.node.services.settings.engine.newestLayout
        let answer = try await node.publicClient.get("/v1/client-config")
        #expect(answer.json["contentSchemaVersions"]?.list.map(\.int) == (newest == .one ? [1] : [1, 2]))
    }

    /// Lets each phone follow the match and have its activity.
    private static func follow(_ rig: LayoutNodes) async throws {
        try await rig.begin()
        for phone in rig.phones { try await phone.enroll() }
        for phone in rig.phones { phone.beginMatch() }
        let running = Statement("select count(*) from activity where state = 1")
        try await eventually("the server knows the activity of each phone") {
            try await rig.setup.number(running) == Int64(rig.phones.count)
        }
    }

    private static func finish(_ rig: LayoutNodes) async throws {
        try await rig.stump(balls: 6)
        try await eventually("the day's card is final on each phone") {
            rig.phones.allSatisfy { $0.system.cards.map(\.phase) == [.ended] }
        }
        for phone in rig.phones {
            let report = phone.system.report
            #expect(report.wentBack == 0 && report.drops[.undecodable] == nil, "\(phone.summary)")
        }
    }
}
