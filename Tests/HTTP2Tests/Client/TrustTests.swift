// A push token must reach no server but the intended one.

import COpenSSL
import Testing

@testable import HTTP2

@Suite(.timeLimit(.minutes(1)))
struct TrustTests {
    private func end(of change: (inout ClientConfiguration) throws -> Void) async throws -> ClientRecord {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop)
        var configuration = server.client
        try change(&configuration)
        let client = await TestClient(configuration, on: loop)
        client.send([TestRequest(tag: 1)])
        let record = await client.observed.wait { $0.isOpen || $0.end != nil }
        loop.stop()
        return record
    }

    @Test func aCertificateOfAnUnknownAuthorityIsRefused() async throws {
        let record = try await end { configuration in
            let other = try TLSIdentity.selfSigned(commonName: "other", addresses: ["127.0.0.1"])
            configuration.tls = .init(trust: .certificates(pem: other.certificatePEM), serverName: "127.0.0.1")
        }
        guard case .insecure(let text) = record.end else {
            Issue.record("expected .insecure, got \(record)")
            return
        }
        #expect(text.contains("certificate refused"))
    }

    @Test func anUntrustedCertificateIsRefused() async throws {
        let record = try await end { $0.tls = .init(trust: .system, serverName: "127.0.0.1") }
        guard case .insecure = record.end else {
            Issue.record("expected .insecure, got \(record)")
            return
        }
    }

    @Test(arguments: ["api.push.apple.com", "127.0.0.2", "localhost.example"])
    func aCertificateForAnotherNameIsRefused(name: String) async throws {
        let record = try await end { $0.tls = .init(trust: $0.tls.trust, serverName: name) }
        guard case .insecure(let text) = record.end else {
            Issue.record("expected .insecure, got \(record)")
            return
        }
        #expect(text.contains("mismatch"))
    }

    @Test func eachAddressOfANameIsTried() async throws {
        let record = try await end { configuration in
            configuration.host = "localhost"
            configuration.tls = .init(trust: configuration.tls.trust, serverName: "localhost")
        }
        #expect(record.isOpen)
    }

    @Test func aNameWithoutAddressIsReported() async throws {
        let record = try await end {
            // No resolver sends a query for a label of this length.
            $0.host = String(repeating: "x", count: 64) + ".invalid"
        }
        guard case .unresolved = record.end else {
            Issue.record("expected .unresolved, got \(record)")
            return
        }
    }

    @Test func aPortWithoutListenerIsReported() async throws {
        let loop = EventLoop(name: "test")
        let server = try await TestServer(on: loop)
        let configuration = server.client
        await server.server.stop()
        let client = await TestClient(configuration, on: loop)
        let record = await client.observed.wait { $0.end != nil }
        #expect(record.end == .unreachable("Connection refused"))
        loop.stop()
    }

    /// Two TLS streams in memory: the output of each is the input of the other.
    private func handshake(_ client: TLSStream, _ server: TLSStream) -> (TLSStream.Progress, TLSStream.Progress) {
        var progress = (TLSStream.Progress.needsInput, TLSStream.Progress.needsInput)
        for _ in 0..<10 {
            progress.0 = client.handshake()
            server.offer(client.outgoing.readable)
            progress.1 = server.handshake()
            client.outgoing.clear()
            client.offer(server.outgoing.readable)
            progress.0 = client.handshake()
            server.outgoing.clear()
        }
        return progress
    }

    @Test func http2IsRequired() throws {
        let identity = try TLSIdentity.selfSigned(commonName: "test", addresses: ["127.0.0.1"])
        let settings = try TLSContext.server(identity)
        SSL_CTX_set_alpn_select_cb(settings.pointer, nil, nil)
        let trust = try TLSContext.client(.certificates(pem: identity.certificatePEM))
        let client = try TLSStream.client(trust, serverName: "127.0.0.1")
        let progress = handshake(client, try TLSStream.server(settings)).0
        guard case .failed(let failure) = progress else {
            Issue.record("expected a failure, got \(progress)")
            return
        }
        #expect(failure.description == "the peer did not select h2")
    }

    @Test func tlsOlderThan1Point2IsRefused() throws {
        let identity = try TLSIdentity.selfSigned(commonName: "test", addresses: ["127.0.0.1"])
        let settings = try TLSContext.server(identity)
        let tls11 = 0x0302
        SSL_CTX_ctrl(settings.pointer, SSL_CTRL_SET_MIN_PROTO_VERSION, tls11, nil)
        SSL_CTX_ctrl(settings.pointer, SSL_CTRL_SET_MAX_PROTO_VERSION, tls11, nil)
        let trust = try TLSContext.client(.certificates(pem: identity.certificatePEM))
        let client = try TLSStream.client(trust, serverName: "127.0.0.1")
        let progress = handshake(client, try TLSStream.server(settings))
        guard case .failed = progress.0 else {
            Issue.record("expected a failure, got \(progress)")
            return
        }
    }
}
