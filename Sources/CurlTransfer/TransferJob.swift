// The commands from callers to libcurl's thread, and the results from it.

internal import ScoreTypes
internal import Synchronization

/// A command for the driver's thread.
enum TransferCommand: Sendable {
    case start(TransferJob)
    case resume(id: UInt64)
    case cancel(id: UInt64)
    case stop
}

/// One transfer with the receiver of its reply.
struct TransferJob: Sendable {
    let id: UInt64
    let transfer: Transfer
    let host: String
    let sink: Sink

    enum Sink: Sendable {
        case whole(TransferOutcome)
        case flow(StreamBuffer, onHead: (@Sendable (ReplyHead) -> Void)?)
    }

    func fail(_ error: TransferError) {
        switch sink {
        case .whole(let outcome): outcome.settle(.failure(error))
        case .flow(let buffer, _): buffer.finish(error)
        }
    }
}

/// The reply of a transfer, for one waiting task; the first settlement counts.
final class TransferOutcome: Sendable {
    private let state = Mutex<State>(.pending(nil))

    private enum State {
        case pending(CheckedContinuation<Result<Reply, TransferError>, Never>?)
        case settled(Result<Reply, TransferError>)
    }

    func settle(_ result: Result<Reply, TransferError>) {
        let waiter = state.withLock { state -> CheckedContinuation<Result<Reply, TransferError>, Never>? in
            guard case .pending(let waiter) = state else { return nil }
            state = .settled(result)
            return waiter
        }
        waiter?.resume(returning: result)
    }

    func wait() async -> Result<Reply, TransferError> {
        await withCheckedContinuation { continuation in
            let settled = state.withLock { state -> Result<Reply, TransferError>? in
                if case .settled(let result) = state { return result }
                state = .pending(continuation)
                return nil
            }
            if let settled { continuation.resume(returning: settled) }
        }
    }
}
