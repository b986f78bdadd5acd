// Requests go only to the configured host, and through no proxy.

import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer

@Suite(.timeLimit(.minutes(1))) struct TransferSecrecyTests {
    @Test("S37: proxies of the environment are not used")
    func proxiesOfTheEnvironmentAreIgnored() async {
        // In its own process: the environment is shared by all tests.
        await #expect(processExitsWith: .success) {
            for name in ["no_proxy", "NO_PROXY"] { unsetenv(name) }
            for name in ["http_proxy", "all_proxy", "ALL_PROXY"] { setenv(name, "http://127.0.0.1:1", 1) }
            let server = try ScriptedServer(text: "straight")
            let driver = TransferDriver(name: "test-proxy")
            let reply = try await driver.perform(Transfer(url: server.url, security: .local()))
            try #require(reply.status == 200 && reply.body == Array("straight".utf8))
        }
    }

    @Test("F7, S38: a redirect sends no credential to another host")
    func noCredentialIsSentToAnotherHost() async throws {
        let other = try ScriptedServer(text: "listening")
        let server = try ScriptedServer(status: 307, headers: ["Location": other.url + "/elsewhere"], text: "")
        defer {
            server.stop()
            other.stop()
        }
        let driver = TransferDriver(name: "test-redirect")
        let transfer = Transfer(url: server.url, headers: [("Authorization", "Bearer key")], security: .local())
        #expect(try await driver.perform(transfer).status == 307)
        #expect(server.requests.first?.headers["authorization"] == "Bearer key")
        #expect(other.requests.isEmpty)
    }

    @Test("F9: an unknown name is a failure of the feed, and ends at the deadline at the latest")
    func anUnknownNameIsAFailure() async throws {
        let driver = TransferDriver(name: "test-name")
        let policy = HostPolicy(hosts: ["feed.invalid"])
        let transfer = Transfer(url: "https://feed.invalid/", deadline: .seconds(5), security: policy)
        do throws(TransferError) {
            _ = try await driver.perform(transfer)
            Issue.record("feed.invalid has answered")
        } catch {
            // A machine without a resolver does not know it either.
            #expect(error == .nameNotFound || error == .deadline)
        }
    }
}
