// Commands that start processes and write folders leave neither behind, also after a signal.

import ArgumentParser
import Foundation

extension AsyncParsableCommand {
    /// Runs work until it ends; SIGTERM and SIGINT cancel it, undo its parts and set the exit status 128 + n.
    func untilSignal<Value: Sendable>(
        _ work: @escaping @Sendable (Teardown) async throws -> Value
    ) async throws -> Value {
        do { return try await InterruptibleRun.run(work) } catch let error as EndedBySignal {
            FileHandle.standardError.write(Data("\(error)\n".utf8))
            throw ExitCode(error.exitStatus)
        }
    }
}
