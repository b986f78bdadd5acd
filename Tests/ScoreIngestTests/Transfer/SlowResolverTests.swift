// A resolver that does not answer costs its own request the deadline, and all others nothing.

import CSlowResolver
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer
@testable import MatchJournal
@testable import Providers
@testable import ScoreIngest

@Suite(.serialized, .timeLimit(.minutes(2))) struct SlowResolverTests {
    private static let name = "feed.slow.invalid"

    /// Runs the body while the resolver keeps silent, and lets it answer whatever comes of the body.
    private static func whileSilent(_ body: () async throws -> Void) async throws {
        slow_resolver_hold()
        defer { slow_resolver_release() }
        try await body()
    }

    /// Asks for the name, and keeps what becomes of it.
    private static func ask(_ driver: TransferDriver, deadline: Duration) -> (Task<Void, Never>, Ended) {
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

    @Test("F9: the deadline holds while a name is looked up, and other requests go on")
    func deadline() async throws {
        let server = try ScriptedServer(text: "there")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-slow-name")
        try await Self.whileSilent {
            let (task, ended) = Self.ask(driver, deadline: .milliseconds(300))
            try await eventually("the name is looked up") { slow_resolver_waiting() > 0 }
            try await eventually("it has ended though the name is still looked up", within: .seconds(20)) {
                ended.error != nil
            }
            #expect(ended.error == .deadline)
            #expect(slow_resolver_waiting() > 0, "nobody had an answer")
            let other = Task { try await driver.perform(Transfer(url: server.url, security: .local())) }
            try await eventually("another one is answered", within: .seconds(20)) { !server.requests.isEmpty }
            // What hangs is let go, so that a test that failed above ends.
            slow_resolver_release()
            #expect(try await other.value.status == 200)
            await task.value
        }
    }

    @Test("F9: who is cancelled while a name is looked up leaves at once, and other requests go on")
    func cancelled() async throws {
        let server = try ScriptedServer(text: "there")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-slow-cancel")
        try await Self.whileSilent {
            let before = slow_resolver_waiting()
            let (task, ended) = Self.ask(driver, deadline: .seconds(60))
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
