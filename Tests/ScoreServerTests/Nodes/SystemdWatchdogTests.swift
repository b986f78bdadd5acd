// systemd learns from datagrams that a node serves, works and stops.

import Foundation
import Glibc
import TestSupport
import Testing

@testable import ScoreServer

@Suite struct SystemdWatchdogTests {
    @Test("H13: a node reports to systemd while it serves")
    func reports() async throws {
        let socket = try NotifySocket()
        defer { socket.end() }
        let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "2000", "WATCHDOG_PID": "\(getpid())"]
        let watchdog = try #require(SystemdWatchdog(environment: environment))
        let (serving, ready) = AsyncStream.makeStream(of: Void.self)
        let work = Task { await watchdog.run { for await _ in serving { break } } }
        #expect(socket.message() == nil, "the node does not serve yet")
        ready.yield()
        var messages: [String] = []
        try await eventually("three reports have come") {
            while let message = socket.message() { messages.append(message) }
            return messages.count >= 3
        }
        work.cancel()
        await work.value
        while let message = socket.message() { messages.append(message) }
        #expect(messages.first == "READY=1" && messages.last == "STOPPING=1")
        #expect(Set(messages.dropFirst().dropLast()) == ["WATCHDOG=1"])
    }

    @Test(arguments: [[:], ["NOTIFY_SOCKET": "relative"], ["NOTIFY_SOCKET": "/" + String(repeating: "a", count: 200)]])
    func withoutAUsableSocketThereIsNone(environment: [String: String]) {
        #expect(SystemdWatchdog(environment: environment) == nil)
    }

    @Test func theWatchdogOfAnotherProcessIsNotAnswered() async throws {
        let socket = try NotifySocket()
        defer { socket.end() }
        let environment = ["NOTIFY_SOCKET": socket.path, "WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"]
        let watchdog = try #require(SystemdWatchdog(environment: environment))
        let work = Task { await watchdog.run {} }
        var messages: [String] = []
        try await eventually("a report has come") {
            while let message = socket.message() { messages.append(message) }
            return messages.contains("WATCHDOG=1")
        }
        work.cancel()
        await work.value
        while let message = socket.message() { messages.append(message) }
        #expect(messages == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
    }
}

/// The socket of a service manager.
private struct NotifySocket {
    let path = "/tmp/score-notify-\(getpid())-\(UInt32.random(in: 0 ... .max))"
    private let descriptor: Int32

    init() throws {
        descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { [path] in $0.copyBytes(from: path.utf8) }
        let isBound = withUnsafePointer(to: &address) { [descriptor] pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer in
                bind(descriptor, pointer, socklen_t(MemoryLayout<sockaddr_un>.size)) == 0
            }
        }
        try #require(isBound)
    }

    /// The next message; nil when none waits.
    func message() -> String? {
        var bytes = [UInt8](repeating: 0, count: 256)
        let count = recv(descriptor, &bytes, bytes.count, 0)
        return count > 0 ? String(decoding: bytes.prefix(count), as: UTF8.self) : nil
    }

    func end() {
        close(descriptor)
        unlink(path)
    }
}
