// Tests of transfers need a server that answers each request as the test sets, correct or not: plain HTTP/1.1.

import Foundation
import ScoreTypes
import Synchronization

/// Answers each request by a closure that runs on the connection's own thread.
public final class ScriptedServer: Sendable {
    /// A request that has arrived.
    public struct Request: Sendable {
        /// The method in upper case, such as `GET`.
        public let method: String
        /// The path with its query.
        public let path: String
        /// Values by the name in lower case; the first of a repeated name.
        public let headers: [String: String]
        /// The body, by its content length.
        public let body: [UInt8]
        /// Counts the requests of the server, from 1.
        public let number: Int
        /// Counts the connections of the server, from 1.
        public let connection: Int
    }

    /// Writes to the connection; false when the peer has gone.
    public typealias Write = @Sendable ([UInt8]) -> Bool

    /// Returns whether the connection stays open for another request.
    public typealias Script = @Sendable (Request, Write) -> Bool

    /// The port on 127.0.0.1.
    public let port: Int
    private let listener: Int32
    private let script: Script
    private let state = Mutex(State())

    private struct State {
        var requests: [Request] = []
        var connections = 0
        var open: Set<Int32> = []
        var isStopped = false
        var waiting: [Waiting] = []
    }

    /// A test that waits for requests.
    private struct Waiting {
        let isDone: @Sendable ([Request]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Listens on 127.0.0.1.
    ///
    /// - Parameters:
    ///   - port: The port, or 0 for a free one.
    ///   - script: Answers a request.
    /// - Throws: `POSIXError` when the port is taken.
    public init(port: Int = 0, _ script: @escaping Script) throws {
        self.script = script
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        self.listener = listener
        var reuse: Int32 = 1
        setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &reuse, socklen_t(MemoryLayout<Int32>.size))
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let bound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { raw in
                bind(listener, raw, length) == 0 && listen(listener, 128) == 0
                    && getsockname(listener, raw, &length) == 0
            }
        }
        guard bound else { throw POSIXError(.EADDRINUSE) }
        self.port = Int(UInt16(bigEndian: address.sin_port))
        OwnedThread.start(name: "script-accept") { [self] in accept() }
    }

    // Closed no earlier: a second `stop` would shut down a descriptor that has been given to another socket since.
    deinit { close(listener) }

    /// Answers every request with one text.
    ///
    /// - Throws: `POSIXError` when no port is free.
    public convenience init(status: Int = 200, headers: [String: String] = [:], text: String) throws {
        try self.init { _, write in write(Self.reply(status: status, headers: headers, body: Array(text.utf8))) }
    }

    /// The base of its URLs, without a slash at the end.
    public var url: String { "http://127.0.0.1:\(port)" }
    /// All requests so far.
    public var requests: [Request] { state.withLock { $0.requests } }
    /// The number of connections so far.
    public var connectionCount: Int { state.withLock { $0.connections } }

    /// Waits for requests of a kind.
    ///
    /// - isMeant: Whether a request is of the kind.
    ///   - count: The number of requests, those before the call included.
    ///   - isMeant: Whether a request is of the kind.
    public func received(_ count: Int = 1, _ isMeant: @escaping @Sendable (Request) -> Bool = { _ in true }) async {
        let isDone: @Sendable ([Request]) -> Bool = { $0.count(where: isMeant) >= count }
        await withCheckedContinuation { continuation in
            let isDoneAlready = state.withLock { state in
                if isDone(state.requests) { return true }
                state.waiting.append(Waiting(isDone: isDone, continuation: continuation))
                return false
            }
            if isDoneAlready { continuation.resume() }
        }
    }

    /// The bytes of an answer, with a content length where none is given.
    public static func reply(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Because\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if status != 304 && headers["Content-Length"] == nil { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }

    /// Closes the port and all connections.
    public func stop() {
        state.withLock { state in
            state.isStopped = true
            for connection in state.open { shutdown(connection, Int32(SHUT_RDWR)) }
        }
        shutdown(listener, Int32(SHUT_RDWR))
    }

    private func accept() {
        while true {
            let connection = Foundation.accept(listener, nil, nil)
            guard connection >= 0 else { break }
            let number = state.withLock { state -> Int? in
                guard !state.isStopped else { return nil }
                state.connections += 1
                state.open.insert(connection)
                return state.connections
            }
            guard let number else {
                close(connection)
                break
            }
            OwnedThread.start(name: "script-serve") { [self] in
                serve(connection, number)
                _ = state.withLock { $0.open.remove(connection) }
                close(connection)
            }
        }
    }

    private func serve(_ connection: Int32, _ number: Int) {
        var pending: [UInt8] = []
        while let (parts, body) = read(from: connection, &pending) {
            let (request, served) = state.withLock { state in
                let line = parts[0].split(separator: " ").map(String.init)
                let headers = parts.dropFirst().map { $0.split(separator: ":", maxSplits: 1).map(String.init) }
                let request = Request(
                    method: line.first ?? "",
                    path: line.count > 1 ? line[1] : "",
                    headers: Dictionary(
                        headers.map { ($0[0].lowercased(), $0.count > 1 ? String($0[1].dropFirst()) : "") }
                    ) { first, _ in first },
                    body: body,
                    number: state.requests.count + 1,
                    connection: number
                )
                state.requests.append(request)
                let served = state.waiting.filter { $0.isDone(state.requests) }
                state.waiting.removeAll { $0.isDone(state.requests) }
                return (request, served)
            }
            for waiting in served { waiting.continuation.resume() }
            let isKept = script(request) { bytes in
                var sent = 0
                while sent < bytes.count {
                    let count = bytes[sent...].withUnsafeBytes {
                        send(connection, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                    }
                    guard count > 0 else { return false }
                    sent += count
                }
                return true
            }
            guard isKept else { return }
        }
    }

    /// Reads one request: its lines and its body.
    private func read(from connection: Int32, _ pending: inout [UInt8]) -> ([String], [UInt8])? {
        var chunk = [UInt8](repeating: 0, count: 65_536)
        let end = Array("\r\n\r\n".utf8)
        while true {
            if let range = pending.firstRange(of: end) {
                let text = String(decoding: pending[..<range.lowerBound], as: UTF8.self)
                let lines = text.components(separatedBy: "\r\n")
                let length =
                    lines.compactMap { line -> Int? in
                        line.lowercased().hasPrefix("content-length:")
                            ? Int(line.dropFirst(15).drop { $0 == " " }) : nil
                    }.first ?? 0
                if pending.count - range.upperBound >= length {
                    let body = Array(pending[range.upperBound..<range.upperBound + length])
                    pending.removeSubrange(..<(range.upperBound + length))
                    return (lines, body)
                }
            }
            let count = recv(connection, &chunk, chunk.count, 0)
            guard count > 0 else { return nil }
            pending += chunk[..<count]
        }
    }
}

/// An event that a thread awaits and another signals.
public final class ThreadEvent: Sendable {
    private let mailbox = Mailbox<Void>(limit: 64)

    /// Makes an event that is not signalled.
    public init() {}

    /// Wakes the thread that waits, or the next that will.
    public func signal() { mailbox.post(()) }

    /// Waits on the calling thread.
    ///
    /// - Parameter seconds: The longest wait.
    /// - Returns: Whether the event was signalled in time.
    public func await(seconds: Int32 = 10) -> Bool {
        var wake = pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        let isSignalled = poll(&wake, 1, seconds * 1000) == 1
        if isSignalled { _ = mailbox.drain() }
        return isSignalled
    }
}
