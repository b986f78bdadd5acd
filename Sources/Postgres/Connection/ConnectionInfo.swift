// How to reach a database; never printed in full, since the text may hold a password.

internal import CPostgres
internal import Glibc

/// A libpq connection string (`key=value …` or `postgresql://…`), optionally pointed at another database.
public struct ConnectionInfo: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible {
    /// The text that libpq reads; may hold a password.
    let conninfo: String
    /// Overrides the database of `conninfo`.
    private(set) var databaseName: String?

    /// Wraps a connection string; it is parsed when a connection is opened.
    ///
    /// - Parameter conninfo: `key=value …` or `postgresql://…`.
    public init(_ conninfo: String) { self.conninfo = conninfo }

    /// Whether libpq can parse the connection string, and its ports are numbers.
    public var isReadable: Bool {
        guard let options = parsed() else { return false }
        // Several hosts have several ports; libpq checks them only when it connects.
        return (options["port"] ?? "").split(separator: ",").allSatisfy { (UInt16($0) ?? 0) > 0 }
    }

    /// Hosts that are reached over a network: neither sockets nor loopback addresses.
    ///
    /// A string without a host has the one of the environment (`PGHOST`, `PGSERVICE`), as for libpq.
    public var remoteHosts: [String] { remoteHosts(Self.defaults) }

    /// The remote hosts with these values for options that the string leaves out.
    func remoteHosts(_ defaults: [String: String]) -> [String] {
        let options = parsed() ?? [:]
        // Its file may name any host, and overrides the other defaults.
        let service = options["host"] == nil ? options["service"].map { "service \($0)" } : nil
        let stated = options["hostaddr"] ?? defaults["hostaddr"] ?? options["host"]
        let hosts = (stated ?? service ?? defaults["host"] ?? "").split(separator: ",").map { String($0) }
        return hosts.filter { host in
            !["/", "@", "127."].contains { host.hasPrefix($0) } && !["localhost", "::1"].contains(host)
        }
    }

    /// The mode of TLS that the string names for remote hosts, when it does not verify them; nil otherwise.
    ///
    /// Without a mode in the string, connections to remote hosts use `verify-full` (libpq's own default verifies
    /// nothing).
    public var unverifiedMode: String? {
        guard !remoteHosts.isEmpty, let mode = parsed()?["sslmode"], mode != Self.verifying else { return nil }
        return mode
    }

    /// The mode of TLS that verifies the certificate and the name of the server.
    static let verifying = "verify-full"

    /// The certificates of Debian, which verify a server when nothing names others.
    static let usualAuthorities = "/etc/ssl/certs/ca-certificates.crt"

    /// The options of TLS for remote hosts that the string may replace; libpq alone would verify nothing.
    ///
    /// Certificates are added only for the full verification: for a weaker mode they would change its meaning.
    var verification: [(String, String)] {
        guard !remoteHosts.isEmpty else { return [] }
        let mode = [("sslmode", Self.verifying)]
        guard unverifiedMode == nil, getenv("PGSSLROOTCERT") == nil, access(Self.usualAuthorities, R_OK) == 0 else {
            return mode
        }
        let home = getenv("HOME").map { String(cString: $0) } ?? "/nonexistent"
        let hasOwn = access("\(home)/.postgresql/root.crt", R_OK) == 0
        return hasOwn ? mode : mode + [("sslrootcert", Self.usualAuthorities)]
    }

    /// The same server and login with another database.
    ///
    /// - Parameter name: The database.
    /// - Returns: A new connection info.
    public func database(_ name: String) -> ConnectionInfo {
        var info = self
        info.databaseName = name
        return info
    }

    /// Host, port, database and user, without secrets.
    public var description: String {
        guard let options = parsed() else { return "‹unreadable connection string›" }
        let shown = ["host", "port", "dbname", "user"].compactMap { key -> String? in
            if key == "dbname", let databaseName { return "dbname=\(databaseName)" }
            return options[key].map { "\(key)=\($0)" }
        }
        return shown.isEmpty ? "‹libpq defaults›" : shown.joined(separator: " ")
    }

    /// The same as `description`.
    public var debugDescription: String { description }

    /// The options of the string; nil when libpq cannot parse it, since its error message would quote the string.
    func parsed() -> [String: String]? {
        PQconninfoParse(conninfo, nil).map { Self.values(takenFrom: $0) }
    }

    /// The values of options that a string leaves out: from the environment, its service and libpq.
    private static var defaults: [String: String] { PQconndefaults().map { values(takenFrom: $0) } ?? [:] }

    private static func values(takenFrom list: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        defer { PQconninfoFree(list) }
        var options: [String: String] = [:]
        var option = list
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        return options
    }
}
