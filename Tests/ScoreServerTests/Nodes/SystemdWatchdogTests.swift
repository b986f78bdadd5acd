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
        #expect(socket.messages().isEmpty, "the node does not serve yet")
        ready.yield()
        var messages: [String] = []
        try await eventually("three reports have come") {
            messages += socket.messages()
            return messages.count >= 3
        }
        work.cancel()
        await work.value
        messages += socket.messages()
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
            messages += socket.messages()
            return messages.contains("WATCHDOG=1")
        }
        work.cancel()
        await work.value
        messages += socket.messages()
        #expect(messages == ["READY=1", "WATCHDOG=1", "STOPPING=1"])
    }
}
