// Behind a proxy that is not trusted all clients have its address and share one quota, which an operator must know.

import HTTPTypes
import Logging
import NIOCore
import Synchronization

/// Logs once that requests seem to arrive through a proxy, while no proxy is trusted.
final class ProxyAdvice: Sendable {
    private let isGiven = Atomic<Bool>(false)

    /// Whether a peer is a proxy of ours: it has a private address, or it is on this machine and names a client.
    static func isNeeded(peer: IPAddress?, namesClient: @autoclosure () -> Bool, trusted: [AddressBlock]) -> Bool {
        guard trusted.isEmpty, let peer else { return false }
        return peer.isLoopback ? namesClient() : peer.isPrivate
    }

    /// Logs the advice for the first request that needs it.
    func consider(_ headers: HTTPFields, from peer: SocketAddress?, trusted: [AddressBlock], _ logger: Logger) {
        guard trusted.isEmpty, !isGiven.load(ordering: .relaxed) else { return }
        guard Self.isNeeded(peer: IPAddress(peer), namesClient: headers.contains(.forwardedFor), trusted: trusted),
            !isGiven.exchange(true, ordering: .relaxed)
        else { return }
        logger.warning(
            "http.proxy.untrusted",
            metadata: [
                "peer": "\(peer?.ipAddress ?? "")",
                "remedy": "Add the proxy to HTTP_PUBLIC_TRUSTED_PROXIES; until then its clients share one quota.",
            ]
        )
    }
}

extension IPAddress {
    private static let loopback = ["127.0.0.0/8", "::1"].compactMap { AddressBlock($0) }
    /// RFC 1918, RFC 6598, RFC 3927, RFC 4193, RFC 4291.
    private static let privateUse = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "100.64.0.0/10", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    ].compactMap { AddressBlock($0) }

    /// Whether it is an address of this machine.
    var isLoopback: Bool { Self.loopback.contains { $0.contains(self) } }

    /// Whether it is an address that the public network does not route.
    var isPrivate: Bool { Self.privateUse.contains { $0.contains(self) } }
}
