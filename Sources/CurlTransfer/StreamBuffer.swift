// Buffers the chunks of a stream between its connection and a slower reader.

internal import Synchronization

/// A bounded queue of chunks; when it is full, the connection is paused, and flow control slows the server.
final class StreamBuffer: Sendable {
    private let state = Mutex(State())
    private let resume: @Sendable () -> Void

    private struct State {
        var chunks: [[UInt8]] = []
        var byteCount = 0
        var isPaused = false
        var end: Result<Void, TransferError>?
        var waiter: CheckedContinuation<Result<[UInt8]?, TransferError>, Never>?
    }

    /// - Parameter resume: Called when a paused connection may continue.
    init(resume: @escaping @Sendable () -> Void) { self.resume = resume }

    /// Adds a chunk; false when the queue is full, and the same chunk has to be offered again after `resume`.
    func offer(_ chunk: [UInt8]) -> Bool {
        let (accepted, waiter) = state.withLock { state -> (Bool, Waiter?) in
            if let waiter = state.waiter {
                state.waiter = nil
                return (true, waiter)
            }
            guard state.chunks.isEmpty || state.byteCount + chunk.count <= TransferLimits.streamBufferBytes else {
                state.isPaused = true
                return (false, nil)
            }
            state.chunks.append(chunk)
            state.byteCount += chunk.count
            return (true, nil)
        }
        waiter?.resume(returning: .success(chunk))
        return accepted
    }

    /// Ends the stream; queued chunks are still read.
    func finish(_ error: TransferError?) {
        let end: Result<Void, TransferError> = error.map { .failure($0) } ?? .success(())
        let waiter = state.withLock { state -> Waiter? in
            if state.end == nil { state.end = end }
            defer { state.waiter = nil }
            return state.waiter
        }
        waiter?.resume(returning: end.map { nil })
    }

    /// The next chunk, for one reader; nil at the end.
    func next() async -> Result<[UInt8]?, TransferError> {
        await withCheckedContinuation { (continuation: Waiter) in
            let (ready, mayResume) = state.withLock { Self.take(&$0, for: continuation) }
            if mayResume { resume() }
            if let ready { continuation.resume(returning: ready) }
        }
    }

    private static func take(_ state: inout State, for waiter: Waiter) -> (Result<[UInt8]?, TransferError>?, Bool) {
        if !state.chunks.isEmpty {
            let chunk = state.chunks.removeFirst()
            state.byteCount -= chunk.count
            let mayResume = state.isPaused && state.byteCount <= TransferLimits.streamBufferBytes / 2
            if mayResume { state.isPaused = false }
            return (.success(chunk), mayResume)
        }
        if let end = state.end { return (end.map { nil }, false) }
        if state.waiter != nil { return (.failure(.badRequest(field: "stream: expected one reader")), false) }
        state.waiter = waiter
        return (nil, false)
    }

    private typealias Waiter = CheckedContinuation<Result<[UInt8]?, TransferError>, Never>
}
