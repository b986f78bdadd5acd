// A node that starts before its database waits for it: a supervisor that restarts it would wait no better.

import Logging
import Postgres
import ScoreTypes

/// Repeats the first work on the database until PostgreSQL answers.
struct DatabaseWait: Sendable {
    /// Sleeps; a test replaces it.
    var sleep: @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) }
    /// A part of the longest pause, 0.5 to 1: nodes that start together call at different times.
    var part: @Sendable () -> Double = { .random(in: 0.5...1) }
    let log: Logger

    /// Runs work until it succeeds or fails for a reason that no wait mends.
    ///
    /// Throws the error of the work, or `CancellationError`.
    func run<Result>(_ work: () async throws -> Result) async throws -> Result {
        var longest = ServerLimits.databasePauseShortest
        while true {
            do { return try await work() } catch let error as PostgresError where error.mayPass {
                let pause = longest * part()
                let fields: Logger.Metadata = ["error": "\(error)", "pause.ms": "\(pause.milliseconds)"]
                log.warning("PostgreSQL does not answer: the node waits for it", metadata: fields)
                try await sleep(pause)
                longest = min(longest * 2, ServerLimits.databasePauseLongest)
            }
        }
    }
}

extension PostgresError {
    /// Whether the server may accept the same call later: it starts, is being replaced, or is out of space.
    fileprivate var mayPass: Bool {
        switch kind {
        case .connection, .readOnly, .exhausted, .timeout, .poolFull: true
        case .constraint, .serialization, .fenced, .decoding, .other: false
        }
    }
}
