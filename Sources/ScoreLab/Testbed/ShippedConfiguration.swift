// The configurations of proxies are measured and tested as they are shipped, but for ports, paths and limits of a user.

import Foundation
import HTTP2

/// A configuration of `deploy/` with the values of one run.
struct ShippedConfiguration: Sendable {
    /// The host name in the configurations.
    static let host = "scores.example.com"

    private let path: String
    private(set) var text: String

    /// Reads a file; throws `MeasurementFailure` when it cannot be read.
    init(_ path: String) throws {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw MeasurementFailure("\(path) cannot be read; run the command in the folder of the project")
        }
        (self.path, text) = (path, String(decoding: data, as: UTF8.self))
    }

    /// Replaces a text everywhere; throws `MeasurementFailure` when the file does not contain it.
    mutating func replace(_ shipped: String, by own: String) throws {
        guard text.contains(shipped) else { throw MeasurementFailure("\(path) does not contain \(shipped)") }
        text = text.replacingOccurrences(of: shipped, with: own)
    }

    /// Writes the configuration; returns its path.
    func write(to folder: URL, name: String) throws -> String {
        let file = folder.appending(path: name)
        try Data(text.utf8).write(to: file)
        return file.path
    }

    /// Writes a certificate for ``host``, its key, and both in one file; returns their paths.
    static func writeIdentity(to folder: URL) throws -> (certificate: String, key: String, both: String) {
        let identity = try TLSIdentity.selfSigned(commonName: host, addresses: [host])
        let files = (
            certificate: folder.appending(path: "certificate.pem").path, key: folder.appending(path: "key.pem").path,
            both: folder.appending(path: "both.pem").path
        )
        try Data(identity.certificatePEM).write(to: URL(filePath: files.certificate))
        try Data(identity.privateKeyPEM).write(to: URL(filePath: files.key))
        try Data(identity.certificatePEM + identity.privateKeyPEM).write(to: URL(filePath: files.both))
        return files
    }
}

/// nginx with the shipped configuration.
struct ShippedNginx: Sendable {
    static let executable = URL(filePath: "/usr/sbin/nginx")

    /// The file of the project, from its folder.
    static let path = "deploy/nginx.conf"

    var configuration: ShippedConfiguration
    let folder: URL

    /// Adapts `deploy/nginx.conf` to a folder, a port of its own, and the port of the server.
    ///
    /// Without TLS it accepts HTTP/1.1 in plain text, for measurements.
    init(_ path: String, in folder: URL, port: Int, server: Int, isTLS: Bool, workers: String = "auto") throws {
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let identity = try ShippedConfiguration.writeIdentity(to: folder)
        var text = try ShippedConfiguration(path)
        // A test machine may have no IPv6, and a low limit of descriptors.
        try text.replace("        listen [::]:443 ssl http2 default_server;\n", by: "")
        try text.replace("        listen [::]:443 ssl http2;\n", by: "")
        try text.replace("worker_rlimit_nofile 131072;\n", by: "")
        try text.replace("worker_connections 65536;", by: "worker_connections 2048;")
        try text.replace("worker_processes auto;", by: "worker_processes \(workers);")
        try text.replace("listen 443 ssl http2", by: "listen \(Testbed.host):\(port)\(isTLS ? " ssl http2" : "")")
        if !isTLS { try text.replace("server_name \(ShippedConfiguration.host);", by: "server_name \(Testbed.host);") }
        try text.replace("/etc/ssl/score-server/fullchain.pem", by: identity.certificate)
        try text.replace("/etc/ssl/score-server/privkey.pem", by: identity.key)
        try text.replace("/run/nginx.pid", by: folder.appending(path: "nginx.pid").path)
        try text.replace("/var/log/nginx/error.log", by: folder.appending(path: "error.log").path)
        try text.replace("/var/cache/nginx/score", by: folder.appending(path: "cache").path)
        try text.replace("server 127.0.0.1:8080", by: "server \(Testbed.host):\(server)")
        (configuration, self.folder) = (text, folder)
    }

    /// The arguments that run nginx in the foreground; writes the configuration.
    func arguments() throws -> [String] {
        let file = try configuration.write(to: folder, name: "nginx.conf")
        return ["-e", folder.appending(path: "error.log").path, "-p", folder.path, "-c", file, "-g", "daemon off;"]
    }
}
