// Sends HTTP requests with libcurl, whose multi handle belongs to one thread.

internal import CCurl
internal import Glibc
public import ScoreTypes
internal import Synchronization

/// Sends requests over persistent connections on one thread; any task may call it.
///
/// It follows no redirects, uses no proxies of the environment and stores no cookies.
public final class TransferDriver: Sendable {
    private let mailbox: Mailbox<TransferCommand>
    private let bounds: TransferBounds
    private let state = Mutex(State())

    private struct State {
        var lastID: UInt64 = 0
        var underWay = 0
        var isStopped = false
    }

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - name: Name of the thread; the system shows at most 15 bytes.
    ///   - bounds: Most transfers and connections.
    ///   - clock: For durations, and for dates in Retry-After headers.
    public init(name: String, bounds: TransferBounds = TransferBounds(), clock: ServiceClock = ServiceClock()) {
        // At most three commands for each transfer, and the stop.
        let mailbox = Mailbox<TransferCommand>(limit: 3 * bounds.transfers + 1)
        self.mailbox = mailbox
        self.bounds = bounds
        _ = Self.isLibraryReady
        OwnedThread.start(name: name) {
            var loop = TransferLoop(mailbox: mailbox, bounds: bounds, clock: clock)
            loop.run()
        }
    }

    deinit { stop() }

    /// libcurl has to be initialised once in a process, before its first use.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends one request and waits for its complete reply, of any status.
    ///
    /// - Parameter transfer: The request.
    /// - Returns: The reply.
    /// - Throws: `TransferError` when there is no complete reply within the limits of the transfer.
    public func perform(_ transfer: Transfer) async throws(TransferError) -> Reply {
        let host = try TransferRules.check(transfer)
        let outcome = FirstValue<Result<Reply, TransferError>>()
        let id = try admit()
        defer { leave() }
        post(TransferJob(id: id, transfer: transfer, host: host, sink: .whole(outcome)))
        let result = await withTaskCancellationHandler {
            await outcome.value()
        } onCancel: {
            outcome.set(.failure(.cancelled))
            mailbox.post(.cancel(id: id))
        }
        return try result.get()
    }

    /// Sends one request and returns the body as it arrives, for streams without an end.
    ///
    /// A slow reader pauses the connection at `TransferLimits.streamBufferBytes`. The stream ends with `TransferError`,
    /// which is `.status` when the status is not 2xx. Dropping the stream, or cancelling its reader, ends the transfer.
    /// The transfer's deadline covers the whole stream, so it mostly is nil; its limit of the body is not used.
    ///
    /// - Parameter transfer: The request.
    /// - Returns: The chunks, for one reader.
    public func stream(_ transfer: Transfer) -> AsyncThrowingStream<[UInt8], any Error> {
        let flow: TransferFlow
        do throws(TransferError) {
            let host = try TransferRules.check(transfer)
            let id = try admit()
            let mailbox = mailbox
            let buffer = StreamBuffer { mailbox.post(.resume(id: id)) }
            flow = TransferFlow(id: id, buffer: buffer, driver: self)
            post(TransferJob(id: id, transfer: transfer, host: host, sink: .flow(buffer)))
        } catch {
            return AsyncThrowingStream { $0.finish(throwing: error) }
        }
        return AsyncThrowingStream { try await flow.next() }
    }

    /// Fails the transfers in progress and ends the thread; later requests are refused.
    public func stop() {
        let wasRunning = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        // The thread drains a full mailbox, so the loop ends.
        while wasRunning && !mailbox.post(.stop) { sched_yield() }
    }

    /// Cancels a stream whose reader is gone.
    fileprivate func abandon(_ id: UInt64) {
        mailbox.post(.cancel(id: id))
        leave()
    }

    private func admit() throws(TransferError) -> UInt64 {
        let admitted = state.withLock { state -> Result<UInt64, TransferError> in
            if state.isStopped { return .failure(.stopped) }
            guard state.underWay < bounds.transfers else { return .failure(.tooMany) }
            state.underWay += 1
            state.lastID += 1
            return .success(state.lastID)
        }
        return try admitted.get()
    }

    private func leave() { state.withLock { $0.underWay -= 1 } }

    /// Posts under the lock of `stop`, so that no job is posted after it.
    private func post(_ job: TransferJob) {
        let refusal = state.withLock { state -> TransferError? in
            if state.isStopped { return .stopped }
            return mailbox.post(.start(job)) ? nil : .tooMany
        }
        if let refusal { job.fail(refusal) }
    }
}

/// A stream's reference to its transfer; its deinitialisation ends the transfer.
private final class TransferFlow: Sendable {
    private let id: UInt64
    private let buffer: StreamBuffer
    private let driver: TransferDriver

    init(id: UInt64, buffer: StreamBuffer, driver: TransferDriver) {
        self.id = id
        self.buffer = buffer
        self.driver = driver
    }

    deinit { driver.abandon(id) }

    func next() async throws(TransferError) -> [UInt8]? {
        let result = await withTaskCancellationHandler {
            await buffer.next()
        } onCancel: {
            buffer.finish(.cancelled)
        }
        return try result.get()
    }
}
