// Limits and trusted proxies compare addresses as numbers, since one address has several text forms.

import CLinux
import Glibc
import NIOCore

/// An IPv6 address; an IPv4 address is in its mapped form (RFC 4291, section 2.5.5.2).
struct IPAddress: Sendable, Hashable {
    /// The first 64 bits: the network.
    let high: UInt64
    /// The last 64 bits; `ffff` and the address for IPv4.
    let low: UInt64

    private static let mapped: UInt64 = 0xffff

    init(high: UInt64, low: UInt64) { (self.high, self.low) = (high, low) }

    /// Makes an IPv4 address from its number.
    init(four: UInt32) { self.init(high: 0, low: Self.mapped << 32 | UInt64(four)) }

    /// Reads the text form of an IPv4 or IPv6 address; nil for anything else.
    init?(_ text: some StringProtocol) {
        let text = String(text)
        var four = in_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            self.init(four: UInt32(bigEndian: four.s_addr))
            return
        }
        var six = in6_addr()
        guard inet_pton(AF_INET6, text, &six) == 1 else { return nil }
        self.init(six)
    }

    /// The address of a peer; nil for a socket without an address.
    init?(_ peer: SocketAddress?) {
        switch peer {
        case .v4(let address):
            // The address follows family and port (RFC 3493, section 3.3).
            let four = withUnsafeBytes(of: address.address) { $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self) }
            self.init(four: UInt32(bigEndian: four))
        case .v6(let address):
            // It follows family, port and flow label.
            let six = withUnsafeBytes(of: address.address) { $0.loadUnaligned(fromByteOffset: 8, as: in6_addr.self) }
            self.init(six)
        case .unixDomainSocket, nil: return nil
        }
    }

    private init(_ six: in6_addr) {
        let (high, low) = withUnsafeBytes(of: six) { bytes in
            (bytes.loadUnaligned(as: UInt64.self), bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
        }
        self.init(high: UInt64(bigEndian: high), low: UInt64(bigEndian: low))
    }

    /// The number of an IPv4 address; nil for IPv6.
    var four: UInt32? { high == 0 && low >> 32 == Self.mapped ? UInt32(truncatingIfNeeded: low) : nil }

    /// The part that one household shares: all of an IPv4 address, the first 64 bits of an IPv6 one.
    var household: IPAddress { four == nil ? IPAddress(high: high, low: 0) : self }
}

/// A range of addresses in CIDR form (RFC 4632).
struct AddressBlock: Sendable, Hashable {
    private let base: IPAddress
    /// Equal leading bits of all addresses, 0 to 128.
    private let bits: Int

    /// Reads `10.0.0.0/8`, `fd00::/8` or one address; nil for anything else.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(first) else { return nil }
        let isFour = address.four != nil
        let most = isFour ? 32 : 128
        guard let length = parts.count == 1 ? most : Int(parts[1]), (0...most).contains(length) else { return nil }
        bits = isFour ? length + 96 : length
        base = Self.masked(address, bits)
    }

    /// Whether an address is in the range.
    func contains(_ address: IPAddress) -> Bool { Self.masked(address, bits) == base }

    private static func masked(_ address: IPAddress, _ bits: Int) -> IPAddress {
        IPAddress(
            high: bits >= 64 ? address.high : address.high & ~(UInt64.max >> UInt64(bits)),
            low: bits <= 64 ? 0 : address.low & ~(bits == 128 ? 0 : UInt64.max >> UInt64(bits - 64))
        )
    }
}
