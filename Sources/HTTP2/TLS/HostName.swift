// Certificate checks differ for host names and IP addresses.

internal import CLinux
internal import Glibc

/// Distinguishes IP addresses from host names.
enum HostName {
    /// True for an IPv4 or IPv6 literal.
    static func isAddress(_ text: String) -> Bool {
        var memory = in6_addr()
        return inet_pton(AF_INET, text, &memory) == 1 || inet_pton(AF_INET6, text, &memory) == 1
    }
}
