// A certificate is checked differently for a name and for an address.

internal import CLinux
internal import Glibc

/// Tells addresses from names.
enum HostName {
    /// True for an IPv4 or IPv6 literal.
    static func isAddress(_ text: String) -> Bool {
        var memory = in6_addr()
        return inet_pton(AF_INET, text, &memory) == 1 || inet_pton(AF_INET6, text, &memory) == 1
    }
}
