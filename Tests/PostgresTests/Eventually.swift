// What another process does cannot be awaited, only looked for; this looks until a deadline.
import Testing

/// Waits until the condition holds; records an issue after the limit.
func eventually(
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
