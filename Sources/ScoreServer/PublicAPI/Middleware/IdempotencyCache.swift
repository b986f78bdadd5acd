// A phone that repeats its registration because it lost the answer must not become a second device.

import ScoreTypes
import Synchronization

/// The answers of this node to requests that create something.
final class IdempotencyCache: Sendable {
    private enum Entry: Sendable {
        case running(SecretDigest)
        case done(SecretDigest, answer: [UInt8], until: Duration)
    }

    private let clock: ServiceClock
    private let entries = Mutex(GenerationCache<String, Entry>(capacity: ServerLimits.idempotencyKeys))

    init(clock: ServiceClock) { self.clock = clock }

    /// Runs the work for the first request of a key; repeats its answer for later ones with the same body.
    func once(
        _ key: String,
        body: [UInt8],
        _ work: () async throws -> [UInt8]
    ) async throws -> (answer: [UInt8], isReplay: Bool) {
        let digest = SecretDigest(of: body)
        if let known = try begin(key, digest) { return (known, true) }
        do {
            let answer = try await work()
            let until = clock.monotonic + ServerLimits.idempotencyAge
            entries.withLock { $0[key] = .done(digest, answer: answer, until: until) }
            return (answer, false)
        } catch {
            entries.withLock { $0[key] = nil }
            throw error
        }
    }

    /// Checks the form of a key.
    static func key(_ header: String?) throws(ServiceProblem) -> String {
        guard let header else { throw ServiceProblem(.missingIdempotencyKey) }
        let isPlain = header.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard (16...64).contains(header.utf8.count), isPlain else {
            throw .invalid("Idempotency-Key", "expected 16 to 64 printable characters")
        }
        return header
    }

    private func begin(_ key: String, _ digest: SecretDigest) throws(ServiceProblem) -> [UInt8]? {
        let now = clock.monotonic
        let found: Result<[UInt8]?, ServiceProblem> = entries.withLock { entries in
            switch entries[key] {
            case .running(let first):
                guard first.matches(digest) else { return .failure(ServiceProblem(.idempotencyMismatch)) }
                var problem = ServiceProblem(.idempotencyInProgress, extras: ["retryAfterMs": .integer(1000)])
                problem.retryAfter = .seconds(1)
                return .failure(problem)
            case .done(let first, let answer, let until) where until > now:
                return first.matches(digest) ? .success(answer) : .failure(ServiceProblem(.idempotencyMismatch))
            case .done, nil:
                entries[key] = .running(digest)
                return .success(nil)
            }
        }
        return try found.get()
    }
}
