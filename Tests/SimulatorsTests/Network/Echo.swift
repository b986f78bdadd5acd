// A link is observed from both of its ends: a server that sends back what it receives, and a client of plain sockets.

import Foundation
import Glibc
import ScoreTypes
import Synchronization

enum EchoError: Error { case notListening, notConnected, reset, silent, closed }

/// Sends back what it receives, on a thread of its own.
final class EchoServer: Sendable {
    let port: Int
    private let isOver = Mutex(false)
    private let ended = DispatchSemaphore(value: 0)

    init() throws {
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var (address, size) = (LoopbackAddress.of(0), socklen_t(MemoryLayout<sockaddr_in>.size))
        let isListening = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(listener, $0, size) == 0 && listen(listener, 16) == 0 && getsockname(listener, $0, &size) == 0
            }
        }
        guard isListening else { throw EchoError.notListening }
        port = Int(UInt16(bigEndian: address.sin_port))
        Thread { [self] in
            serve(listener)
            ended.signal()
        }.start()
    }

    private func serve(_ listener: Int32) {
        var clients: [Int32] = []
        while !isOver.withLock({ $0 }) {
            var watched = ([listener] + clients).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
            poll(&watched, nfds_t(watched.count), 5)
            for ready in watched.dropFirst() where ready.revents != 0 {
                var bytes = [UInt8](repeating: 0, count: 65_536)
                let count = read(ready.fd, &bytes, bytes.count)
                if count <= 0 || send(ready.fd, bytes, count, Int32(MSG_NOSIGNAL)) != count {
                    close(ready.fd)
                    clients.removeAll { $0 == ready.fd }
                }
            }
            if watched[0].revents != 0 { clients.append(accept(listener, nil, nil)) }
        }
        for descriptor in clients + [listener] { close(descriptor) }
    }

    /// Ends the thread; returns whether it has ended.
    func end() -> Bool {
        isOver.withLock { $0 = true }
        return ended.wait(timeout: .now() + 5) == .success
    }
}

/// A connection whose calls wait on a thread of the system, since those of the link's tasks are few.
struct EchoClient: Sendable {
    private let descriptor: Int32

    init(to port: Int) throws {
        descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        var address = LoopbackAddress.of(port)
        let isConnected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
        guard isConnected else { throw EchoError.notConnected }
    }

    func send(_ bytes: [UInt8]) async throws {
        try await onThread { descriptor in
            var rest = bytes[...]
            while !rest.isEmpty {
                let sent = rest.withUnsafeBytes {
                    Glibc.send(descriptor, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL))
                }
                guard sent > 0 else { throw EchoError.reset }
                rest = rest.dropFirst(sent)
            }
        }
    }

    /// Waits for so many bytes.
    func receive(_ count: Int, within limit: Duration = .seconds(20)) async throws -> [UInt8] {
        try await onThread { descriptor in
            var received: [UInt8] = []
            while received.count < count {
                var watched = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&watched, 1, Int32(limit.milliseconds)) > 0 else { throw EchoError.silent }
                var bytes = [UInt8](repeating: 0, count: count - received.count)
                let new = read(descriptor, &bytes, bytes.count)
                guard new != 0 else { throw EchoError.closed }
                guard new > 0 else { throw errno == ECONNRESET ? EchoError.reset : EchoError.closed }
                received += bytes.prefix(new)
            }
            return received
        }
    }

    func close() { Glibc.close(descriptor) }

    private func onThread<Result: Sendable>(
        _ work: @escaping @Sendable (Int32) throws -> Result
    ) async throws -> Result {
        try await withCheckedThrowingContinuation { waiting in
            DispatchQueue.global().async { [descriptor] in
                waiting.resume(with: Swift.Result { try work(descriptor) })
            }
        }
    }
}

/// A port of 127.0.0.1 as the kernel takes it.
private enum LoopbackAddress {
    static func of(_ port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        address.sin_port = UInt16(port).bigEndian
        return address
    }
}
