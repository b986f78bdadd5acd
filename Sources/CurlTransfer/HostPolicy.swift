// Restricts requests to configured hosts with public addresses, so that a feed's URL gives no access to inner networks.

internal import CCurl

/// The hosts to which requests may be sent, and how.
///
/// Permitted is https on port 443 to a listed host that resolves to a public address. Each of the other sets lifts one
/// of these restrictions for its hosts.
public struct HostPolicy: Sendable, Hashable {
    /// Names or addresses of the permitted hosts, in lower case.
    public let hosts: Set<String>
    /// The permitted hosts to which requests may be sent without TLS.
    public let plainHosts: Set<String>
    /// The permitted hosts that may have loopback, private or link-local addresses, and any port.
    public let privateHosts: Set<String>
    /// Ports beside 443 that listed hosts may use.
    public let ports: Set<Int>
    /// Trusted authorities in PEM; nil trusts the system's.
    public let authorities: [UInt8]?

    /// Makes a policy; hosts of any set are permitted.
    public init(
        hosts: Set<String>,
        plainHosts: Set<String> = [],
        privateHosts: Set<String> = [],
        ports: Set<Int> = [],
        authorities: [UInt8]? = nil
    ) {
        self.plainHosts = Set(plainHosts.map { $0.lowercased() })
        self.privateHosts = Set(privateHosts.map { $0.lowercased() })
        self.hosts = Set(hosts.map { $0.lowercased() }).union(self.plainHosts).union(self.privateHosts)
        self.ports = ports
        self.authorities = authorities
    }

    /// A policy for servers on this machine: plain HTTP on any port.
    ///
    /// - Parameter hosts: Names or addresses of the hosts.
    /// - Returns: A policy.
    public static func local(_ hosts: Set<String> = ["127.0.0.1", "localhost"]) -> HostPolicy {
        HostPolicy(hosts: hosts, plainHosts: hosts, privateHosts: hosts)
    }

    /// Checks an address before anything is sent, without a look-up of its name.
    ///
    /// - Parameter url: The address.
    /// - Returns: The host as libcurl uses it.
    /// - Throws: `TransferError.badRequest` for text that is no absolute address, and for an address with a user name;
    ///   `.addressNotAllowed` for a host that is written as an inner address; `.hostNotAllowed` for all others that the
    ///   policy does not permit.
    public func check(_ url: String) throws(TransferError) -> String {
        guard let parts = AddressParts(url) else { throw .badRequest(field: "url") }
        guard !parts.hasUser else { throw .badRequest(field: "url: expected no user name") }
        guard hosts.contains(parts.host) else { throw .hostNotAllowed }
        let isPrivate = privateHosts.contains(parts.host)
        switch parts.scheme {
        case "https": guard isPrivate || parts.port == 443 || ports.contains(parts.port) else { throw .hostNotAllowed }
        case "http":
            guard plainHosts.contains(parts.host) else { throw .hostNotAllowed }
            guard isPrivate || parts.port == 80 || ports.contains(parts.port) else { throw .hostNotAllowed }
        default: throw .hostNotAllowed
        }
        guard isPrivate || !PublicAddress.isInner(parts.host) else { throw .addressNotAllowed }
        return parts.host
    }
}

/// The parts of an address, parsed by libcurl, so that the check and the request cannot differ.
private struct AddressParts {
    let scheme: String
    let host: String
    let port: Int
    let hasUser: Bool

    init?(_ url: String) {
        let isPlain = url.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isPlain, (1...TransferLimits.addressBytes).contains(url.utf8.count), let handle = curl_url() else {
            return nil
        }
        defer { curl_url_cleanup(handle) }
        guard curl_url_set(handle, CURLUPART_URL, url, 0) == CURLUE_OK,
            let scheme = Self.part(CURLUPART_SCHEME, of: handle),
            let host = Self.part(CURLUPART_HOST, of: handle),
            let port = Self.part(CURLUPART_PORT, of: handle, flags: UInt32(CURLU_DEFAULT_PORT)).flatMap({ Int($0) })
        else { return nil }
        self.scheme = scheme.lowercased()
        self.host = host.lowercased().trimmingBrackets()
        self.port = port
        hasUser = Self.part(CURLUPART_USER, of: handle) != nil || Self.part(CURLUPART_PASSWORD, of: handle) != nil
    }

    private static func part(_ part: CURLUPart, of handle: OpaquePointer, flags: UInt32 = 0) -> String? {
        var text: UnsafeMutablePointer<CChar>?
        guard curl_url_get(handle, part, &text, flags) == CURLUE_OK, let text else { return nil }
        defer { curl_free(text) }
        return String(cString: text)
    }
}

extension String {
    /// An IPv6 address without the brackets that an URL puts around it.
    fileprivate func trimmingBrackets() -> String {
        hasPrefix("[") && hasSuffix("]") ? String(dropFirst().dropLast()) : self
    }
}
