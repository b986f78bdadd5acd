// A server of the tests' own: plain HTTP/1.1 on a free port, answering as each test says, badly too.

import Foundation
import ScoreTypes
import Synchronization

/// Answers each request by a closure that runs on the connection's own thread.
final class ScriptedServer: Sendable {
    struct Request: Sendable {
        let method: String
        let path: String
        let headers: [String: String]
        let body: [UInt8]
        /// Counts the requests of the server, from 1.
        let number: Int
        /// Counts the connections of the server, from 1.
        let connection: Int
    }

    /// Writes to the connection; false when the peer has gone.
    typealias Write = @Sendable ([UInt8]) -> Bool

    /// Returns whether the connection stays open for another request.
    typealias Script = @Sendable (Request, Write) -> Bool

    let port: Int
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

    /// Somebody who waits for requests that have not come yet.
    private struct Waiting {
        let isDone: @Sendable ([Request]) -> Bool
        let continuation: CheckedContinuation<Void, Never>
    }

    /// Listens on a free port, or on one where another server was before.
    init(port: Int = 0, _ script: @escaping Script) throws {
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

    // Not where accepting ends: a second `stop` would then hang up on whoever got the number since.
    deinit { close(listener) }

    /// Answers every request with one text.
    convenience init(status: Int = 200, headers: [String: String] = [:], text: String) throws {
        try self.init { _, write in write(Self.reply(status: status, headers: headers, body: Array(text.utf8))) }
    }

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { state.withLock { $0.requests } }
    var connectionCount: Int { state.withLock { $0.connections } }

    /// Waits until so many requests of a kind have come.
    func asked(_ count: Int = 1, _ isMeant: @escaping @Sendable (Request) -> Bool = { _ in true }) async {
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

    static func reply(status: Int = 200, headers: [String: String] = [:], body: [UInt8] = []) -> [UInt8] {
        var text = "HTTP/1.1 \(status) Because\r\n"
        for (name, value) in headers { text += "\(name): \(value)\r\n" }
        if status != 304 && headers["Content-Length"] == nil { text += "Content-Length: \(body.count)\r\n" }
        return Array((text + "\r\n").utf8) + body
    }

    func stop() {
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

/// Something that a thread waits for and another lets happen.
final class Gong: Sendable {
    private let mailbox = Mailbox<Void>(limit: 64)

    func strike() { mailbox.post(()) }

    /// Waits on the calling thread; false when the time is over.
    func await(seconds: Int32 = 10) -> Bool {
        var wake = pollfd(fd: mailbox.wakeDescriptor, events: Int16(POLLIN), revents: 0)
        let isStruck = poll(&wake, 1, seconds * 1000) == 1
        if isStruck { _ = mailbox.drain() }
        return isStruck
    }
}
