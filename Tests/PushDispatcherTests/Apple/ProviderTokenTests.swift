// One provider token for all nodes: valid, shared, renewed once, and kept when it must not be renewed.

import HTTP2
import ScoreTypes
import Simulators
import Synchronization
import TestSupport
import Testing

@testable import PushDispatcher

@Suite(.timeLimit(.minutes(2)))
struct ProviderTokenServerTests {
    @Test("10: every request carries one valid token with a numeric age")
    func everyRequestHasAValidToken() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<100)
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 100))
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(apple.simulator.statistics.refused.isEmpty)
        let age = try #require(await node.environment?.providerTokenAge)
        #expect(age >= .zero && age < .seconds(60))
        #expect(await node.environment?.providerTokensMinted == 1)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A10, 11: three nodes that start at once share one token")
    func threeNodesShareOneToken() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<300)
        let shared = MemoryProviderTokens()
        let nodes = try (0..<3).map { node in
            let tokens = MemoryTokens(count: 0)
            for number in (node * 100)..<(node * 100 + 100) { tokens.add(number) }
            return Node(try apple.configuration(), tokens: tokens, providerTokens: shared)
        }
        await withTaskGroup(of: Void.self) { group in
            for node in nodes { group.addTask { await node.publish(Fixture.current(1)) } }
        }
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        // APNs answers 429 to a second token within twenty minutes.
        #expect(apple.simulator.statistics.refused.isEmpty)
        for node in nodes { await node.stop() }
        await apple.simulator.stop()
    }

    @Test("A8, 12: an expired token is renewed exactly once, on a new connection, and no push is lost")
    func anExpiredTokenIsRenewedOnce() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<100)
        let connections = Mutex<[UInt64: Int]>([:])
        await apple.simulator.interfere { arrival in
            connections.withLock { $0[arrival.connection, default: 0] += 1 }
            return arrival.connection == 1 ? .answer(status: 403, reason: "ExpiredProviderToken") : nil
        }
        let shared = MemoryProviderTokens()
        let old = Instant(milliseconds: (ServiceClock().wall.seconds - 1500) * 1000)
        let key = try SigningKey(pem: apple.key.pem)
        let text = try ProviderTokenText.signed(
            by: key,
            keyID: AppleSide.keyID,
            teamID: AppleSide.team,
            issuedAt: old.seconds
        )
        shared.put(StoredProviderToken(text: text, issuedAt: old), Self.scope(key))
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 100), providerTokens: shared)
        await node.publish(Fixture.current(1, alert: "w1"))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        #expect(screens.allSatisfy { $0.alerts == 1 })
        #expect(await node.environment?.providerTokensMinted == 1)
        #expect(connections.withLock { $0[1] } == 1)
        #expect(connections.withLock { $0.count } >= 2)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("A8, 12: sends pause after a recent token is rejected, and continue with the same token")
    func aRejectedRecentTokenPausesSends() async throws {
        let apple = try await AppleSide()
        let screens = apple.phones(0..<50)
        await apple.simulator.interfere { arrival in
            arrival.number <= 2 ? .answer(status: 403, reason: "ExpiredProviderToken") : nil
        }
        let node = Node(try apple.configuration(), tokens: MemoryTokens(count: 50))
        await node.publish(Fixture.current(1))
        try await eventually("operators see the problem") {
            await node.environment?.problem?.contains("recent") == true
        }
        try await eventually("all phones show 1", within: .seconds(60)) { screens.allSatisfy { $0.newest == 1 } }
        #expect(await node.environment?.providerTokensMinted == 1)
        #expect(apple.simulator.statistics.refused == ["ExpiredProviderToken": 2])
        await node.stop()
        await apple.simulator.stop()
    }

    private static func scope(_ key: SigningKey) -> ProviderTokenScope {
        ProviderTokenScope(
            environment: .sandbox,
            keyID: AppleSide.keyID,
            teamID: AppleSide.team,
            keyDigest: key.publicDigest
        )
    }

    private func cache(
        _ store: any ProviderTokenStore,
        _ clock: ServiceClock,
        keyPEM: [UInt8] = Fixture.sharedKeyPEM
    ) throws -> ProviderTokenCache {
        let server = DispatcherConfiguration.Endpoint(host: "127.0.0.1", port: 1)
        let configuration = DispatcherConfiguration(
            bundleID: AppleSide.bundle,
            teamID: AppleSide.team,
            keyID: AppleSide.keyID,
            signingKey: try SigningKey(pem: keyPEM),
            environments: [.sandbox: .init(push: server, management: server)]
        )
        return ProviderTokenCache(configuration: configuration, store: store, clock: clock, jitter: 0)
    }

    @Test("12: a token that is refused while its renewal waits for the store is replaced")
    func aRefusalDuringARenewalCounts() async throws {
        let wall = ExpiryTests.WallAhead()
        let store = SlowTokenStore(clock: wall.clock)
        let cache = try cache(store, wall.clock)
        let first = try #require(await cache.renew().first)
        // Due by its age, and young again when the store has failed.
        wall.put(.seconds(31 * 60))
        store.block()
        async let blocked = cache.renew()
        try await eventually("the store is read") { store.isRead }
        await cache.refused(first.version, in: .sandbox)
        wall.put(.seconds(-6 * 60))
        store.fail()
        #expect(await blocked.isEmpty, "the store failed")
        let second = try #require(await cache.renew().first)
        #expect(second.version == first.version + 1 && second.token.text != first.token.text)
    }

    @Test("A8, 12: the pauses after refusals of a young token double, up to ten seconds")
    func pausesAfterRefusalsOfAYoungTokenDouble() async throws {
        let moment = Mutex<Duration>(.seconds(100))
        let wall = Instant(milliseconds: ServiceClock().wall.seconds * 1000)
        let clock = ServiceClock(
            monotonic: { moment.withLock { $0 } },
            wall: { wall + moment.withLock { $0 } }
        )
        let cache = try cache(MemoryProviderTokens(clock: clock), clock)
        var issue = try #require(await cache.renew().first)
        for pause in [1, 2, 4, 8, 10, 10] {
            await cache.refused(issue.version, in: .sandbox)
            #expect(await cache.renew().isEmpty)
            moment.withLock { $0 += .seconds(pause) - .milliseconds(1) }
            #expect(await cache.renew().isEmpty, "\(pause) s are not over")
            moment.withLock { $0 += .milliseconds(1) }
            let next = try #require(await cache.renew().first, "\(pause) s are over")
            #expect(next.token.text == issue.token.text)
            issue = next
        }
        moment.withLock { $0 += .seconds(60) }
        await cache.refused(issue.version, in: .sandbox)
        #expect(await cache.renew().isEmpty)
        moment.withLock { $0 += .seconds(1) }
        #expect(await cache.renew().count == 1, "the row of refusals is over")
    }

    @Test("A8, H7, S44, 11: a node that is two hours fast signs by the store's clock and keeps the token of the others")
    func aFastNodeSharesTheToken() async throws {
        let shared = MemoryProviderTokens()
        let fast = ExpiryTests.WallAhead()
        fast.put(.seconds(2 * 3600))
        let ahead = try cache(shared, fast.clock)
        let first = try #require(await ahead.renew().first).token
        let error = first.issuedAt - ServiceClock().wall
        #expect(error > .seconds(-60) && error < .seconds(60), "issued now by the store's clock, not in two hours")
        let age = try #require(await ahead.age(of: .sandbox))
        #expect(age >= .zero && age < .seconds(60))
        let right = try cache(shared, ServiceClock())
        #expect(try #require(await right.renew().first).token == first)
        for node in [ahead, right] { #expect(await node.renew().isEmpty, "both keep it") }
    }

    /// An operator who installed a wrong file corrects it: its token must not be used for half an hour.
    @Test("a token that another key signed under the same id is not used")
    func aTokenOfAnotherKeyIsNotUsed() async throws {
        let shared = MemoryProviderTokens()
        let wrong = try #require(await cache(shared, ServiceClock(), keyPEM: Fixture.keyPEM()).renew().first).token
        let right = try #require(await cache(shared, ServiceClock()).renew().first).token
        #expect(right.text != wrong.text)
        #expect(try #require(await cache(shared, ServiceClock()).renew().first).token == right, "it is shared")
    }

    @Test("a key that is corrected under the same id signs from now on")
    func aCorrectedKeySigns() async throws {
        let tokens = try cache(MemoryProviderTokens(), ServiceClock(), keyPEM: Fixture.keyPEM())
        let wrong = try #require(await tokens.renew().first).token
        let key = try SigningKey(pem: Fixture.sharedKeyPEM)
        #expect(await tokens.use(key, keyID: AppleSide.keyID))
        let issue = try #require(await tokens.renew().first)
        #expect(issue.isOfNewKey && issue.token.text != wrong.text)
        #expect(await !tokens.use(key, keyID: AppleSide.keyID), "it is in use")
        #expect(await tokens.renew().isEmpty)
    }

    @Test("A10, H7, 11: a stored token from the future is replaced once, and every node uses the new one")
    func aTokenFromTheFutureIsReplaced() async throws {
        let shared = MemoryProviderTokens()
        let scope = Self.scope(try SigningKey(pem: Fixture.sharedKeyPEM))
        let now = ServiceClock().wall
        shared.put(StoredProviderToken(text: "from the future", issuedAt: now + .seconds(2 * 3600)), scope)
        let (one, two) = (try cache(shared, ServiceClock()), try cache(shared, ServiceClock()))
        let first = try #require(await one.renew().first).token
        #expect(first.text != "from the future" && first.issuedAt <= ServiceClock().wall)
        #expect(try #require(await two.renew().first).token == first)
        #expect(await one.mintedCount(of: .sandbox) == 1)
        #expect(await two.mintedCount(of: .sandbox) == 0)
    }

    @Test("A10, 12: a connection younger than twenty minutes is replaced before it uses a renewed token")
    func aYoungConnectionDoesNotChangeItsToken() async throws {
        let wall = ExpiryTests.WallAhead()
        let apple = try await AppleSide(clock: wall.clock)
        let screens = apple.phones(0..<100)
        let shared = MemoryProviderTokens(clock: wall.clock)
        let tokens = MemoryTokens(count: 100)
        let node = Node(try apple.configuration(), tokens: tokens, providerTokens: shared, clock: wall.clock)
        await node.publish(Fixture.current(1))
        try await eventually("all phones show 1") { screens.allSatisfy { $0.newest == 1 } }
        // The connections have used their token for ten minutes when it is renewed.
        wall.put(.seconds(40 * 60))
        await apple.simulator.interfere { $0.connection <= 2 ? .goAway : nil }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("all phones show 2") { screens.allSatisfy { $0.newest == 2 } }
        wall.put(.seconds(11 * 60))
        try await eventually("the token is renewed") { await node.environment?.providerTokensMinted == 2 }
        await node.publish(Fixture.current(3, cause: .correction))
        try await eventually("all phones show 3", within: .seconds(30)) { screens.allSatisfy { $0.newest == 3 } }
        #expect(apple.simulator.statistics.refused.isEmpty)
        await node.stop()
        await apple.simulator.stop()
    }

    @Test("j: both environments are served side by side, and a broken one does not delay the other")
    func bothEnvironmentsAreServed() async throws {
        let key = try AppleKey()
        let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
        let sandbox = try await AppleSide(key: key, identity: identity)
        let production = try await AppleSide(key: key, identity: identity)
        let tokens = MemoryTokens(count: 50)
        for number in 50..<150 { tokens.add(number, environment: .production) }
        let testers = sandbox.phones(0..<50)
        let phones = production.phones(50..<150)
        await sandbox.simulator.interfere { arrival in
            arrival.revision == 2 ? .answer(status: 500, reason: "InternalServerError") : nil
        }
        var configuration = try sandbox.configuration()
        configuration.environments[.production] = production.endpoints
        let node = Node(configuration, tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("both show 1") { (testers + phones).allSatisfy { $0.newest == 1 } }
        try await eventually("progress is recorded") { node.progress.count(atLeast: 1) == Bucket.count }
        await node.publish(Fixture.current(2, cause: .correction))
        try await eventually("production shows 2") { phones.allSatisfy { $0.newest == 2 } }
        #expect(testers.allSatisfy { $0.newest == 1 })
        #expect(await node.dispatcher.status().environments.count == 2)
        await node.stop()
        await sandbox.simulator.stop()
        await production.simulator.stop()
    }

    @Test("j: an environment that refuses the key does not hold up the progress of the other")
    func aRefusedKeyHoldsUpNoProgress() async throws {
        let key = try AppleKey()
        let identity = try TLSIdentity.selfSigned(commonName: "apple", addresses: ["127.0.0.1"])
        let sandbox = try await AppleSide(key: key, identity: identity)
        let production = try await AppleSide(key: key, identity: identity)
        let tokens = MemoryTokens(count: 5)
        for number in 5..<105 { tokens.add(number, environment: .production) }
        _ = sandbox.phones(0..<5)
        let phones = production.phones(5..<105)
        await sandbox.simulator.interfere { _ in .answer(status: 403, reason: "InvalidProviderToken") }
        var configuration = try sandbox.configuration()
        configuration.environments[.production] = production.endpoints
        let node = Node(configuration, tokens: tokens)
        await node.publish(Fixture.current(1))
        try await eventually("production shows 1") { phones.allSatisfy { $0.newest == 1 } }
        try await eventually("progress is recorded") { node.progress.count(atLeast: 1) == Bucket.count }
        await node.stop()
        await sandbox.simulator.stop()
        await production.simulator.stop()
    }
}
