// Commands that start processes and write folders leave neither behind, also after a signal.

import ArgumentParser
import Foundation
import ScoreTypes
import UnixSignals

extension AsyncParsableCommand {
    /// Runs work until it ends, and then its teardown; SIGTERM and SIGINT cancel the work and set the exit status
    /// 128 + n.
    func untilSignal<Value: Sendable>(
        _ work: @escaping @Sendable (Teardown) async throws -> Value
    ) async throws -> Value {
        let (teardown, outcome) = (Teardown(), FirstValue<Result<Value, any Error>>())
        let signals = await UnixSignalsSequence(trapping: .sigterm, .sigint)
        let task = Task {
            do { outcome.set(.success(try await work(teardown))) } catch { outcome.set(.failure(error)) }
        }
        let watch = Task { () -> UnixSignal? in
            guard let signal = await signals.first(where: { _ in true }) else { return nil }
            task.cancel()
            Task {
                try? await Task.sleep(for: LabLimits.cancellation)
                outcome.set(.failure(CancellationError()))
            }
            return signal
        }
        defer { watch.cancel() }
        let result = await outcome.value()
        await teardown.run()
        if case .failure = result, task.isCancelled, let signal = await watch.value {
            FileHandle.standardError.write(Data("ended by \("\(signal)".uppercased())\n".utf8))
            throw ExitCode(128 + signal.rawValue)
        }
        return try result.get()
    }
}
