// One simulated phone with an open stream costs a descriptor and a few words, so that one process holds thousands.

import CLinux
import Glibc
import ScoreTypes

/// A reader of the benchmark of streams, on the thread of its crowd.
final class StreamReader {
    /// How a reader behaves.
    enum Kind: Sendable {
        case prompt
        /// Reads nothing after the head of the answer.
        case slow
        /// Acknowledges nothing any more, as after the loss of a network.
        case vanishing
    }

    private enum State {
        /// Connects again at a time.
        case waiting(until: Duration)
        case connecting
        case awaitingHead
        /// Reads events; 0 before the first state.
        case open(revision: Int64)
        case vanished
    }

    let kind: Kind
    private var wasCut = false
    private let source: UInt32
    private var state: State
    private var descriptor: Int32 = -1
    /// The newest state that any of its streams showed; 0 for none.
    private(set) var shown: Int64 = 0
    /// The end of what arrived, when an event is not complete.
    private var tail: [UInt8] = []

    init(_ kind: Kind, source: UInt32, connectsAt time: Duration) {
        (self.kind, self.source, state) = (kind, source, .waiting(until: time))
    }

    var isOpen: Bool { if case .open(let revision) = state { revision > 0 } else { false } }
    /// The newest state that it received.
    var revision: Int64 { if case .open(let revision) = state { revision } else { 0 } }

    /// Notes that the server has ended an open stream; false when there was none, or not for the first time.
    func markCut() -> Bool {
        guard case .open = state, !wasCut else { return false }
        wasCut = true
        return true
    }

    /// Whether its time to connect has come.
    func isDue(_ now: Duration) -> Bool { if case .waiting(let time) = state { time <= now } else { false } }

    /// Begins to connect from an address of its own; nil when it cannot.
    func connect(port: UInt16) -> Int32? {
        let kindOfSocket = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue) | Int32(SOCK_CLOEXEC.rawValue)
        descriptor = socket(AF_INET, kindOfSocket, 0)
        guard descriptor >= 0 else { return nil }
        if kind == .slow {
            var bytes: Int32 = 4096
            setsockopt(descriptor, SOL_SOCKET, SO_RCVBUF, &bytes, socklen_t(MemoryLayout<Int32>.size))
        }
        var isStamped: Int32 = 1
        setsockopt(descriptor, SOL_SOCKET, SO_TIMESTAMPNS, &isStamped, socklen_t(MemoryLayout<Int32>.size))
        let isBound = Self.withAddress(source, port: 0) { bind(descriptor, $0, $1) == 0 }
        let code = Self.withAddress(0x7f00_0001, port: port) { Glibc.connect(descriptor, $0, $1) }
        guard isBound, code == 0 || errno == EINPROGRESS else {
            close(descriptor)
            descriptor = -1
            return nil
        }
        state = .connecting
        return descriptor
    }

    /// Closes the socket, and connects again at a time.
    func leave(until time: Duration) {
        if descriptor >= 0 { close(descriptor) }
        (descriptor, state, tail) = (-1, .waiting(until: time), [])
    }

    /// Sends the request once the connection is there; false when it failed.
    func becameWritable(_ request: [UInt8]) -> Bool {
        guard case .connecting = state else { return true }
        state = .awaitingHead
        return send(descriptor, request, request.count, Int32(MSG_NOSIGNAL)) == request.count
    }

    /// The result of reading.
    enum Reading {
        case nothing
        /// The kernel received the newest bytes at a wall time in nanoseconds.
        case moved(from: Int64, to: Int64, at: Int64)
        /// The stream was refused with a status, to be tried again after so many seconds.
        case refused(after: Int)
        case closed
    }

    /// Reads all that has arrived, and the end of the stream when the event reported one.
    func read(into buffer: UnsafeMutableRawBufferPointer, hasEnd: Bool) -> Reading {
        if case .vanished = state { return .nothing }
        if kind == .slow, case .open = state { return .nothing }
        let before = revision
        var receivedAt: Int64 = 0
        while true {
            let room = UnsafeMutableRawBufferPointer(rebasing: buffer[tail.count...])
            buffer.copyBytes(from: tail)
            let count = receive_with_time(descriptor, room.baseAddress, room.count, &receivedAt)
            guard count > 0 else {
                guard count < 0, errno == EAGAIN || errno == EINTR else { return .closed }
                break
            }
            let bytes = UnsafeRawBufferPointer(rebasing: buffer[..<(tail.count + count)])
            tail = Array(bytes.suffix(48))
            if case .awaitingHead = state {
                guard bytes.starts(with: "HTTP/1.1 200".utf8) else {
                    return .refused(after: Self.retryAfter(in: bytes))
                }
                state = .open(revision: 0)
                if kind == .vanishing { return vanish() }
            }
            if let newest = Self.newestRevision(in: bytes), newest > revision {
                state = .open(revision: newest)
                shown = max(shown, newest)
            }
            if kind == .slow { return .nothing }
            // An edge-triggered event follows for what arrives from here on, but not for an end that it has reported.
            if count < room.count, !hasEnd { break }
        }
        // The first state of a stream is older than the stream.
        return before > 0 && revision > before ? .moved(from: before, to: revision, at: receivedAt) : .nothing
    }

    private func vanish() -> Reading {
        // BPF_RET | BPF_K: accept no byte.
        var filter = sock_filter(code: 0x06, jt: 0, jf: 0, k: 0)
        withUnsafeMutablePointer(to: &filter) { filter in
            var program = sock_fprog(len: 1, filter: filter)
            setsockopt(descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &program, socklen_t(MemoryLayout<sock_fprog>.size))
        }
        state = .vanished
        return .nothing
    }

    /// The number in the last line `id: epoch.number`.
    private static func newestRevision(in bytes: UnsafeRawBufferPointer) -> Int64? {
        var index = bytes.count - 5
        while index >= 0 {
            if bytes[index] == 0x69, bytes[index + 1] == 0x64, bytes[index + 2] == 0x3a, bytes[index + 3] == 0x20,
                index == 0 || bytes[index - 1] == 0x0a
            {
                let line = bytes[(index + 4)...]
                guard let end = line.firstIndex(of: 0x0a), let dot = line[..<end].lastIndex(of: 0x2e) else {
                    return nil
                }
                return Int64(String(decoding: line[(dot + 1)..<end], as: UTF8.self))
            }
            index -= 1
        }
        return nil
    }

    private static func retryAfter(in bytes: UnsafeRawBufferPointer) -> Int {
        let text = String(decoding: bytes, as: UTF8.self).lowercased()
        return text.firstMatch(of: #/retry-after: ([0-9]+)/#).flatMap { Int($0.1) } ?? 1
    }

    private static func withAddress<Result>(
        _ address: UInt32,
        port: UInt16,
        _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
    ) -> Result {
        // sockaddr_in: the family in the order of the machine, port and address in that of the network.
        var bytes = [UInt8](repeating: 0, count: 16)
        withUnsafeBytes(of: sa_family_t(AF_INET)) { for (index, byte) in $0.enumerated() { bytes[index] = byte } }
        (bytes[2], bytes[3]) = (UInt8(port >> 8), UInt8(port & 0xff))
        for index in 0..<4 { bytes[4 + index] = UInt8(truncatingIfNeeded: address >> UInt32(24 - 8 * index)) }
        var storage = sockaddr_storage()
        withUnsafeMutableBytes(of: &storage) { $0.copyBytes(from: bytes) }
        return withUnsafePointer(to: &storage) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(bytes.count)) }
        }
    }
}
