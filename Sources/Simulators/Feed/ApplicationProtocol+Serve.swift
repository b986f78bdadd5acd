// A server that is cancelled drops whom it is just about to accept, and NIO ends the process for a connection that
// nobody took ("Deinited NIOAsyncWriter without calling finish()"): so ours are stopped and not cancelled.

public import Hummingbird
import ServiceLifecycle

extension ApplicationProtocol {
    /// Serves until its task is cancelled; then accepts nobody any more, and ends what is under way.
    ///
    /// - Throws: What kept it from listening, or from ending.
    public func serve() async throws {
        var configuration = ServiceGroupConfiguration(services: [self], logger: logger)
        configuration.maximumGracefulShutdownDuration = ServeBounds.lastAnswers
        let group = ServiceGroup(configuration: configuration)
        let running = Task { try await group.run() }
        try await withTaskCancellationHandler {
            try await running.value
        } onCancel: {
            Task { await group.triggerGracefulShutdown() }
        }
    }
}

/// How a simulated server ends.
private enum ServeBounds {
    /// Real time for answers that are under way when it is told to stop; who drips longer is cut off.
    static let lastAnswers: Duration = .seconds(1)
}
