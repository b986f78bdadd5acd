// The commands from callers to libcurl's thread, and the results from it.

internal import ScoreTypes

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
        case whole(FirstValue<Result<Reply, TransferError>>)
        case flow(StreamBuffer)
    }

    func fail(_ error: TransferError) {
        switch sink {
        case .whole(let outcome): outcome.set(.failure(error))
        case .flow(let buffer): buffer.finish(error)
        }
    }
}
