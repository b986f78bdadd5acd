// A feed's address comes from configuration that people edit; it must not open the inner network to them.

internal import CCurl

/// Which hosts may be spoken to, and how.
///
/// Everything is refused but https, on port 443, to a listed host that resolves to a public address. Each of the
/// other sets lifts one of these bars for the hosts that it names.
public struct HostPolicy: Sendable, Hashable {
    /// Names or addresses, in lower case, that may be spoken to.
    public let hosts: Set<String>
    /// Those of them that may be spoken to without TLS.
    public let plainHosts: Set<String>
    /// Those of them that may have loopback, private or link-local addresses, and any port.
    public let privateHosts: Set<String>
    /// Ports beside 443 that listed hosts may use.
    public let ports: Set<Int>
    /// A PEM file of certificate authorities in place of the system's.
    public let authorityFile: String?

    /// Names the hosts; the sets of bars lifted also count as listed.
    public init(
        hosts: Set<String>,
        plainHosts: Set<String> = [],
        privateHosts: Set<String> = [],
        ports: Set<Int> = [],
        authorityFile: String? = nil
    ) {
        self.plainHosts = Set(plainHosts.map { $0.lowercased() })
        self.privateHosts = Set(privateHosts.map { $0.lowercased() })
        self.hosts = Set(hosts.map { $0.lowercased() }).union(self.plainHosts).union(self.privateHosts)
        self.ports = ports
        self.authorityFile = authorityFile
    }

    /// For servers on this machine: named hosts over plain HTTP on any port.
    public static func local(_ hosts: Set<String> = ["127.0.0.1", "localhost"]) -> HostPolicy {
        HostPolicy(hosts: hosts, plainHosts: hosts, privateHosts: hosts)
    }

    /// Checks an address before anything is sent; returns the host as libcurl will use it.
    ///
    /// - Throws: `.badRequest` for what is no absolute address, or one with a user's name in it; `.hostNotAllowed`
    ///   else.
    func check(_ url: String) throws(TransferError) -> String {
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
        return parts.host
    }
}

/// An address taken apart by libcurl itself, so that the check and the request never read it differently.
private struct AddressParts {
    let scheme: String
    let host: String
    let port: Int
    let hasUser: Bool

    /// Longest address in bytes that is looked at.
    private static let lengthMax = 4_096

    init?(_ url: String) {
        let isPlain = url.utf8.allSatisfy { (0x21...0x7e).contains($0) }
        guard isPlain, (1...Self.lengthMax).contains(url.utf8.count), let handle = curl_url() else { return nil }
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
