// What another task, thread or process brings about cannot always be awaited; this looks for it until a deadline.

public import Testing

/// Waits until the condition holds; records an issue after the limit.
///
/// - Parameters:
///   - what: What is waited for, as it stands in the issue.
///   - limit: Long enough for a machine that does much else at the same time.
///   - sourceLocation: Where the issue is shown.
///   - condition: Looked at every five milliseconds.
/// - Throws: What the condition throws, and cancellation.
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
