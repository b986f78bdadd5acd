// The sink runs as a process of its own on the other core, so that the dispatcher's figures are the dispatcher's alone.

import CLinux
import COpenSSL
import Foundation
import HTTP2
import ScoreTypes

/// Where pushes go during a measurement: a child of this process, or a sink that was started elsewhere.
struct BenchSink: Sendable {
    let host: String
    let port: UInt16
    /// The certificate to trust, PEM.
    let authority: [UInt8]
    /// Where a child writes its certificate and its count; nil for a sink that was started elsewhere.
    private let folder: URL?

    /// How long a child may take to listen.
    private static let startWait = Duration.seconds(20)

    /// Starts a sink, pinned to a core if there is one.
    static func start(core: Int?, undoneBy teardown: Teardown) async throws -> BenchSink {
        let folder = FileManager.default.temporaryDirectory.appending(path: "score-sink-\(getpid())")
        let process = Process()
        let binary = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath()
        let words = ["simulate-apns", "--sink", "--port", "0", "--folder", folder.path]
        if let core {
            process.executableURL = URL(filePath: "/usr/bin/taskset")
            process.arguments = ["-c", String(core), binary.path] + words
        } else {
            process.executableURL = binary
            process.arguments = words
        }
        let output = Pipe()
        process.standardOutput = output
        process.standardInput = FileHandle.nullDevice
        try process.run()
        teardown.add {
            process.terminate()
            process.waitUntilExit()
            try? FileManager.default.removeItem(at: folder)
        }
        let port = try await port(from: output)
        let path = folder.appending(path: "authority.pem").path
        guard let authority = FileManager.default.contents(atPath: path) else {
            throw MeasurementFailure("the sink wrote no certificate to \(path)")
        }
        return BenchSink(host: "127.0.0.1", port: port, authority: Array(authority), folder: folder)
    }

    /// A sink that listens already; its certificate is taken from itself when no file is named, since a measurement
    /// between two machines of one's own has nothing to keep secret.
    static func elsewhere(host: String, port: UInt16, authorityFile: String?) throws -> BenchSink {
        if let authorityFile {
            guard let data = FileManager.default.contents(atPath: authorityFile) else {
                throw MeasurementFailure("cannot read \(authorityFile)")
            }
            return BenchSink(host: host, port: port, authority: Array(data), folder: nil)
        }
        guard let pem = PeerCertificate.fetch(host: host, port: port) else {
            throw MeasurementFailure("no TLS server answers at \(host):\(port)")
        }
        return BenchSink(host: host, port: port, authority: pem, folder: nil)
    }

    /// Requests that the sink has answered by its own count; nil for one that was started elsewhere.
    var answered: Int? {
        guard let path = folder?.appending(path: "answered").path,
            let data = FileManager.default.contents(atPath: path)
        else { return nil }
        return Int(String(decoding: data, as: UTF8.self).filter(\.isNumber))
    }

    private static func port(from output: Pipe) async throws -> UInt16 {
        let line = await withTaskGroup(of: String?.self) { group in
            group.addTask {
                var seen = Data()
                for _ in 0..<100 {
                    let more = output.fileHandleForReading.availableData
                    if more.isEmpty { return nil }
                    seen += more
                    if seen.contains(UInt8(ascii: "\n")) { return String(decoding: seen, as: UTF8.self) }
                }
                return nil
            }
            group.addTask {
                try? await Task.sleep(for: startWait)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
        let digits = line?.split(separator: "\n").first?.split(separator: ":").last
        guard let digits, let port = UInt16(digits) else { throw MeasurementFailure("the sink did not start") }
        return port
    }
}

/// Reads the certificate that a server shows.
private enum PeerCertificate {
    static func fetch(host: String, port: UInt16) -> [UInt8]? {
        guard let context = SSL_CTX_new(TLS_client_method()) else { return nil }
        defer { SSL_CTX_free(context) }
        SSL_CTX_set_alpn_protos(context, [2, UInt8(ascii: "h"), UInt8(ascii: "2")], 3)
        guard let bio = BIO_new_ssl_connect(context) else { return nil }
        defer { BIO_free_all(bio) }
        guard bio_connect_to(bio, "\(host):\(port)") == 1, let ssl = bio_ssl(bio),
            let certificate = SSL_get1_peer_certificate(ssl)
        else { return nil }
        defer { X509_free(certificate) }
        guard let out = BIO_new(BIO_s_mem()) else { return nil }
        defer { BIO_free(out) }
        guard PEM_write_bio_X509(out, certificate) == 1 else { return nil }
        var data: UnsafeMutablePointer<CChar>?
        let count = bio_mem_data(out, &data)
        guard let data, count > 0 else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: Int(count)))
    }
}
