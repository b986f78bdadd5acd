// A full pipe or a slow disk behind the log must not stop a loop: lines wait in a bounded queue for a thread.

import Glibc
import Metrics
import ScoreTypes

/// The lines that are not written yet, and the thread that writes them.
final class LogQueue: Sendable {
    private enum Message: Sendable {
        case line([UInt8])
        case end
    }

    private let messages = Mailbox<Message>(limit: ServerLimits.logLines)
    private let ended = FirstValue<Void>()

    /// Starts the thread; `write` writes one line, and may block.
    init(write: @escaping @Sendable ([UInt8]) -> Void) {
        OwnedThread.start(name: "log") { [messages, ended] in
            Self.run(messages, write)
            ended.set(())
        }
    }

    /// Starts a thread that writes to a descriptor; what cannot be written is lost, as there is no other output.
    convenience init(descriptor: Int32) {
        self.init { line in
            var rest = line[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                guard count > 0 else { return }
                rest = rest.dropFirst(count)
            }
        }
    }

    deinit { messages.post(.end) }

    /// Adds a line; one beyond the limit is dropped and counted.
    func put(_ line: [UInt8]) {
        if !messages.post(.line(line)) { Counter(label: "score_log_records_dropped_total").increment() }
    }

    /// Writes the lines that wait and ends the thread; returns after a time in any case.
    func finish() async {
        guard messages.post(.end) else { return }
        try? await Deadline.run(ServerLimits.logFlushTime, .unavailable("log")) { [ended] in await ended.value() }
    }

    private static func run(_ messages: Mailbox<Message>, _ write: ([UInt8]) -> Void) {
        while true {
            var wake = pollfd(fd: messages.wakeDescriptor, events: Int16(POLLIN), revents: 0)
            poll(&wake, 1, -1)
            for message in messages.drain() {
                guard case .line(let line) = message else { return }
                write(line)
            }
        }
    }
}
