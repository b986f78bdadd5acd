// Waiting for what another task or thread brings about, without guessing how long it takes.

import Testing

/// Waits until the condition holds; records an issue after the limit.
func eventually(
    _ what: Comment,
    within limit: Duration = .seconds(30),
    sourceLocation: SourceLocation = #_sourceLocation,
    _ condition: () async throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try await !condition() {
        guard ContinuousClock.now < deadline else {
            Issue.record("not within \(limit): \(what)", sourceLocation: sourceLocation)
            return
        }
        try await Task.sleep(for: .milliseconds(10))  // deadline
    }
}
