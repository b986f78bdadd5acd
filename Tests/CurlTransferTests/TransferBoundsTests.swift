// The bounds of the memory, the bytes and the types that a hostile peer can send.

import Foundation
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer

@Suite(.timeLimit(.minutes(2))) struct TransferBoundsTests {
    @Test("F6: neither an endless body nor a decompression bomb takes 16 MiB of memory")
    func memoryIsBounded() async {
        // In its own process: memory is shared by all tests.
        await #expect(processExitsWith: .success) {
            let bomb = try Gzip.zeros(count: 256 * 1024 * 1024)
            let chunk = Array("10000\r\n".utf8) + [UInt8](repeating: 0x20, count: 65_536) + Array("\r\n".utf8)
            let sent = Mutex(0)
            let server = try ScriptedServer { request, write in
                if request.path == "/bomb" {
                    return write(ScriptedServer.reply(headers: ["Content-Encoding": "gzip"], body: bomb))
                }
                guard request.path == "/endless" else { return write(ScriptedServer.reply(body: [0x20])) }
                _ = write(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
                // Two gigabytes, if they are all read.
                for _ in 0..<32_768 {
                    guard write(chunk) else { return false }
                    sent.withLock { $0 += chunk.count }
                }
                return false
            }
            let driver = TransferDriver(name: "test-memory")
            // All one-time allocations exist before the measurement.
            _ = try await driver.perform(Transfer(url: server.url, security: .local()))
            let before = try Self.peak(reset: true)
            for path in ["/endless", "/bomb", "/endless", "/bomb"] {
                let transfer = Transfer(url: server.url + path, deadline: .seconds(60), security: .local())
                var failure: TransferError?
                do throws(TransferError) { _ = try await driver.perform(transfer) } catch { failure = error }
                try #require(failure == .tooLarge, "\(path)")
            }
            let grown = try Self.peak(reset: false) - before
            let (kibibytesMax, takenMax) = (16_384, 268_435_456)
            try #require(grown < kibibytesMax, "\(grown) KiB more than before")
            let taken = sent.withLock { $0 }
            try #require(taken < takenMax, "the connection has to be closed")
        }
    }

    /// The most memory that this process has held, in KiB.
    private static func peak(reset: Bool) throws -> Int {
        if reset { try Data("5".utf8).write(to: URL(filePath: "/proc/self/clear_refs")) }
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        return try #require(status.firstMatch(of: /VmHWM:\s+(\d+) kB/).flatMap { Int($0.1) })
    }

    @Test(
        "S36: a body whose type is neither text nor JSON is not read",
        arguments: [
            ("application/json", true), ("Application/JSON; charset=utf-8", true), ("text/plain", true), ("", true),
            ("text/html; charset=UTF-8", true), ("application/problem+json", true), ("application/vnd.x+json", true),
            ("text/javascript", true), ("application/octet-stream", false), ("image/png", false),
            ("application/zip", false), ("video/mp4; codecs=json", false), ("application/jsonp-not", false),
            ("multipart/form-data; boundary=text/plain", false),
        ]
    )
    func onlyTextBodiesAreRead(type: String, isRead: Bool) async throws {
        let server = try ScriptedServer(headers: ["Content-Type": type], text: "{}")
        defer { server.stop() }
        let driver = TransferDriver(name: "test-type")
        var transfer = Transfer(url: server.url, security: .local())
        transfer.wantsText = true
        if isRead {
            #expect(try await driver.perform(transfer).body == Array("{}".utf8))
        } else {
            await #expect(throws: TransferError.notText) { try await driver.perform(transfer) }
        }
        // A request without a type accepts any body, and so does one for an error's reason.
        transfer.wantsText = false
        #expect(try await driver.perform(transfer).status == 200)
    }

    @Test("S36: an error keeps its status whatever its body is")
    func anErrorKeepsItsStatus() async throws {
        let server = try ScriptedServer(status: 503, headers: ["Content-Type": "image/png"], text: "x")
        defer { server.stop() }
        var transfer = Transfer(url: server.url, security: .local())
        transfer.wantsText = true
        #expect(try await TransferDriver(name: "test-type").perform(transfer).status == 503)
    }
}
