// The transport of simulated phones against a server that answers as each test sets.

import CurlTransfer
import Foundation
import ScoreClient
import ScoreTypes
import Synchronization
import TestSupport
import Testing

@testable import Simulators

@Suite(.timeLimit(.minutes(1))) struct PhoneTransportTests {
    private let driver = TransferDriver(name: "phones")

    private func transport(
        to server: ScriptedServer,
        _ faults: PhoneNetworkFaults = PhoneNetworkFaults()
    ) -> PhoneTransport {
        let phones = PhoneServer(host: "127.0.0.1", port: server.port, driver: driver)
        return PhoneTransport(server: phones, network: PhoneNetwork(seed: 1, faults: faults))
    }

    @Test func requestsAndAnswersKeepAllTheirParts() async throws {
        let server = try ScriptedServer(status: 404, headers: ["Retry-After": "7"], text: #"{"a":1}"#)
        defer { server.stop() }
        let transport = self.transport(to: server)
        let request = ClientRequest(
            .put,
            "/v1/devices/me/follows/a%2Fb",
            query: [URLQueryItem(name: "reason", value: "a b")],
            headers: ["authorization": "Bearer x", "content-type": "application/json"],
            body: Data("{}".utf8)
        )
        let response = try await transport.send(request)
        #expect(response.status == 404 && response.headers["retry-after"] == "7")
        #expect(response.body == Data(#"{"a":1}"#.utf8))
        let received = try #require(server.requests.first)
        #expect(received.method == "PUT" && received.path == "/v1/devices/me/follows/a%2Fb?reason=a%20b")
        #expect(received.headers["authorization"] == "Bearer x" && received.body == Array("{}".utf8))
    }

    @Test func aLostAnswerFollowsAnActionOfTheServer() async throws {
        let server = try ScriptedServer(text: "{}")
        defer { server.stop() }
        var faults = PhoneNetworkFaults()
        faults.lostAnswers = 1
        let transport = self.transport(to: server, faults)
        await #expect(throws: TransportError.interrupted) { try await transport.send(ClientRequest(.get, "/")) }
        #expect(server.requests.count == 1)
    }

    @Test func anOfflinePhoneSendsNothing() async throws {
        let server = try ScriptedServer(text: "{}")
        defer { server.stop() }
        let isOnline = Mutex(false)
        let network = PhoneNetwork(seed: 1, isReachable: { isOnline.withLock { $0 } })
        let phones = PhoneServer(host: "127.0.0.1", port: server.port, driver: driver)
        let transport = PhoneTransport(server: phones, network: network)
        await #expect(throws: TransportError.offline) { try await transport.send(ClientRequest(.get, "/")) }
        await #expect(throws: TransportError.offline) { try await transport.open(ClientRequest(.get, "/")) }
        #expect(server.requests.isEmpty)
        isOnline.withLock { $0 = true }
        #expect(try await transport.send(ClientRequest(.get, "/")).status == 200)
    }

    @Test func equalSeedsDrawEqualFates() {
        var faults = PhoneNetworkFaults()
        faults.lostRequests = 0.5
        faults.lostAnswers = 0.5
        faults.longestDelay = .seconds(1)
        let (first, second) = (PhoneNetwork(seed: 7, faults: faults), PhoneNetwork(seed: 7, faults: faults))
        let other = PhoneNetwork(seed: 8, faults: faults)
        let fates = (0..<50).map { _ in first.next() }
        #expect(fates == (0..<50).map { _ in second.next() })
        #expect(fates != (0..<50).map { _ in other.next() })
        #expect(fates.contains(where: \.isRequestLost) && !fates.allSatisfy(\.isRequestLost))
        #expect(fates.allSatisfy { $0.delay >= .zero && $0.delay < .seconds(1) })
    }

    @Test func aStreamDeliversItsParts() async throws {
        let proceed = ThreadEvent()
        let server = try ScriptedServer { _, write in
            _ = write(Array("HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nfirst".utf8))
            _ = proceed.await()
            _ = write(Array("second".utf8))
            return false
        }
        defer { server.stop() }
        let transport = self.transport(to: server)
        let response = try await transport.open(ClientRequest(.get, "/v1/matches/m/stream"))
        #expect(response.status == 200)
        #expect(try await response.body.next() == Array("first".utf8))
        proceed.signal()
        #expect(try await response.body.next() == Array("second".utf8))
        #expect(try await response.body.next() == nil)
    }

    @Test(arguments: [204, 429]) func aStreamWithoutBytesHasItsStatus(status: Int) async throws {
        let server = try ScriptedServer { _, write in
            let headers = status == 429 ? ["Retry-After": "9"] : [:]
            return write(ScriptedServer.reply(status: status, headers: headers))
        }
        defer { server.stop() }
        let transport = self.transport(to: server)
        let response = try await transport.open(ClientRequest(.get, "/v1/matches/m/stream"))
        #expect(response.status == status)
        #expect(response.headers["retry-after"] == (status == 429 ? "9" : nil))
    }
}
