// Simulated days of cricket with every kind of fault; the number of days is set from outside.

import Foundation
import ScoreTypes
import Testing

@testable import PushDispatcher

@Suite struct SimulationTests {
    /// Whether days are requested: they use all cores, so that other tests would time out beside them.
    private static var isRequested: Bool { ProcessInfo.processInfo.environment["SEEDS"] != nil }

    /// SEEDS days, beginning with SEED; a failing one is repeated with SEED=… SEEDS=1.
    private static var seeds: Range<UInt64> {
        let environment = ProcessInfo.processInfo.environment
        let first = environment["SEED"].flatMap { UInt64($0) } ?? 1
        return first..<(first + (environment["SEEDS"].flatMap { UInt64($0) } ?? 20))
    }

    @Test(
        "24 hours in virtual time: every phone ends right, none goes back, no alert is sent twice",
        .enabled(if: isRequested, "SEEDS is not set: no days are played here; make simulate plays them")
    )
    func simulatedDaysHaveNoViolation() async throws {
        let key = try SigningKey(pem: Fixture.keyPEM())
        print("simulated days: seeds \(Self.seeds.lowerBound) to \(Self.seeds.upperBound - 1)")
        try await withThrowingTaskGroup(of: Void.self) { group in
            for (number, seed) in Self.seeds.enumerated() {
                if number >= Self.atOnce { try await group.next() }
                group.addTask { try await Self.play(seed, key) }
            }
            try await group.waitForAll()
        }
    }

    /// Days that are simulated side by side: one a core.
    private static let atOnce = 2

    private static func play(_ seed: UInt64, _ key: SigningKey) async throws {
        let day = DaySimulation(seed: seed, key: key)
        try await day.run()
        let complaints = day.complaints
        if !complaints.isEmpty {
            Issue.record(
                "\(day.summary): \(complaints.prefix(5).joined(separator: "; ")); repeat with SEED=\(seed) SEEDS=1"
            )
        }
        print(day.summary)
    }
}
