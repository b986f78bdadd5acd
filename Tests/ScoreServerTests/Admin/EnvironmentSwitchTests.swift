// An operator pauses an environment of APNs at one node, and every node stops its requests until it is resumed.

import MatchSamples
import Postgres
import PushDispatcher
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import LiveActivities
@testable import ScoreServer

/// Phones whose activities belong to different nodes, and the operator of these nodes.
private struct PausedEnvironment: Sendable {
    /// Twenty seconds of play in one second, so that ordinary balls follow each other in half a second.
    static let clock = ServiceClock(speed: 20)

    let setup: NodeSetup
    let phones: [PushedPhone]
    let helper: [String: String]

    /// Registers phones until each node owns the bucket of one.
    init(_ setup: NodeSetup, at nodes: [WholeNode]) async throws {
        self.setup = setup
        helper = try await PostgresAdminStore(pool: setup.pool).headers(.operator)
        try await eventually("the buckets are shared") {
            nodes.allSatisfy { $0.node.services.ownership.buckets.count == Bucket.count / nodes.count }
        }
        let owned = nodes.map { Set($0.node.services.ownership.buckets) }
        var phones: [PushedPhone] = []
        while !owned.allSatisfy({ buckets in phones.contains { buckets.contains(Bucket(of: $0.id)) } }) {
            try #require(phones.count < 64, "the devices of all phones are in the buckets of one node")
            phones.append(try await PushedPhone(at: nodes[0], on: setup))
        }
        self.phones = phones
    }

    /// Pauses or resumes the environment at one node; returns the time until all nodes have done so.
    @discardableResult
    func order(_ act: String, at node: WholeNode, until nodes: [WholeNode]) async throws -> Duration {
        let started = ContinuousClock.now
        let path = "/admin/api/v1/apns/sandbox/\(act)"
        let answer = try await node.internalClient.send("POST", path, helper, json: #"{"reason":"an incident"}"#)
        #expect(answer.status == 200, "\(answer.text)")
        try await eventually("\(act) at each node") {
            for node in nodes {
                let isPausedNow = await isPaused(node)
                guard isPausedNow == (act == "pause") else { return false }
            }
            return true
        }
        return ContinuousClock.now - started
    }

    func isPaused(_ node: WholeNode) async -> Bool {
        await node.node.services.push?.dispatcher.status().environments.contains { $0.isPaused } ?? false
    }

    /// Journals a match of so many balls, and waits until the lanes of each node have its state.
    func report(_ balls: Int, to nodes: [WholeNode]) async throws -> Int64 {
        let revision = try await FeedNode.report(Samples.deliveries(balls), on: setup)
        for node in nodes {
            let dispatcher = try #require(node.node.services.push?.dispatcher)
            try await eventually("revision \(revision) is handed to the lanes") {
                await dispatcher.status().matches.contains { ($0.revision ?? 0) >= revision }
            }
        }
        return revision
    }

    /// Waits until each phone has a revision, or a newer one that a confirmed moment has made.
    func receive(_ revision: Int64) async throws {
        try await eventually("each phone has revision \(revision)") {
            phones.allSatisfy { phone in phone.inbox.all.contains { ($0.revision ?? 0) >= revision } }
        }
    }

    /// The pushes of a revision and later ones that APNs has accepted.
    func pushes(from revision: Int64) -> [DeliveredPush] {
        phones.flatMap { phone in phone.inbox.all.filter { ($0.revision ?? 0) >= revision } }
    }
}

@Suite(.timeLimit(.minutes(3))) struct EnvironmentSwitchTests {
    /// All phones have one address, and each is in the buckets of either node.
    private static let quotas = [
        "LIMITS_REGISTER": "64/3600s", "LIMITS_REGISTER_DAILY": "64/86400s", "LIMITS_REGISTER_ATTEMPT": "64/60s",
    ]

    @Test("S48: a paused environment gets no request of two nodes, within a second and after a restart")
    func aPauseHoldsOnTwoNodesAndAfterARestart() async throws {
        let setup = try await NodeSetup()
        let kept = Mutex<PausedEnvironment?>(nil)
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        try await setup.withWholeNode(Self.quotas, name: "one", clock: PausedEnvironment.clock) { one in
            try await setup.withWholeNode(name: "two", clock: PausedEnvironment.clock) { two in
                let nodes = [one, two]
                let rig = try await PausedEnvironment(setup, at: nodes)
                kept.withLock { $0 = rig }
                try await rig.receive(rig.report(4, to: nodes))
                var times = [try await rig.order("pause", at: one, until: nodes)]
                let skipped = try await rig.report(5, to: nodes)
                let newest = try await rig.report(6, to: nodes)
                #expect(rig.pushes(from: skipped).isEmpty, "nothing is sent during the pause")
                let resumedAt = ServiceClock().wall
                try await rig.order("resume", at: two, until: nodes)
                try await rig.receive(newest)
                let late = rig.pushes(from: skipped)
                #expect(late.allSatisfy { $0.acceptedAt >= resumedAt })
                #expect(late.allSatisfy { ($0.revision ?? 0) >= newest }, "a replaced state is not sent")
                for node in [two, one] {
                    times.append(try await rig.order("pause", at: node, until: nodes))
                    if times.count < 3 { try await rig.order("resume", at: node, until: nodes) }
                }
                print("times from a pause to its effect on two nodes: \(times)")
                // One pause of three may meet a busy machine.
                #expect(times.sorted()[1] < .seconds(1))
            }
        }
        let rig = try #require(kept.withLock { $0 })
        try await setup.withWholeNode(name: "one", clock: PausedEnvironment.clock) { node in
            #expect(await rig.isPaused(node), "before the first request")
            let skipped = try await rig.report(7, to: [node])
            let newest = try await rig.report(8, to: [node])
            #expect(rig.pushes(from: skipped).isEmpty, "nothing is sent during the pause")
            try await rig.order("resume", at: node, until: [node])
            try await rig.receive(newest)
            #expect(rig.pushes(from: skipped).allSatisfy { ($0.revision ?? 0) >= newest })
        }
        await setup.stop()
    }
}
