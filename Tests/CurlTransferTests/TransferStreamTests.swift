// Endless bodies: chunk by chunk, with back-pressure, until the reader stops.

import Foundation
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import CurlTransfer

@Suite(.timeLimit(.minutes(1))) struct TransferStreamTests {
    private let driver = TransferDriver(name: "test-stream")
    private static let head = Array("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n".utf8)

    private func transfer(_ server: ScriptedServer) -> Transfer {
        Transfer(url: server.url, deadline: nil, security: .local())
    }

    @Test func chunksArriveAsTheyAreSent() async throws {
        let release = ThreadEvent()
        let server = try ScriptedServer { _, write in
            _ = write(Self.head + Array("one\n".utf8))
            _ = release.await()
            _ = write(Array("two\n".utf8))
            return false
        }
        defer { server.stop() }
        var chunks: [String] = []
        for try await chunk in driver.stream(transfer(server)) {
            chunks.append(String(decoding: chunk, as: UTF8.self))
            // The second is not sent before the first has been read.
            release.signal()
        }
        #expect(chunks == ["one\n", "two\n"])
        #expect(server.requests[0].headers["accept-encoding"] == nil)
    }

    @Test func anotherStatusIsAnError() async throws {
        let server = try ScriptedServer(status: 503, headers: ["Retry-After": "3"], text: "busy")
        defer { server.stop() }
        await #expect(throws: TransferError.status(503, retryAfter: .seconds(3))) {
            for try await _ in driver.stream(transfer(server)) {}
        }
    }

    @Test func aFullBufferPausesAndLosesNothing() async {
        let resumed = Mutex(0)
        let buffer = StreamBuffer { resumed.withLock { $0 += 1 } }
        let chunk = [UInt8](repeating: 7, count: TransferLimits.streamBufferBytes / 4)
        for _ in 0..<4 { #expect(buffer.offer(chunk)) }
        #expect(!buffer.offer(chunk))
        #expect(await buffer.next() == .success(chunk))
        #expect(resumed.withLock { $0 } == 0)
        #expect(await buffer.next() == .success(chunk))
        #expect(resumed.withLock { $0 } == 1)
        #expect(buffer.offer([1]))
        buffer.finish(nil)
        for _ in 0..<2 { #expect(await buffer.next() == .success(chunk)) }
        #expect(await buffer.next() == .success([1]))
        #expect(await buffer.next() == .success(nil))
    }

    @Test func aLongStreamPassesASmallBuffer() async throws {
        let pieces = 256
        let server = try ScriptedServer { _, write in
            _ = write(Self.head)
            for piece in 0..<pieces {
                guard write([UInt8](repeating: UInt8(truncatingIfNeeded: piece), count: 65_536)) else { return false }
            }
            return false
        }
        defer { server.stop() }
        var read = 0
        for try await chunk in driver.stream(transfer(server)) {
            #expect(chunk.first == UInt8(truncatingIfNeeded: read / 65_536))
            read += chunk.count
            // Other tasks run, and the connection gets ahead of this one.
            await Task.yield()
        }
        #expect(read == pieces * 65_536)
    }

    @Test func releasingTheStreamClosesTheConnection() async throws {
        let closed = ThreadEvent()
        let server = try ScriptedServer { _, write in
            _ = write(Self.head)
            while write(Array(repeating: 65, count: 1_024)) {}
            closed.signal()
            return false
        }
        defer { server.stop() }
        do {
            for try await _ in driver.stream(transfer(server)) { break }
        }
        let isClosed = await withCheckedContinuation { continuation in
            OwnedThread.start(name: "test-closed") { continuation.resume(returning: closed.await()) }
        }
        #expect(isClosed)
    }

    @Test func cancellingTheReaderEndsTheStream() async throws {
        let release = ThreadEvent()
        let server = try ScriptedServer { _, write in
            _ = write(Self.head + [65])
            return !release.await()
        }
        defer {
            release.signal()
            server.stop()
        }
        let (started, announce) = AsyncStream.makeStream(of: Void.self)
        let reader = Task { [driver] in
            for try await _ in driver.stream(transfer(server)) { announce.yield() }
        }
        for await _ in started { break }
        reader.cancel()
        // The server is silent from here on, so only the cancellation ends this; a reader that is cancelled just before
        // it waits for the next chunk gets the stream's plain end.
        if case .failure(let error) = await reader.result { #expect(error as? TransferError == .cancelled) }
    }

    @Test func refusalsEndTheStreamAtOnce() async {
        await #expect(throws: TransferError.hostNotAllowed) {
            for try await _ in driver.stream(Transfer(url: "http://elsewhere.example", security: .local())) {}
        }
    }
}
