// A name may resolve to any address, so the address itself is checked when connecting.

internal import Glibc

/// Distinguishes public addresses from those of this machine and its network.
enum PublicAddress {
    /// Whether a socket may be opened to the address; false unless it is IPv4 or IPv6.
    static func isPublic(_ address: UnsafePointer<sockaddr>, length: Int) -> Bool {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET where length >= MemoryLayout<sockaddr_in>.size:
            let bytes = raw.loadUnaligned(as: sockaddr_in.self).sin_addr.s_addr
            return isPublic(v4: UInt32(bigEndian: bytes))
        case AF_INET6 where length >= MemoryLayout<sockaddr_in6>.size:
            var bytes = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return withUnsafeBytes(of: &bytes) { isPublic(v6: Array($0)) }
        default: return false
        }
    }

    /// Whether a host is written as an address that is not public; the addresses of a name are not known here.
    static func isInner(_ host: String) -> Bool {
        var bytes = [UInt8](repeating: 0, count: 16)
        if inet_pton(AF_INET, host, &bytes) == 1 {
            return !isPublic(v4: bytes.prefix(4).reduce(0) { $0 << 8 | UInt32($1) })
        }
        return inet_pton(AF_INET6, host, &bytes) == 1 && !isPublic(v6: bytes)
    }

    /// Prefixes of the IPv4 blocks that are not globally routed (IANA special-purpose registry), with their lengths in
    /// bits.
    private static let innerV4: [(prefix: UInt32, bits: UInt32)] = [
        (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
        (0xac10_0000, 12), (0xc000_0000, 24), (0xc000_0200, 24), (0xc058_6300, 24), (0xc0a8_0000, 16),
        (0xc612_0000, 15), (0xc633_6400, 24), (0xcb00_7100, 24), (0xe000_0000, 4), (0xf000_0000, 4),
    ]

    /// Whether an IPv4 address, in host byte order, is public.
    static func isPublic(v4 address: UInt32) -> Bool {
        !innerV4.contains { address >> (32 - $0.bits) == $0.prefix >> (32 - $0.bits) }
    }

    /// Whether an IPv6 address of 16 bytes is public; for one with an embedded IPv4 address, that address decides.
    static func isPublic(v6 bytes: [UInt8]) -> Bool {
        guard bytes.count == 16 else { return false }
        func v4(at start: Int) -> Bool {
            isPublic(v4: bytes[start..<start + 4].reduce(0) { $0 << 8 | UInt32($1) })
        }
        let head = UInt16(bytes[0]) << 8 | UInt16(bytes[1])
        if bytes.prefix(12) == [0x00, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0] { return v4(at: 12) }
        if head == 0x2002 { return v4(at: 2) }
        // Only 2000::/3 is routed, without loopback, mapped, local, link-local and multicast addresses.
        guard bytes[0] >> 5 == 1 else { return false }
        // Addresses for documentation, and tunnels whose inner address is not visible.
        return !(head == 0x2001 && (bytes[2] == 0x0d && bytes[3] == 0xb8 || bytes[2] == 0 && bytes[3] == 0))
    }
}
