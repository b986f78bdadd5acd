// Work of another task, thread or process cannot always be awaited; this repeats a check until a deadline.

public import Testing

/// Waits until a condition holds; records an issue at the limit.
///
/// - Parameters:
///   - what: The condition in words, for the issue.
///   - limit: The longest wait, long enough for a machine under load.
///   - sourceLocation: The place of the issue.
///   - condition: Checked every 5 ms at first, and at last every 50 ms, so that a long wait costs little CPU time.
/// - Throws: The error of the condition, or cancellation.
public func eventually(
    _ what: Comment,
    within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let start = ContinuousClock.now
    while try await !condition() {
        let waited = ContinuousClock.now - start
        guard waited < limit else {
            Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
            return
        }
        let pause = min(max(waited / 10, .milliseconds(5)), .milliseconds(50))
        try await Task.sleep(for: pause)  // deadline
    }
}
