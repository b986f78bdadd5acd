// The settings of the demo's server: those of a production start, pointed at the simulators.

import Glibc
import Simulators

/// Builds the environment of the child.
struct DemoEnvironment {
    static let keyID = "DEMOKEY001"
    static let teamID = "DEMOTEAM01"
    /// All phones of a demo come from one address, so the limits for one address are raised.
    private static let openLimit = "1000000/1s"

    let folder: DemoFolder
    let database: String
    let speed: Int
    let ports: (publicPort: Int, internalPort: Int)
    let feedPort: Int
    let apns: APNsSimulator

    /// The variables of the server, and nothing of ours but the search path.
    var variables: [String: String] {
        var variables = [
            "HTTP_PUBLIC_PORT": "\(ports.publicPort)",
            "HTTP_INTERNAL_PORT": "\(ports.internalPort)",
            "DATABASE_URL": database,
            "NODE_ID": "demo-node",
            "CLOCK_SPEED": "\(speed)",
            "SIMULATION_ALLOWED": "true",
            "FEED_ID": "demo",
            "FEED_URL": "http://\(DemoSupervisor.host):\(feedPort)",
            "FEED_PLAIN_HTTP_HOSTS": DemoSupervisor.host,
            "APNS_PUSH_HOST": DemoSupervisor.host,
            "APNS_PUSH_PORT": "\(apns.pushPort)",
            "APNS_BROADCAST_PORT": "\(apns.pushPort)",
            "APNS_MANAGE_HOST": DemoSupervisor.host,
            "APNS_MANAGE_PORT": "\(apns.managementPort)",
            "APNS_CA_FILE": folder.authorityFile,
            "APNS_KEY_FILE": folder.keyFile,
            "APNS_KEY_ID": Self.keyID,
            "APNS_TEAM_ID": Self.teamID,
            "APNS_BUNDLE_ID": DemoSupervisor.bundleID,
            "APNS_ATTRIBUTES_TYPE": DemoSupervisor.attributesType,
            "LOG_FORMAT": "text",
        ]
        let limits = [
            "READ", "WRITE", "TOKENS", "REGISTER", "REGISTER_DAILY", "REGISTER_ALL", "STREAM_OPEN", "STREAM_OPEN_ALL",
        ]
        for limit in limits { variables["LIMITS_\(limit)"] = Self.openLimit }
        for name in ["PATH", "LD_LIBRARY_PATH", "HOME"] {
            if let value = getenv(name) { variables[name] = String(cString: value) }
        }
        return variables
    }
}

/// A port that nobody listens on: asked of the system and given back, so a restarted server can have it again.
enum FreePort {
    static func find() throws -> Int {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
                bind(descriptor, generic, length) == 0 && getsockname(descriptor, generic, &length) == 0
            }
        }
        guard descriptor >= 0, isBound else { throw DemoError.noPort }
        return Int(UInt16(bigEndian: address.sin_port))
    }
}
