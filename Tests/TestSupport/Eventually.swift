// Work of another task, thread or process cannot always be awaited; this repeats a check until a deadline.

public import Testing

/// Waits until a condition holds; records an issue at the limit.
///
/// - Parameters:
///   - what: The condition in words, for the issue.
///   - limit: The longest wait, long enough for a machine under load.
///   - sourceLocation: The place of the issue.
///   - condition: Checked every five milliseconds.
/// - Throws: The error of the condition, or cancellation.
public func eventually(
    _ what: Comment,
    within limit: Duration = .seconds(60),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(5))  // deadline
    }
}
