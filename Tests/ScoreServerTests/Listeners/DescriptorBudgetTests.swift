// Streams and connections get what the limit of descriptors allows, and an operator learns when that is too little.

import Foundation
import Synchronization
import TestSupport
import Testing

@testable import ScoreServer

@Suite(.timeLimit(.minutes(1))) struct DescriptorBudgetTests {
    private static let server = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
        .appending(path: "score-server").path

    private static func budget(_ descriptors: Int, streams: Int = 50_000, connections: Int = 60_000) -> DescriptorBudget
    {
        DescriptorBudget(
            streams: StreamCaps(node: streams),
            connections: ConnectionCaps(node: connections),
            descriptors: descriptors
        )
    }

    @Test func enoughDescriptorsLeaveTheSettingsUnchanged() {
        let budget = Self.budget(110_256)
        #expect(budget.streams == StreamCaps() && budget.clients == 110_000)
        #expect(budget.advice == nil)
    }

    @Test(
        "H11: few descriptors are divided between streams and requests",
        arguments: [256, 1_024, 20_000, 65_536, 110_255]
    )
    func fewDescriptorsAreDividedBetweenStreamsAndRequests(descriptors: Int) throws {
        let budget = Self.budget(descriptors)
        #expect(budget.clients < descriptors && budget.streams.device == 3)
        let forRequests = budget.clients - budget.streams.node
        #expect((budget.clients / 4...budget.clients * 3 / 4).contains(forRequests))
        let advice = try #require(budget.advice)
        #expect(advice.contains("\(descriptors) descriptors") && advice.contains("ulimit -n to at least 110256"))
    }

    @Test("H11: connections beyond the descriptors are refused, and have those that streams leave")
    func connectionsMayHaveTheDescriptorsThatStreamsLeave() throws {
        let streams = Mutex(1)
        let table = ConnectionTable(listener: "test", clientsLeft: { 3 - streams.withLock { $0 } })
        let first = try table.admit(nil).get()
        _ = try table.admit(nil).get()
        #expect(throws: ConnectionRefusal.self) { try table.admit(nil).get() }
        // A connection becomes a stream: its descriptor is in use as before.
        table.leave(first, .stream)
        streams.withLock { $0 = 2 }
        #expect(throws: ConnectionRefusal.self) { try table.admit(nil).get() }
        streams.withLock { $0 = 1 }
        _ = try table.admit(nil).get()
    }

    @Test func theUnitOfSystemdHasEnoughForTheDefaults() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let unit = try String(contentsOf: root.appending(path: "deploy/score-server.service"), encoding: .utf8)
        let limit = try #require(unit.firstMatch(of: /LimitNOFILE=([0-9]+)/).flatMap { Int($0.1) })
        #expect(Self.budget(limit).advice == nil)
    }

    @Test("H11: check-config warns when the limit of descriptors is too low")
    func checkConfigWarnsWhenTheLimitIsTooLow() async throws {
        let command = "ulimit -n 4096; exec \"$0\" check-config --env none"
        let process = try ChildProcess("/bin/sh", ["-c", command, Self.server])
        try await process.ended()
        #expect(process.status == 0, "a server with fewer clients starts: \(process.output)")
        #expect(process.output.contains("Warning: this process may open 4096 descriptors"), "\(process.output)")
        #expect(process.output.contains("limits.streams.node") && process.output.contains("LimitNOFILE"))
    }
}
