// The allowed hosts: the address as written, and the address that the name resolves to.

import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer

@Suite struct HostPolicyTests {
    private let policy = HostPolicy(
        hosts: ["feed.example", "ported.example"],
        plainHosts: ["plain.example"],
        privateHosts: ["inner.example"],
        ports: [8443]
    )

    private func error(_ url: String) -> TransferError? {
        do throws(TransferError) {
            _ = try policy.check(url)
            return nil
        } catch { return error }
    }

    @Test(arguments: [
        "https://feed.example/a?b=c", "https://FEED.example", "https://feed.example:443/", "https://feed.example:8443",
        "http://plain.example/", "https://plain.example", "https://inner.example:9999",
    ])
    func allowed(url: String) { #expect(error(url) == nil) }

    @Test(
        "S32, S33: hosts that are not listed, literals and other ports are refused",
        arguments: [
            "http://feed.example", "https://other.example", "https://feed.example:22", "https://feed.example.evil.com",
            "ftp://feed.example", "gopher://feed.example", "https://127.0.0.1", "https://2130706433",
            "https://0x7f.1", "https://0177.0.0.1", "https://[::1]", "https://[::ffff:127.0.0.1]",
            "http://inner.example",
            "http://plain.example:8080", "https://feed.example.",
        ]
    )
    func unlistedHostsAreRefused(url: String) { #expect(error(url) == .hostNotAllowed) }

    @Test(
        "S32: an address that is not plain and absolute is refused",
        arguments: [
            "", "feed.example\r\nX: y", "file:///etc/passwd", "https://user@feed.example", "https://u:p@feed.example",
            "https://feed.example@evil.com",
            "https://", "https://feed.example /", "https://feed.example:99999",
        ]
    )
    func aMalformedAddressIsRefused(url: String) {
        guard case .badRequest = error(url) else {
            Issue.record("\(url) gave \(String(describing: error(url)))")
            return
        }
    }

    @Test(arguments: ["10.0.0.5", "127.0.0.1", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.5"])
    func aHostWrittenAsAnInnerAddressIsRefusedBeforeItIsCalled(host: String) throws {
        let url = host.contains(":") ? "https://[\(host)]/" : "https://\(host)/"
        #expect(throws: TransferError.addressNotAllowed) { try HostPolicy(hosts: [host]).check(url) }
        #expect(try HostPolicy(hosts: [], privateHosts: [host]).check(url) == host)
    }

    @Test(arguments: ["8.8.8.8", "2a00:1450:4001:824::200e"])
    func aHostWrittenAsAPublicAddressIsAllowed(host: String) throws {
        let url = host.contains(":") ? "https://[\(host)]/" : "https://\(host)/"
        #expect(try HostPolicy(hosts: [host]).check(url) == host)
    }

    @Test(
        "S34: only public IPv4 addresses are connected to",
        arguments: [
            (0x0808_0808, true), (0x0101_0101, true), (0x7f00_0001, false), (0x7fff_ffff, false), (0x0a00_0001, false),
            (0xac10_0001, false), (0xac20_0001, true), (0xc0a8_0101, false), (0xa9fe_a9fe, false), (0x6440_0001, false),
            (0x6480_0001, true), (0x0000_0000, false), (0xe000_0001, false), (0xffff_ffff, false), (0xc612_0001, false),
        ] as [(UInt32, Bool)]
    )
    func onlyPublicIPv4AddressesAreConnected(address: UInt32, isPublic: Bool) {
        #expect(PublicAddress.isPublic(v4: address) == isPublic)
    }

    @Test(
        "S34: only public IPv6 addresses are connected to",
        arguments: [
            ("20010db8000000000000000000000001", false), ("2a00145040010824000000000000200e", true),
            ("00000000000000000000000000000001", false), ("00000000000000000000000000000000", false),
            ("00000000000000000000ffff7f000001", false), ("00000000000000000000ffff08080808", false),
            ("fe800000000000000000000000000001", false), ("fd000000000000000000000000000001", false),
            ("ff020000000000000000000000000001", false), ("0064ff9b00000000000000007f000001", false),
            ("0064ff9b000000000000000008080808", true), ("20027f00000100000000000000000001", false),
            ("20010000000000000000000000000001", false),
        ]
    )
    func onlyPublicIPv6AddressesAreConnected(hex: String, isPublic: Bool) throws {
        #expect(PublicAddress.isPublic(v6: try #require(Hex.bytes(hex))) == isPublic)
    }

    @Test("F9, S34: a name that resolves to an inner address is refused at connect")
    func anInnerAddressOfANameIsRefusedAtConnect() async throws {
        let server = try ScriptedServer(text: "secret")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-inward")
        // The name is allowed without TLS, but not as an inner address.
        let policy = HostPolicy(hosts: ["localhost"], plainHosts: ["localhost"], ports: [server.port])
        await #expect(throws: TransferError.addressNotAllowed) {
            try await driver.perform(Transfer(url: "http://localhost:\(server.port)", security: policy))
        }
        #expect(server.connectionCount == 0)
    }

    @Test("F9, S34: a provider's name that is rebound to an inner address opens no connection")
    func aReboundNameIsRefusedAtConnect() async throws {
        let server = try ScriptedServer(text: "secret")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-rebound")
        // No check of the name itself finds it: names below `.localhost` lead to this machine by RFC 6761, without DNS.
        let name = "feed.localhost"
        let policy = HostPolicy(hosts: [name], plainHosts: [name], ports: [server.port])
        let transfer = Transfer(url: "http://\(name):\(server.port)/", security: policy)
        #expect(throws: Never.self) { try TransferRules.check(transfer) }
        await #expect(throws: TransferError.addressNotAllowed) { try await driver.perform(transfer) }
        #expect(server.connectionCount == 0)
        // The same connection is allowed when the configuration lists the host as one of this network.
        let named = HostPolicy(hosts: [], plainHosts: [name], privateHosts: [name])
        let inward = Transfer(url: "http://\(name):\(server.port)/", security: named)
        #expect(try await driver.perform(inward).status == 200)
    }

    @Test func malformedHeadersAndMethodsAreRefused() throws {
        let local = HostPolicy.local()
        for header in [("X", "a\r\nHost: evil"), ("X y", "a"), ("X:", "a"), ("", "a")] {
            let transfer = Transfer(url: "http://localhost", headers: [header], security: local)
            #expect(throws: TransferError.self) { try TransferRules.check(transfer) }
        }
        for method in ["", "get", "GET / HTTP/1.1\r\nX:", "G T"] {
            let transfer = Transfer(method: method, url: "http://localhost", security: local)
            #expect(throws: TransferError.badRequest(field: "method")) { try TransferRules.check(transfer) }
        }
        let transfer = Transfer(url: "http://localhost", headers: [("Authorization", "secret")], security: local)
        #expect(!"\(transfer)".contains("secret"))
    }
}
