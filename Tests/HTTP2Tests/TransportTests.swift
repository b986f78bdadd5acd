import HTTP2
import Synchronization
import Testing

@Suite(.timeLimit(.minutes(1))) struct TransportTests {
    private static func echo(_ request: ServerRequest) {
        let id = request.headers.text("apns-id") ?? ""
        let text = "\(request.method) \(request.path) \(id) \(String(decoding: request.body, as: UTF8.self))"
        request.stream.respond(status: 200, headers: [("apns-id", id)], body: Array(text.utf8))
    }

    @Test func aThousandRequestsComeBackEachOnce() async throws {
        let rig = try await EchoRig(script: Self.echo)
        rig.connect(sending: 5_000)
        var answered: [UInt64: String] = [:]
        for await event in rig.events {
            if case .answered(let tag, let status, let body) = event {
                #expect(status == 200)
                #expect(answered.updateValue(body, forKey: tag) == nil)
            }
            if case .failed(let tag, let failure) = event { Issue.record("\(tag) failed: \(failure)") }
            if answered.count == 5_000 { break }
        }
        #expect(answered[4_999] == "POST /echo/4999 id-4999 hello")
        await rig.stop()
    }

    @Test func anUnknownAuthorityIsRefused() async throws {
        let rig = try await EchoRig(script: Self.echo)
        rig.connect(sending: 1) { $0.tls.trust = .system }
        let events = await rig.events { if case .closed = $0 { true } else { false } }
        guard case .closed(.tls(.untrusted)) = events.last else {
            Issue.record("\(events)")
            return
        }
        await rig.stop()
    }

    @Test func aCertificateForAnotherHostIsRefused() async throws {
        let rig = try await EchoRig(script: Self.echo)
        rig.connect(sending: 1) { $0.tls.serverName = "api.push.example" }
        let events = await rig.events { if case .closed = $0 { true } else { false } }
        guard case .closed(.tls(.untrusted)) = events.last else {
            Issue.record("\(events)")
            return
        }
        await rig.stop()
    }

    @Test func aLimitOfOneStreamIsObeyedAndARaisedOneUsed() async throws {
        let open = Mutex((now: 0, most: 0, answered: 0))
        let rig = try await EchoRig(streams: 1) { request in
            let count = open.withLock { open in
                open.now += 1
                open.most = max(open.most, open.now)
                open.answered += 1
                return open.answered
            }
            if count <= 10 { #expect(open.withLock { $0.most } == 1) }
            if count == 10 { request.stream.connection?.setMaxConcurrentStreams(50) }
            open.withLock { $0.now -= 1 }
            Self.echo(request)
        }
        rig.connect(sending: 500)
        var limits: [Int] = []
        var answers = 0
        for await event in rig.events {
            if case .opened(let limit) = event { limits.append(limit) }
            if case .answered = event { answers += 1 }
            if answers == 500 { break }
        }
        #expect(limits == [1])
        await rig.stop()
    }

    @Test func afterGoawayWhatWasNotProcessedIsRefused() async throws {
        let rig = try await EchoRig { request in
            // Streams are 1, 3, 5 …: the tenth request is stream 19.
            if request.path == "/echo/9" { request.stream.connection?.goAway(lastStream: 19) }
            if (Int(request.path.dropFirst(6)) ?? 0) < 10 { Self.echo(request) }
        }
        rig.connect(sending: 50)
        let events = await rig.events { if case .closed = $0 { true } else { false } }
        let refused = events.filter { if case .failed(_, .refused) = $0 { true } else { false } }
        let answered = events.filter { if case .answered = $0 { true } else { false } }
        #expect(answered.count == 10)
        #expect(refused.count == 40)
        await rig.stop()
    }

    @Test func aRefusedStreamMayBeSentAgain() async throws {
        let rig = try await EchoRig { request in
            if request.path == "/echo/3" { request.stream.reset(7) } else { Self.echo(request) }
        }
        rig.connect(sending: 5)
        var events: [ClientEvent] = []
        for await event in rig.events {
            events.append(event)
            if events.filter({ if case .answered = $0 { true } else { false } }).count == 4,
                events.contains(.failed(tag: 3, .refused))
            {
                break
            }
        }
        await rig.stop()
    }

    @Test func silenceEndsInATimeout() async throws {
        let rig = try await EchoRig { _ in }
        rig.connect(sending: 1) { $0.requestTimeout = .milliseconds(150) }
        let events = await rig.events { if case .failed = $0 { true } else { false } }
        #expect(events.last == .failed(tag: 0, .timeout))
        await rig.stop()
    }

    @Test func aConnectionKilledMidRequestIsAmbiguous() async throws {
        let rig = try await EchoRig { request in
            request.stream.connection?.close()
        }
        rig.connect(sending: 1)
        let events = await rig.events { if case .closed = $0 { true } else { false } }
        #expect(events.contains(.failed(tag: 0, .ambiguous)))
        await rig.stop()
    }

    @Test func aClosedPortIsToldInTime() async throws {
        let rig = try await EchoRig(script: Self.echo)
        await rig.server.stop()
        rig.connect(sending: 1)
        let events = await rig.events { if case .closed = $0 { true } else { false } }
        #expect(events == [.closed(.connectFailed)])
        await rig.stop()
    }

    @Test func anIdentityNeverPrintsItsKey() throws {
        let identity = try TLSIdentity.selfSigned(commonName: "x", addresses: ["127.0.0.1", "localhost"])
        #expect("\(identity)" == "TLSIdentity")
        #expect(String(decoding: identity.certificatePEM, as: UTF8.self).contains("BEGIN CERTIFICATE"))
    }
}
