// A cancelled server drops the connection that it is about to accept, and NIO ends the process for a channel without
// a reader ("Deinited NIOAsyncWriter without calling finish()"), so these servers are stopped and not cancelled.

public import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until its task is cancelled; then accepts no connection and ends the open ones.
    ///
    /// - Throws: The error of listening or of stopping.
    public func serve() async throws {
        var configuration = ServiceGroupConfiguration(services: [self], logger: logger)
        configuration.maximumGracefulShutdownDuration = SimulatorLimits.lastAnswers
        let group = ServiceGroup(configuration: configuration)
        let running = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }
}
