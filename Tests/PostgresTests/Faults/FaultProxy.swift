// A proxy before the server that can be slow, or silent without closing, as a vanished host is.

import Foundation
import Synchronization
import TestSupport
import Testing

/// Passes bytes between clients and a server's unix socket.
final class FaultProxy: Sendable {
    /// The treatment of the bytes that it reads.
    enum Manner: Sendable, Equatable {
        case passes
        /// Each piece is delayed for that long, on its way to the server.
        case delays(Duration)
        /// Connections stay open, and no byte is passed on.
        case swallows
        /// Drops bytes after it has passed so many pieces to the server; libpq sends one for each answer.
        case stops(after: Int)
    }

    /// The folder of the proxy's socket, as libpq's `host`.
    let directory: String
    private let shared: Mutex<Shared>

    private struct Shared {
        var manner = Manner.passes
        var isTaken = true
        var isOver = false
        var hasStopped = false
    }

    /// Begins to listen.
    init(to serverSocket: String) throws {
        directory = "/tmp/score-proxy-\(getpid())-\(String(UInt32.random(in: 0 ... .max), radix: 36))"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        shared = Mutex(Shared())
        let listener = try #require(UnixSocket.listen(at: directory + "/.s.PGSQL.5432"))
        let thread = Thread { [shared = Unowned(self)] in
            var traffic = Traffic(listener: listener, server: serverSocket)
            while let manner = shared.take() {
                traffic.step(manner)
                shared.note(hasStopped: traffic.hasStopped)
            }
            traffic.end()
        }
        thread.start()
    }

    /// Gives the thread access to the shared state, without a cycle.
    private final class Unowned: Sendable {
        private let proxy: FaultProxy
        init(_ proxy: FaultProxy) { self.proxy = proxy }
        /// Nil when it is over; otherwise the manner from here on.
        func take() -> Manner? {
            proxy.shared.withLock { state in
                state.isTaken = true
                return state.isOver ? nil : state.manner
            }
        }
        func note(hasStopped: Bool) { proxy.shared.withLock { $0.hasStopped = hasStopped } }
    }

    /// Returns when the next piece is treated that way.
    func set(_ manner: Manner) async throws {
        shared.withLock { ($0.manner, $0.isTaken) = (manner, false) }
        try await eventually("the manner has changed") { shared.withLock { $0.isTaken } }
    }

    /// Whether it has passed the requested number of pieces.
    var hasStopped: Bool { shared.withLock { $0.hasStopped } }

    /// Closes all connections.
    func end() {
        shared.withLock { $0.isOver = true }
        try? FileManager.default.removeItem(atPath: directory)
    }
}

/// The pairs of connections, on the proxy's own thread.
private struct Traffic {
    private struct Pair {
        let client: Int32
        let server: Int32
        /// In flight to the server, each with the time at which it may continue.
        var kept: [(due: ContinuousClock.Instant, bytes: [UInt8])] = []
        var isClosed = false
    }

    let listener: Int32
    let server: String
    private var pairs: [Pair] = []
    private var passedCount = 0
    private var lastManner = FaultProxy.Manner.passes
    private(set) var hasStopped = false

    init(listener: Int32, server: String) {
        self.listener = listener
        self.server = server
    }

    /// Does the work of a few milliseconds.
    mutating func step(_ wanted: FaultProxy.Manner) {
        if wanted != lastManner { (passedCount, lastManner) = (0, wanted) }
        hasStopped = if case .stops(let after) = wanted { passedCount >= after } else { false }
        let manner = hasStopped ? FaultProxy.Manner.swallows : wanted
        var watched = [pollfd(fd: listener, events: Int16(POLLIN), revents: 0)]
        if manner != .swallows {
            for pair in pairs {
                watched.append(pollfd(fd: pair.client, events: Int16(POLLIN), revents: 0))
                watched.append(pollfd(fd: pair.server, events: Int16(POLLIN), revents: 0))
            }
        }
        _ = poll(&watched, nfds_t(watched.count), 2)
        for index in pairs.indices where manner != .swallows {
            let delay: Duration = if case .delays(let delay) = manner { delay } else { .zero }
            if watched[1 + 2 * index].revents != 0 { read(&pairs[index], delay) }
            if watched[2 + 2 * index].revents != 0 { answer(&pairs[index]) }
            pass(index)
        }
        for pair in pairs where pair.isClosed {
            close(pair.client)
            close(pair.server)
        }
        pairs.removeAll(where: \.isClosed)
        guard watched[0].revents != 0 else { return }
        let client = accept(listener, nil, nil)
        guard client >= 0 else { return }
        if let server = UnixSocket.connect(to: server) {
            pairs.append(Pair(client: client, server: server))
        } else {
            close(client)
        }
    }

    mutating func end() {
        for pair in pairs {
            close(pair.client)
            close(pair.server)
        }
        close(listener)
    }

    private func read(_ pair: inout Pair, _ delay: Duration) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(pair.client, &bytes, bytes.count)
        guard count > 0 else { return pair.isClosed = true }
        pair.kept.append((.now + delay, Array(bytes.prefix(count))))
    }

    private func answer(_ pair: inout Pair) {
        var bytes = [UInt8](repeating: 0, count: 65_536)
        let count = Glibc.read(pair.server, &bytes, bytes.count)
        guard count > 0, UnixSocket.write(bytes.prefix(count), to: pair.client) else { return pair.isClosed = true }
    }

    private mutating func pass(_ index: Int) {
        while let first = pairs[index].kept.first, first.due <= .now {
            pairs[index].kept.removeFirst()
            passedCount += 1
            if !UnixSocket.write(first.bytes[...], to: pairs[index].server) { pairs[index].isClosed = true }
        }
    }
}

/// The few calls on sockets that the proxy needs.
private enum UnixSocket {
    static func listen(at path: String) -> Int32? {
        open(path) { descriptor, address, length in
            bind(descriptor, address, length) == 0 && Glibc.listen(descriptor, 64) == 0
        }
    }

    static func connect(to path: String) -> Int32? {
        open(path) { descriptor, address, length in Glibc.connect(descriptor, address, length) == 0 }
    }

    static func write(_ bytes: ArraySlice<UInt8>, to descriptor: Int32) -> Bool {
        var rest = bytes
        while !rest.isEmpty {
            let sent = rest.withUnsafeBytes { send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            guard sent > 0 else { return false }
            rest = rest.dropFirst(sent)
        }
        return true
    }

    private static func open(
        _ path: String,
        _ use: (Int32, UnsafePointer<sockaddr>, socklen_t) -> Bool
    ) -> Int32? {
        let descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path.utf8.prefix($0.count - 1)) }
        let isUsed = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                use(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        if isUsed { return descriptor }
        close(descriptor)
        return nil
    }
}
