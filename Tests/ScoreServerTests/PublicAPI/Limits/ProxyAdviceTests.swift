// An operator learns from the log that all clients share the address of a proxy.

import Logging
import Synchronization
import Testing

@testable import ScoreServer

@Suite struct ProxyAdviceTests {
    private struct Lines: LogHandler {
        let add: @Sendable (String) -> Void
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) { add("\(event.message) \(event.metadata ?? [:])") }
    }

    @Test(arguments: [
        ("10.1.2.3", false, [], true), ("172.31.0.1", false, [], true), ("192.168.7.7", true, [], true),
        ("100.64.0.1", false, [], true), ("fd12::1", false, [], true), ("fe80::1", false, [], true),
        ("::ffff:10.1.2.3", false, [], true), ("127.0.0.1", true, [], true), ("127.0.0.1", false, [], false),
        ("::1", true, [], true), ("203.0.113.9", true, [], false), ("172.32.0.1", false, [], false),
        ("10.1.2.3", true, ["10.0.0.0/8"], false), ("10.1.2.3", true, ["192.0.2.7"], false),
    ])
    func aPrivatePeerIsAProxy(peer: String, namesClient: Bool, trusted: [String], isNeeded: Bool) throws {
        let address = try #require(IPAddress(peer))
        let trusted = trusted.compactMap { AddressBlock($0) }
        #expect(ProxyAdvice.isNeeded(peer: address, namesClient: namesClient, trusted: trusted) == isNeeded)
    }

    @Test("S5: an untrusted proxy is not believed, and the log says so once") func theLogSaysSoOnce() async throws {
        let lines = Mutex<[String]>([])
        let add: @Sendable (String) -> Void = { line in lines.withLock { $0.append(line) } }
        var stubs = TestDependencies()
        stubs.logger = Logger(label: "test") { _ in Lines(add: add) }
        stubs.limits = RateLimits([.readAddress: Quota(count: 2, per: .seconds(3600))])
        try await withServer(stubs) { server in
            var codes: [Int] = []
            for number in 1...3 {
                let headers = ["X-Forwarded-For": "203.0.113.\(number)"]
                codes.append(try await server.publicClient.get("/v1/client-config", headers).status)
            }
            #expect(codes == [200, 200, 429], "a forged header is no other client")
            let advice = lines.withLock { $0.filter { $0.contains("http.proxy.untrusted") } }
            #expect(advice.count == 1)
            #expect(advice.first?.contains("HTTP_PUBLIC_TRUSTED_PROXIES") == true)
            #expect(advice.first?.contains("127.0.0.1") == true)
        }
    }
}
