// Rate limits of unknown clients go by address prefix, which one household shares.

import CLinux
import Glibc
import NIOCore

/// The address of a client.
struct ClientAddress: Sendable, Hashable {
    /// The text form; `local` for a socket without an address.
    let text: String

    init(_ text: String) { self.text = text }

    /// The address of the peer; behind a trusted proxy the last `X-Forwarded-For` entry that is none of our proxies.
    init(peer: SocketAddress?, forwarded: String?, trusted: [String]) {
        let address = peer?.ipAddress ?? "local"
        guard trusted.contains(address), let forwarded else {
            text = address
            return
        }
        let hops = forwarded.split(separator: ",").map { hop in String(hop.filter { $0 != " " }) }
        let client = hops.last { !trusted.contains($0) }
        text = client.flatMap { Self.bytes(of: $0) == nil ? nil : $0 } ?? address
    }

    /// The prefix that rate limits go by: all of an IPv4 address, the first 64 bits of an IPv6 one.
    var prefix: String {
        guard let bytes = Self.bytes(of: text), bytes.count == 16 else { return text }
        let isMapped = bytes.prefix(10).allSatisfy { $0 == 0 } && bytes[10] == 0xff && bytes[11] == 0xff
        if isMapped { return bytes.suffix(4).map { String($0) }.joined(separator: ".") }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":") + "::/64"
    }

    /// Whether the client runs on this machine.
    var isLoopback: Bool { text == "::1" || text.hasPrefix("127.") || text == "local" || text.hasPrefix("::ffff:127.") }

    private static func bytes(of text: String) -> [UInt8]? {
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 { return withUnsafeBytes(of: six) { Array($0) } }
        var four = in_addr()
        return inet_pton(AF_INET, text, &four) == 1 ? withUnsafeBytes(of: four) { Array($0) } : nil
    }
}
