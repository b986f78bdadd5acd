// Limits of unknown clients go by address, and behind our own proxies by the address that these name.

import NIOCore
import ScoreTypes

/// The address of a client.
struct ClientAddress: Sendable, Hashable {
    /// The address; nil for a socket without one, such as a private socket of this machine.
    let address: IPAddress?

    init(_ address: IPAddress?) { self.address = address }

    /// The address of the peer; behind a trusted proxy the last `X-Forwarded-For` entry that is none of our proxies.
    ///
    /// The entries are read from the right, since clients write the left ones. An entry that is no address ends the
    /// reading: the proxy that wrote it is the client.
    init(peer: SocketAddress?, forwarded: @autoclosure () -> String?, trusted: [AddressBlock]) {
        var address = IPAddress(peer)
        if !trusted.isEmpty, Self.isTrusted(address, trusted), let chain = forwarded() {
            for hop in chain.split(separator: ",").reversed() {
                guard let next = Self.hop(hop) else { break }
                address = next
                guard Self.isTrusted(next, trusted) else { break }
            }
        }
        self.address = address
    }

    /// The client as limits count it.
    var party: ClientParty { .address(address?.household) }

    /// The clients at this address that send a credential of one device.
    func login(as device: DeviceID?) -> ClientParty { .login(address?.household, device) }

    /// Whether the client runs on this machine.
    var isLoopback: Bool { address?.isLoopback ?? true }

    /// A socket without an address has a peer on this machine, so that it counts as a proxy of ours.
    private static func isTrusted(_ address: IPAddress?, _ trusted: [AddressBlock]) -> Bool {
        guard let address else { return true }
        return trusted.contains { $0.contains(address) }
    }

    /// Reads `192.0.2.1`, `192.0.2.1:4711`, `2001:db8::1` or `[2001:db8::1]:4711`.
    private static func hop(_ text: Substring) -> IPAddress? {
        let text = text.drop { $0 == " " }.prefix { $0 != " " }
        if text.first == "[" { return IPAddress(text.dropFirst().prefix { $0 != "]" }) }
        if let address = IPAddress(text) { return address }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        return parts.count == 2 ? IPAddress(parts[0]) : nil
    }
}

/// The clients that share a quota or a number of streams.
enum ClientParty: Hashable, Sendable {
    /// All of one household; nil for a socket without an address.
    case address(IPAddress?)
    case device(DeviceID)
    /// The clients at one address that send a credential of one device; a nil device for a text that is no credential.
    case login(IPAddress?, DeviceID?)
    /// All clients of the node.
    case node
}
