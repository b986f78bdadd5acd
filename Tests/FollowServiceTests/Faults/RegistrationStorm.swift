// Phones register continuously while the server fails, and the last answer of each is recorded.

import Postgres
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import FollowService

/// Many phones: each repeats a call until it is answered, and then makes its next.
final class RegistrationStorm: Sendable {
    /// The last answer to a phone.
    struct Answer: Sendable, Equatable {
        var clientSequence: Int64 = 0
        var generation: Int32 = 0
    }

    private let store: Store
    private let phones: UInt64
    private let answers: Mutex<[Answer]>
    private let refusals = Mutex<[FollowError]>([])
    private let isOver = Mutex(false)

    init(_ store: Store, phones: UInt64 = 64) {
        self.store = store
        self.phones = phones
        answers = Mutex(Array(repeating: Answer(), count: Int(phones)))
    }

    /// Calls that were answered so far.
    var answeredCount: Int64 { answers.withLock { $0.reduce(0) { $0 + $1.clientSequence } } }
    /// Calls that were refused so far; each was repeated.
    var refusalCount: Int { refusals.withLock { $0.count } }
    /// Refusals without a hint to retry.
    var wrongRefusals: [FollowError] {
        refusals.withLock { refusals in
            refusals.filter { refusal in
                switch refusal {
                case .busy: false
                case .unavailable(let cause): cause.kind == .other || cause.kind == .decoding
                case .stopped: true
                }
            }
        }
    }

    /// Runs the phones during the faults and until each was answered again.
    ///
    /// - Returns: The longest time that any phone had to wait after the last fault.
    func run(during faults: () async throws -> Void) async throws -> Duration {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for phone in 0..<phones { group.addTask { try await self.call(as: phone) } }
            try await eventually("the storm has begun") { self.answeredCount > Int64(self.phones) }
            try await faults()
            let start = ContinuousClock.now
            let before = answers.withLock { $0 }
            try await eventually("every phone is answered again") {
                self.answers.withLock { now in zip(now, before).allSatisfy { $0.clientSequence > $1.clientSequence } }
            }
            let waited = ContinuousClock.now - start
            isOver.withLock { $0 = true }
            try await group.waitForAll()
            return waited
        }
    }

    private func call(as phone: UInt64) async throws {
        while !isOver.withLock({ $0 }) {
            let seq = answers.withLock { $0[Int(phone)].clientSequence } + 1
            guard let token = try? token(phone << 32 | UInt64(seq)) else { return }
            let call = ActivityRegistration(
                device: device(phone),
                match: .final,
                activityID: ActivityID(unchecked: "A"),
                environment: .production,
                route: .token(token),
                startedAt: store.time.now,
                clientSequence: seq
            )
            // Also at the end: a call of unknown outcome is repeated until its outcome is known.
            try await repeatUntilAnswered(call, as: phone)
        }
    }

    private func repeatUntilAnswered(_ call: ActivityRegistration, as phone: UInt64) async throws {
        try await eventually("phone \(phone) is answered", within: .seconds(120)) {
            do throws(FollowError) {
                switch try await store.activities.register(call) {
                case .registered(let generation), .unchanged(let generation):
                    answers.withLock {
                        $0[Int(phone)] = Answer(clientSequence: call.clientSequence, generation: generation)
                    }
                case .replaced, .outdated, .ended, .unknownDevice:
                    Issue.record("phone \(phone) received the answer of another call")
                }
                return true
            } catch {
                refusals.withLock { $0.append(error) }
                return false
            }
        }
    }

    /// Compares the table with the answers: nothing answered is lost, and nothing was done twice.
    func check(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        let acknowledged = answers.withLock { $0 }
        let rows = try await store.pool.query(
            Statement("select device_id, client_seq, gen, token from activity")
        ) {
            (
                try $0.uuid(0), Answer(clientSequence: try $0.int(1), generation: Int32(clamping: try $0.int(2))),
                try $0.bytes(3)
            )
        }
        #expect(rows.count == acknowledged.count, sourceLocation: sourceLocation)
        let stored = Dictionary(rows.map { ($0.0, ($0.1, $0.2)) }) { first, _ in first }
        for phone in 0..<phones {
            let (row, bytes) = try #require(stored[device(phone)], sourceLocation: sourceLocation)
            #expect(row == acknowledged[Int(phone)], "phone \(phone)", sourceLocation: sourceLocation)
            #expect(Int64(row.generation) == row.clientSequence, "each call once", sourceLocation: sourceLocation)
            let newest = try token(phone << 32 | UInt64(row.clientSequence))
            #expect(bytes == newest.bytes, "phone \(phone)", sourceLocation: sourceLocation)
        }
    }
}
