// libcurl does the HTTP of feeds; its multi handle belongs to one thread, and this is the door to it.

internal import CCurl
internal import Glibc
public import ScoreTypes
internal import Synchronization

/// Sends requests over connections that are kept open; any task may ask, one thread does all the work.
///
/// Redirects are not followed, proxies of the environment are not used, cookies are not kept.
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
    ///   - name: The thread's name; 15 bytes are shown by the system.
    ///   - bounds: How much it carries at once.
    ///   - clock: Measures durations, and reads dates of servers that ask to be left alone.
    public init(name: String, bounds: TransferBounds = TransferBounds(), clock: ServiceClock = ServiceClock()) {
        // Three commands at most for each transfer, and the stop.
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

    /// libcurl asks to be set up once in a process, before its first use.
    private static let isLibraryReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

    /// Sends one request and waits for its whole reply, whatever its status.
    ///
    /// - Throws: `TransferError` when there is no whole reply within the limits of the transfer.
    public func perform(_ transfer: Transfer) async throws(TransferError) -> Reply {
        let host = try TransferRules.check(transfer)
        let outcome = TransferOutcome()
        let id = try admit()
        defer { leave() }
        post(TransferJob(id: id, transfer: transfer, host: host, sink: .whole(outcome)))
        let result = await withTaskCancellationHandler {
            await outcome.wait()
        } onCancel: {
            outcome.settle(.failure(.cancelled))
            mailbox.post(.cancel(id: id))
        }
        return try result.get()
    }

    /// Sends one request and hands out the body as it comes, without end if the server wishes so.
    ///
    /// A reader that is slow pauses the connection when 256 KiB wait. The stream ends with `TransferError`, which is
    /// `.status` when the answer is not 2xx. Dropping the stream, or cancelling who reads it, ends the transfer.
    /// The transfer's deadline covers the whole stream, so it mostly is nil; its limit of the body is not used.
    ///
    /// - Parameters:
    ///   - transfer: The request.
    ///   - onHead: Called once on the driver's thread with the headers of a 2xx answer, before the first chunk.
    /// - Returns: The chunks, for one reader.
    public func stream(
        _ transfer: Transfer,
        onHead: (@Sendable (ReplyHead) -> Void)? = nil
    ) -> AsyncThrowingStream<[UInt8], any Error> {
        let flow: TransferFlow
        do throws(TransferError) {
            let host = try TransferRules.check(transfer)
            let id = try admit()
            let mailbox = mailbox
            let buffer = StreamBuffer { mailbox.post(.resume(id: id)) }
            flow = TransferFlow(id: id, buffer: buffer, driver: self)
            post(TransferJob(id: id, transfer: transfer, host: host, sink: .flow(buffer, onHead: onHead)))
        } catch {
            return AsyncThrowingStream { $0.finish(throwing: error) }
        }
        return AsyncThrowingStream { try await flow.next() }
    }

    /// Fails what is under way and ends the thread; later requests are refused.
    public func stop() {
        let wasRunning = state.withLock { state in
            defer { state.isStopped = true }
            return !state.isStopped
        }
        // A full mailbox is being drained by the thread, so this ends.
        while wasRunning && !mailbox.post(.stop) { sched_yield() }
    }

    /// Forgets a stream that nobody reads any more.
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

    /// Posts under the lock that guards the stop, so that no job ever lands behind it.
    private func post(_ job: TransferJob) {
        let refusal = state.withLock { state -> TransferError? in
            if state.isStopped { return .stopped }
            return mailbox.post(.start(job)) ? nil : .tooMany
        }
        if let refusal { job.fail(refusal) }
    }
}

/// A stream's hold on its transfer; letting go ends it.
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
