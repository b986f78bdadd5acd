// A run that fails or is interrupted must leave no process and no folder, however far it came.

import Synchronization
import UnixSignals

/// The steps that undo the parts of a run.
final class Teardown: Sendable {
    private let steps = Mutex<[@Sendable () async -> Void]>([])

    /// Adds a step; called as soon as the part exists that the step undoes.
    func add(_ step: @escaping @Sendable () async -> Void) { steps.withLock { $0.append(step) } }

    /// Takes all steps, the newest first, each once.
    func run() async {
        while let step = steps.withLock({ $0.popLast() }) { await step() }
    }
}

/// A run was ended by a signal, and everything that it had started is gone.
struct EndedBySignal: Error, CustomStringConvertible {
    let signal: UnixSignal

    /// The exit status by the shell's convention: 128 and the signal's number.
    var exitStatus: Int32 { 128 + signal.rawValue }
    var description: String { "ended by \("\(signal)".uppercased())" }
}

/// Runs work that starts processes and writes folders.
enum InterruptibleRun {

    private enum Event<Value: Sendable>: Sendable {
        case ended(Result<Value, any Error>)
        case signal(UnixSignal)
        case graceEnded
    }

    /// Runs work until it ends, or until SIGTERM or SIGINT cancels it, and then its teardown.
    static func run<Value: Sendable>(
        _ work: @escaping @Sendable (Teardown) async throws -> Value
    ) async throws -> Value {
        let teardown = Teardown()
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let (events, source) = AsyncStream.makeStream(
            of: Event<Value>.self,
            bufferingPolicy: .bufferingNewest(LabLimits.runEvents)
        )
        let task = Task {
            do { source.yield(.ended(.success(try await work(teardown)))) } catch {
                source.yield(.ended(.failure(error)))
            }
        }
        let watch = Task { for await signal in signals { source.yield(.signal(signal)) } }
        defer { watch.cancel() }
        var received: UnixSignal?
        var outcome: Result<Value, any Error>?
        waiting: for await event in events {
            switch event {
            case .ended(let result):
                outcome = result
                break waiting
            case .graceEnded: break waiting
            case .signal(let signal) where received == nil:
                received = signal
                task.cancel()
                Task {
                    try? await Task.sleep(for: LabLimits.cancellation)
                    source.yield(.graceEnded)
                }
            case .signal: continue
            }
        }
        await teardown.run()
        if case .success(let value) = outcome { return value }
        if let received { throw EndedBySignal(signal: received) }
        guard let outcome else { throw CancellationError() }
        return try outcome.get()
    }
}
