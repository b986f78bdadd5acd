// Every wait for the network has a deadline by the client's clock, whatever the transport's own limit is.

extension ClientClock {
    /// The result of an operation; nil when the deadline came first, which cancels the operation.
    ///
    /// - Throws: `CancellationError` when the task is cancelled.
    func race<Value: Sendable>(
        until deadline: Duration?,
        _ operation: @escaping @Sendable () async throws(TransportError) -> Value
    ) async throws -> Result<Value, TransportError>? {
        try await withThrowingTaskGroup(of: Result<Value, TransportError>?.self) { group in
            group.addTask {
                do throws(TransportError) {
                    return .success(try await operation())
                } catch {
                    return .failure(error)
                }
            }
            if let deadline {
                group.addTask {
                    try await wait(until: deadline)
                    return nil
                }
            }
            defer { group.cancelAll() }
            return try await group.next() ?? nil
        }
    }
}
