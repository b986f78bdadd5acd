// The loop of the thread that owns libcurl's multi handle.

internal import CCurl
internal import Glibc
internal import ScoreTypes

/// Runs all transfers of a driver; created and used on its thread only.
struct TransferLoop {
    private let mailbox: Mailbox<TransferCommand>
    private let bounds: TransferBounds
    private let clock: ServiceClock
    private var tasks: [UInt64: TransferTask] = [:]
    private var isStopped = false

    init(mailbox: Mailbox<TransferCommand>, bounds: TransferBounds, clock: ServiceClock) {
        self.mailbox = mailbox
        self.bounds = bounds
        self.clock = clock
    }

    /// Runs until the stop command.
    mutating func run() {
        guard let multi = curl_multi_init() else { return refuseAll() }
        defer { curl_multi_cleanup(multi) }
        _ = curl_multi_set_long(multi, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
        _ = curl_multi_set_long(multi, CURLMOPT_MAX_HOST_CONNECTIONS, bounds.connectionsPerHost)
        _ = curl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, bounds.idleConnections)
        while !isStopped {
            executeCommands(multi)
            var running: Int32 = 0
            _ = curl_multi_perform(multi, &running)
            settle(multi)
            var wake = curl_waitfd(fd: mailbox.wakeDescriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
            if !isStopped { _ = curl_multi_poll(multi, &wake, 1, TransferLimits.sleepMilliseconds, nil) }
        }
        for id in Array(tasks.keys) { end(id, multi)?.job.fail(.stopped) }
    }

    private mutating func executeCommands(_ multi: UnsafeMutableRawPointer) {
        for command in mailbox.drain() {
            switch command {
            case .start(let job): start(job, multi)
            case .resume(let id): _ = tasks[id].map { curl_easy_pause($0.handle, CURLPAUSE_CONT) }
            case .cancel(let id): end(id, multi)?.job.fail(.cancelled)
            case .stop: isStopped = true
            }
        }
    }

    private mutating func start(_ job: TransferJob, _ multi: UnsafeMutableRawPointer) {
        guard let task = TransferTask(job, clock: clock), curl_multi_add_handle(multi, task.handle) == CURLM_OK else {
            return job.fail(.other(code: UInt32(CURLE_OUT_OF_MEMORY.rawValue)))
        }
        tasks[job.id] = task
    }

    private mutating func settle(_ multi: UnsafeMutableRawPointer) {
        var waiting: Int32 = 0
        while let message = curl_multi_info_read(multi, &waiting) {
            guard message.pointee.msg == CURLMSG_DONE, let handle = message.pointee.easy_handle else { continue }
            let code = curl_message_result(message)
            var context: UnsafeMutableRawPointer?
            _ = curl_get_pointer(handle, CURLINFO_PRIVATE, &context)
            guard let id = TransferTask.task(context)?.job.id else { continue }
            end(id, multi)?.finish(code)
        }
    }

    /// Removes a transfer from libcurl; nil when it has ended before.
    private mutating func end(_ id: UInt64, _ multi: UnsafeMutableRawPointer) -> TransferTask? {
        guard let task = tasks.removeValue(forKey: id) else { return nil }
        _ = curl_multi_remove_handle(multi, task.handle)
        return task
    }

    /// Fails all transfers when there is no memory for a multi handle.
    private mutating func refuseAll() {
        while !isStopped {
            for command in mailbox.drain() {
                switch command {
                case .start(let job): job.fail(.other(code: UInt32(CURLE_OUT_OF_MEMORY.rawValue)))
                case .stop: isStopped = true
                case .resume, .cancel: break
                }
            }
            var wake = pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            _ = poll(&wake, 1, TransferLimits.sleepMilliseconds)
        }
    }
}
