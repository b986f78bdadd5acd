// A client is found behind proxies of ours, and a client that forges a proxy's header is not believed.

import NIOCore
import Testing

@testable import ScoreServer

@Suite struct ClientAddressTests {
    private static let proxies = ["10.0.0.0/8", "fd00::/8", "192.0.2.7"].compactMap { AddressBlock($0) }

    private static func client(_ peer: String, _ forwarded: String?) throws -> IPAddress? {
        let socket = try SocketAddress(ipAddress: peer, port: 4711)
        return ClientAddress(peer: socket, forwarded: forwarded, trusted: proxies).address
    }

    @Test func anAddressHasOneFormHoweverItIsWritten() {
        #expect(IPAddress("::ffff:203.0.113.7") == IPAddress("203.0.113.7"))
        #expect(IPAddress("2001:db8:0:0:0:0:0:1") == IPAddress("2001:DB8::1"))
        for text in ["", "203.0.113", "203.0.113.7:80", "localhost", "2001:db8::1/64", "1.2.3.4 "] {
            #expect(IPAddress(text) == nil, "\(text)")
        }
    }

    @Test func aHouseholdIsAnIPv4AddressOrTheFirst64BitsOfAnIPv6Address() {
        #expect(IPAddress("203.0.113.7")?.household == IPAddress("203.0.113.7"))
        #expect(IPAddress("2001:db8:1:2:3:4:5:6")?.household == IPAddress("2001:db8:1:2:ffff::1")?.household)
        #expect(IPAddress("2001:db8:1:3::1")?.household != IPAddress("2001:db8:1:2::1")?.household)
    }

    @Test(arguments: [
        ("10.0.0.0/8", "10.255.255.255", true), ("10.0.0.0/8", "11.0.0.0", false),
        ("10.0.0.0/8", "::ffff:10.1.2.3", true), ("192.0.2.128/25", "192.0.2.127", false),
        ("192.0.2.128/25", "192.0.2.129", true), ("192.0.2.7", "192.0.2.7", true), ("192.0.2.7", "192.0.2.8", false),
        ("0.0.0.0/0", "203.0.113.7", true), ("0.0.0.0/0", "2001:db8::1", false), ("::/0", "203.0.113.7", true),
        ("fd00::/8", "fdff::1", true), ("fd00::/8", "fe00::1", false), ("2001:db8::/65", "2001:db8::1", true),
        ("2001:db8::/65", "2001:db8:0:0:8000::1", false), ("2001:db8::1/128", "2001:db8::2", false),
    ])
    func aRangeContainsTheAddressesWithItsLeadingBits(block: String, address: String, isInside: Bool) throws {
        let address = try #require(IPAddress(address))
        #expect(try #require(AddressBlock(block)).contains(address) == isInside)
    }

    @Test(arguments: ["", "10.0.0.0/33", "10.0.0.0/-1", "10.0.0.0/", "fd00::/129", "10.0.0/8", "proxy"])
    func aTextThatIsNoRangeIsRefused(text: String) { #expect(AddressBlock(text) == nil) }

    @Test(
        "S5: the client is the last address that is no proxy of ours",
        arguments: [
            // The header of a peer that is no proxy is ignored.
            ("203.0.113.9", "1.2.3.4", "203.0.113.9"),
            ("10.0.0.1", "1.2.3.4", "1.2.3.4"),
            // A client can write the left entries itself.
            ("10.0.0.1", "6.6.6.6, 203.0.113.9", "203.0.113.9"),
            ("10.0.0.1", "6.6.6.6, 203.0.113.9, 10.2.2.2,fd00::5 , 192.0.2.7", "203.0.113.9"),
            ("::ffff:10.0.0.1", "203.0.113.9", "203.0.113.9"),
            ("10.0.0.1", "203.0.113.9:52100", "203.0.113.9"),
            ("10.0.0.1", "[2001:db8::9]:52100", "2001:db8::9"),
            ("10.0.0.1", "2001:db8::9", "2001:db8::9"),
            // All are ours: the first of them is the client.
            ("10.0.0.1", "10.0.0.3, 10.0.0.2", "10.0.0.3"),
            // The proxy behind an entry that is no address counts as the client.
            ("10.0.0.1", "203.0.113.9, unknown, 10.0.0.2", "10.0.0.2"),
            ("10.0.0.1", "unknown", "10.0.0.1"), ("10.0.0.1", "", "10.0.0.1"),
        ]
    )
    func theClientIsTheLastAddressThatIsNoProxyOfOurs(peer: String, forwarded: String, client: String) throws {
        #expect(try Self.client(peer, forwarded) == IPAddress(client))
    }

    @Test func onlyThisMachineIsLoopback() {
        for text in ["127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1"] {
            #expect(ClientAddress(IPAddress(text)).isLoopback, "\(text)")
        }
        #expect(ClientAddress(nil).isLoopback, "a private socket")
        #expect(!ClientAddress(IPAddress("128.0.0.1")).isLoopback)
    }
}
