// A resolver that does not answer costs its own request the deadline, and delays no other.

import CSlowResolver
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer

@Suite(.serialized, .timeLimit(.minutes(2))) struct SlowResolverTests {
    private static let name = "feed.slow.invalid"

    /// Runs the body while the resolver is silent, and releases the resolver at any outcome.
    private static func whileSilent(_ body: () async throws -> Void) async throws {
        slow_resolver_hold()
        defer { slow_resolver_release() }
        try await body()
    }

    /// Resolves the name, and records the outcome.
    private static func resolve(_ driver: TransferDriver, deadline: Duration) -> (Task<Void, Never>, Ended) {
        let ended = Ended()
        let transfer = Transfer(
            url: "https://\(name)/",
            deadline: deadline,
            security: HostPolicy(hosts: [name])
        )
        let task = Task {
            do throws(TransferError) {
                _ = try await driver.perform(transfer)
            } catch {
                ended.note(error)
            }
        }
        return (task, ended)
    }

    /// How a request ended; nil while it has not.
    private final class Ended: Sendable {
        private let kept = Mutex<TransferError?>(nil)
        var error: TransferError? { kept.withLock { $0 } }
        func note(_ error: TransferError) { kept.withLock { $0 = error } }
    }

    @Test("F9: the deadline applies while a name is resolved, and other requests continue")
    func theDeadlineAppliesToResolution() async throws {
        let server = try ScriptedServer(text: "there")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-slow-name")
        try await Self.whileSilent {
            let (task, ended) = Self.resolve(driver, deadline: .milliseconds(300))
            try await eventually("the name is looked up") { slow_resolver_waiting() > 0 }
            try await eventually("it has ended though the name is still looked up", within: .seconds(20)) {
                ended.error != nil
            }
            #expect(ended.error == .deadline)
            #expect(slow_resolver_waiting() > 0, "no request had an answer")
            let other = Task { try await driver.perform(Transfer(url: server.url, security: .local())) }
            try await eventually("another one is answered", within: .seconds(20)) { !server.requests.isEmpty }
            // Releases the pending request, so that a test that failed above ends.
            slow_resolver_release()
            #expect(try await other.value.status == 200)
            await task.value
        }
    }

    @Test("F9: a caller that is cancelled while a name is resolved returns at once, and other requests continue")
    func aCancelledResolutionReturnsAtOnce() async throws {
        let server = try ScriptedServer(text: "there")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-slow-cancel")
        try await Self.whileSilent {
            let before = slow_resolver_waiting()
            let (task, ended) = Self.resolve(driver, deadline: .seconds(60))
            try await eventually("the name is looked up") { slow_resolver_waiting() > before }
            task.cancel()
            await task.value
            #expect(ended.error == .cancelled)
            let other = Task { try await driver.perform(Transfer(url: server.url, security: .local())) }
            try await eventually("another one is answered", within: .seconds(20)) { !server.requests.isEmpty }
            slow_resolver_release()
            #expect(try await other.value.status == 200)
        }
    }
}
