// Whole replies over a real connection: requests, limits, and the ends of a transfer.

import Foundation
import ScoreTypes
import TestSupport
import Testing

@testable import CurlTransfer

@Suite(.timeLimit(.minutes(1))) struct TransferDriverTests {
    private let driver = TransferDriver(name: "test-transfer")
    private let local = HostPolicy.local()

    private func failure(_ transfer: Transfer) async -> TransferError? {
        do throws(TransferError) {
            _ = try await driver.perform(transfer)
            return nil
        } catch {
            return error
        }
    }

    @Test func repliesReuseTheConnection() async throws {
        let server = try ScriptedServer(headers: ["ETag": "\"a1\"", "Retry-After": "7"], text: "ball by ball")
        defer { server.stop() }
        for _ in 0..<3 {
            let reply = try await driver.perform(Transfer(url: server.url + "/matches?x=1", security: local))
            #expect(reply.status == 200)
            #expect(String(decoding: reply.body, as: UTF8.self) == "ball by ball")
            #expect(reply.head.etag == "\"a1\"")
            #expect(reply.head.retryAfter(now: Instant(milliseconds: 0)) == .seconds(7))
            #expect(reply.duration > .zero && !reply.isHTTP2)
        }
        #expect(server.connectionCount == 1)
        #expect(server.requests.map(\.path) == Array(repeating: "/matches?x=1", count: 3))
        #expect(server.requests[0].headers["accept-encoding"]?.contains("gzip") == true)
        #expect(server.requests[0].headers["user-agent"] == "score-server")
    }

    /// The date to wait for is by the server's clock, which may be wrong by hours.
    @Test(arguments: [0, 3_600, -3_600]) func aRetryDateIsRelativeToTheDateOfTheReply(skew: Int64) {
        let sent = ("date", "Sun, 06 Nov 1994 08:49:37 GMT")
        let until = ("retry-after", "Sun, 06 Nov 1994 08:50:07 GMT")
        let now = Instant(milliseconds: (784_111_777 + skew) * 1_000)
        #expect(ReplyHead(status: 503, headers: [sent, until]).retryAfter(now: now) == .seconds(30))
        // Without a valid date of the reply, our clock is used.
        for head in [[until], [("date", "soon"), until]] {
            let wait = ReplyHead(status: 503, headers: head).retryAfter(now: now)
            #expect(wait == .seconds(max(0, 30 - skew)))
        }
    }

    @Test func anUnchangedReplyHasNoBody() async throws {
        let server = try ScriptedServer { request, write in
            let isSame = request.headers["if-none-match"] == "\"v1\""
            let headers = ["ETag": "\"v1\""]
            return write(
                isSame
                    ? ScriptedServer.reply(status: 304, headers: headers)
                    : ScriptedServer.reply(headers: headers, body: [1, 2])
            )
        }
        defer { server.stop() }
        let first = try await driver.perform(Transfer(url: server.url, security: local))
        let second = try await driver.perform(Transfer(url: server.url, etag: first.head.etag, security: local))
        #expect(first.status == 200 && second.status == 304 && second.body.isEmpty)
    }

    @Test(arguments: ["PUT", "POST", "DELETE", "PATCH", "HEAD", "GET"])
    func methodsAndBodiesArrive(method: String) async throws {
        let server = try ScriptedServer { request, write in
            write(ScriptedServer.reply(status: 201, body: request.method == "HEAD" ? [] : Array("ok".utf8)))
        }
        defer { server.stop() }
        let body = method == "HEAD" || method == "GET" ? [] : Array(#"{"a":1}"#.utf8)
        let headers = [("Content-Type", "application/json"), ("Authorization", "Bearer x"), ("X-Empty", "")]
        let transfer = Transfer(method: method, url: server.url + "/v1", headers: headers, body: body, security: local)
        let reply = try await driver.perform(transfer)
        #expect(reply.status == 201)
        let request = try #require(server.requests.first)
        #expect(request.method == method && request.body == body)
        #expect(request.headers["content-type"] == "application/json")
        #expect(request.headers["authorization"] == "Bearer x" && request.headers["x-empty"] == "")
        #expect(request.headers["expect"] == nil)
    }

    @Test func aPostWithoutBodyHasLengthZero() async throws {
        let server = try ScriptedServer(text: "")
        defer { server.stop() }
        _ = try await driver.perform(Transfer(method: "POST", url: server.url, security: local))
        #expect(server.requests[0].headers["content-length"] == "0")
        #expect(server.requests[0].headers["content-type"] == nil)
    }

    @Test("F7, S35: redirects are not followed")
    func redirectsAreNotFollowed() async throws {
        let server = try ScriptedServer(status: 302, headers: ["Location": "http://169.254.169.254/"], text: "")
        defer { server.stop() }
        let reply = try await driver.perform(Transfer(url: server.url, security: local))
        #expect(reply.status == 302 && server.requests.count == 1)
    }

    @Test("F3: silence and dripping bytes end at the deadline")
    func silentAndSlowRepliesEndAtTheDeadline() async throws {
        let release = ThreadEvent()
        let server = try ScriptedServer { request, write in
            if request.path == "/drip" { _ = write(Array("HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\n1".utf8)) }
            _ = release.await()
            return false
        }
        defer {
            for _ in 0..<4 { release.signal() }
            server.stop()
        }
        for path in ["/silent", "/drip"] {
            let transfer = Transfer(url: server.url + path, deadline: .milliseconds(150), security: local)
            #expect(await failure(transfer) == .deadline)
        }
    }

    @Test func aSlowTransferDelaysNoOther() async throws {
        let release = ThreadEvent()
        let server = try ScriptedServer { request, write in
            if request.path == "/slow" { _ = release.await() }
            return write(ScriptedServer.reply(body: Array(request.path.utf8)))
        }
        defer { server.stop() }
        async let slow = driver.perform(Transfer(url: server.url + "/slow", security: local))
        for number in 0..<5 {
            _ = try await driver.perform(Transfer(url: server.url + "/\(number)", security: local))
        }
        release.signal()
        #expect(try await slow.status == 200)
    }

    @Test("F6, S36: long bodies are truncated")
    func longBodiesAreTruncated() async throws {
        let server = try ScriptedServer { request, write in
            switch request.path {
            case "/declared": return write(ScriptedServer.reply(body: [UInt8](repeating: 1, count: 1_001)))
            case "/exact": return write(ScriptedServer.reply(body: [UInt8](repeating: 1, count: 1_000)))
            default:
                _ = write(Array("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n".utf8))
                while write(Array("400\r\n".utf8) + [UInt8](repeating: 1, count: 1_024) + Array("\r\n".utf8)) {}
                return false
            }
        }
        defer { server.stop() }
        for path in ["/declared", "/endless"] {
            #expect(await failure(Transfer(url: server.url + path, bodyLimit: 1_000, security: local)) == .tooLarge)
        }
        let exact = Transfer(url: server.url + "/exact", bodyLimit: 1_000, security: local)
        #expect(try await driver.perform(exact).body.count == 1_000)
    }

    @Test("F6, S36: the limit counts unpacked bytes")
    func theLimitCountsUnpackedBytes() async throws {
        let small = try Gzip.zeros(count: 10_000)
        let bomb = try Gzip.zeros(count: 64 * 1024 * 1024)
        #expect(bomb.count < 128 * 1024)
        let server = try ScriptedServer { request, write in
            let body = request.path == "/bomb" ? bomb : small
            return write(ScriptedServer.reply(headers: ["Content-Encoding": "gzip"], body: body))
        }
        defer { server.stop() }
        #expect(try await driver.perform(Transfer(url: server.url + "/small", security: local)).body.count == 10_000)
        #expect(await failure(Transfer(url: server.url + "/bomb", security: local)) == .tooLarge)
    }

    @Test("S36: endless headers are truncated")
    func endlessHeadersAreTruncated() async throws {
        let server = try ScriptedServer { _, write in
            _ = write(Array("HTTP/1.1 200 OK\r\n".utf8))
            while write(Array("X-Filler: \(String(repeating: "x", count: 1_000))\r\n".utf8)) {}
            return false
        }
        defer { server.stop() }
        #expect(await failure(Transfer(url: server.url, security: local)) == .tooLarge)
    }

    @Test(
        "F4: broken replies are reported",
        arguments: [
            ("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nshort", TransferError.truncated),
            ("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nshort\r\n", .truncated),
            ("SSH-2.0-dropbear\r\n", .badReply),
            ("", .connection),
        ]
    )
    func brokenRepliesAreReported(raw: String, error: TransferError) async throws {
        let server = try ScriptedServer { _, write in
            _ = write(Array(raw.utf8))
            return false
        }
        defer { server.stop() }
        #expect(await failure(Transfer(url: server.url, security: local)) == error)
    }

    @Test("F1: a port without a listener is reported")
    func aPortWithoutAListenerIsReported() async throws {
        let gone = Transfer(url: "http://127.0.0.1:1", security: local)
        #expect(await failure(gone) == .connection)
    }

    @Test func cancellingEndsTheWait() async throws {
        let arrived = ThreadEvent()
        let release = ThreadEvent()
        let server = try ScriptedServer { _, _ in
            arrived.signal()
            return !release.await()
        }
        defer {
            release.signal()
            server.stop()
        }
        let transfer = Transfer(url: server.url, deadline: .seconds(60), security: local)
        let waiting = Task { await failure(transfer) }
        await withCheckedContinuation { continuation in
            OwnedThread.start(name: "test-wait") {
                _ = arrived.await()
                continuation.resume()
            }
        }
        waiting.cancel()
        #expect(await waiting.value == .cancelled)
    }

    @Test func aFullOrStoppedDriverRefuses() async throws {
        let release = ThreadEvent()
        let server = try ScriptedServer { _, _ in !release.await() }
        defer {
            release.signal()
            server.stop()
        }
        let driver = TransferDriver(name: "test-small", bounds: TransferBounds(transfers: 1))
        let transfer = Transfer(url: server.url, deadline: .seconds(60), security: local)
        // The second one is refused; the stop fails the first.
        let errors = await withTaskGroup(of: TransferError?.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    do throws(TransferError) {
                        _ = try await driver.perform(transfer)
                        return nil
                    } catch { return error }
                }
            }
            let first = await group.next() ?? nil
            driver.stop()
            return [first, await group.next() ?? nil]
        }
        #expect(errors == [.tooMany, .stopped])
        do throws(TransferError) {
            _ = try await driver.perform(transfer)
        } catch { #expect(error == .stopped) }
    }
}
