// A server without proof of its identity receives no request.

import Foundation
import Glibc
import ScoreTypes
import Testing

@testable import CurlTransfer

@Suite struct TransferTLSTests {
    @Test("F8: only a trusted peer under its own name receives a request")
    func onlyATrustedPeerReceivesARequest() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.makeCertificate(in: folder)
        let server = try Self.serve(from: folder)
        defer { Self.end(server.process) }
        let ours = try Data(contentsOf: folder.appendingPathComponent("cert.pem"))
        #expect(await Self.outcome("localhost", server.port, authority: ours) == .success(200))
        #expect(await Self.outcome("localhost", server.port, authority: nil) == .failure(.tls))
        #expect(await Self.outcome("localhost", server.port, authority: Data("no certificate".utf8)) == .failure(.tls))
        // The certificate is trusted, but for another name.
        #expect(await Self.outcome("127.0.0.1", server.port, authority: ours) == .failure(.tls))
    }

    @Test("F8: an expired certificate is refused, even of a trusted authority")
    func anExpiredCertificateIsRefused() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        for (days, expected) in [
            (("20200101000000Z", "20200102000000Z"), Result<Int, TransferError>.failure(.tls)),
            (("20200101000000Z", "20990101000000Z"), .success(200)),
        ] {
            try Self.makeCertificate(in: folder, from: days.0, until: days.1)
            let server = try Self.serve(from: folder)
            let ours = try Data(contentsOf: folder.appendingPathComponent("cert.pem"))
            #expect(await Self.outcome("localhost", server.port, authority: ours) == expected)
            Self.end(server.process)
        }
    }

    @Test("F8: a server with an older TLS version is refused")
    func anOlderTLSVersionIsRefused() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.makeCertificate(in: folder)
        let ours = try Data(contentsOf: folder.appendingPathComponent("cert.pem"))
        for (version, expected) in [
            ("-tls1", Result<Int, TransferError>.failure(.tls)), ("-tls1_1", .failure(.tls)),
            ("-tls1_2", .success(200)),
        ] {
            // At its lowest level of security, so that the server does not refuse first.
            let server = try Self.serve(from: folder, [version, "-cipher", "ALL:@SECLEVEL=0"])
            #expect(await Self.outcome("localhost", server.port, authority: ours) == expected, "\(version)")
            Self.end(server.process)
        }
    }

    /// With SIGKILL: a child may have inherited a mask that blocks SIGTERM.
    private static func end(_ process: Process) {
        kill(process.processIdentifier, SIGKILL)
        process.waitUntilExit()
    }

    private static func outcome(
        _ host: String,
        _ port: Int,
        authority: Data?
    ) async -> Result<Int, TransferError> {
        let hosts: Set<String> = [host]
        let policy = HostPolicy(hosts: hosts, privateHosts: hosts, authorities: authority.map { [UInt8]($0) })
        do throws(TransferError) {
            let driver = TransferDriver(name: "test-tls")
            return .success(
                try await driver.perform(Transfer(url: "https://\(host):\(port)/", security: policy)).status
            )
        } catch { return .failure(error) }
    }

    private static func makeCertificate(in folder: URL) throws {
        try openssl(
            "req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 1 -keyout key.pem -out cert.pem "
                + "-subj /CN=localhost -addext subjectAltName=DNS:localhost",
            in: folder
        )
    }

    /// A certificate with a time that may be over; only `openssl ca` accepts both dates.
    private static func makeCertificate(in folder: URL, from start: String, until end: String) throws {
        let configuration = """
            [ca]
            default_ca=own
            [own]
            new_certs_dir=.
            database=index.txt
            rand_serial=yes
            default_md=sha256
            policy=any
            x509_extensions=names
            unique_subject=no
            [any]
            commonName=supplied
            [names]
            subjectAltName=DNS:localhost

            """
        try Data(configuration.utf8).write(to: folder.appendingPathComponent("ca.cnf"))
        try Data().write(to: folder.appendingPathComponent("index.txt"))
        try openssl(
            "req -new -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -keyout key.pem -out wish.csr "
                + "-subj /CN=localhost",
            in: folder
        )
        try openssl(
            "ca -batch -notext -selfsign -config ca.cnf -keyfile key.pem -in wish.csr -out cert.pem "
                + "-startdate \(start) -enddate \(end)",
            in: folder
        )
    }

    private static func openssl(_ arguments: String, in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = ["openssl"] + arguments.split(separator: " ").map(String.init)
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments)")
    }

    private static func serve(from folder: URL, _ more: [String] = []) throws -> (process: Process, port: Int) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments =
            [
                "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-www",
            ] + more
        let pipe = Pipe()
        process.standardOutput = pipe
        process.standardError = FileHandle.nullDevice
        try process.run()
        var text = ""
        while true {
            let part = pipe.fileHandleForReading.availableData
            try #require(!part.isEmpty, "openssl s_server ended early: \(text)")
            text += String(decoding: part, as: UTF8.self)
            if let match = text.firstMatch(of: /ACCEPT 127\.0\.0\.1:(\d+)\n/), let port = Int(match.1) {
                return (process, port)
            }
        }
    }
}
