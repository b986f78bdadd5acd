// Who cannot prove to be the feed is not spoken to.

import Foundation
import ScoreTypes
import Testing

@testable import ScoreIngest

@Suite struct TransferTLSTests {
    @Test("F8: only a trusted peer under its own name is spoken to")
    func onlyATrustedPeerIsSpokenTo() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("tls-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Self.makeCertificate(in: folder)
        let server = try Self.serve(from: folder)
        defer { server.process.terminate() }
        let driver = TransferDriver(name: "test-tls")
        func outcome(_ host: String, authority: String?) async -> Result<Int, TransferError> {
            let hosts: Set<String> = [host]
            let policy = HostPolicy(hosts: hosts, privateHosts: hosts, authorityFile: authority)
            do throws(TransferError) {
                return .success(
                    try await driver.perform(Transfer(url: "https://\(host):\(server.port)/", security: policy)).status
                )
            } catch { return .failure(error) }
        }
        let ours = folder.appendingPathComponent("cert.pem").path
        #expect(await outcome("localhost", authority: ours) == .success(200))
        #expect(await outcome("localhost", authority: nil) == .failure(.tls))
        #expect(await outcome("localhost", authority: "/nonexistent.pem") == .failure(.tls))
        // The certificate is trusted, but for another name.
        #expect(await outcome("127.0.0.1", authority: ours) == .failure(.tls))
    }

    private static func makeCertificate(in folder: URL) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = [
            "openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1",
            "-keyout", "key.pem", "-out", "cert.pem", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost",
        ]
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0)
    }

    private static func serve(from folder: URL) throws -> (process: Process, port: Int) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.currentDirectoryURL = folder
        process.arguments = [
            "openssl", "s_server", "-accept", "127.0.0.1:0", "-cert", "cert.pem", "-key", "key.pem", "-www",
        ]
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
