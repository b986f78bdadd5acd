// Tests in other languages control the simulator by its control server alone.

import CurlTransfer
import Foundation
import HTTP2
import ScoreIngest
import ScoreTypes
import Testing

@testable import Simulators

@Suite(.timeLimit(.minutes(1)))
struct ControlServerTests {
    @Test func theControlServerAnswersQueriesAndAppliesScripts() async throws {
        let rig = try await AppleRig { $0.takesUnknownTokens = true }
        let client = try await ControlClient(rig.simulator)
        let token = try AppleRig.token(7)
        let right = rig.push(to: token, jwt: rig.jwt())
        #expect(await rig.post.send(right).status == 200)

        let statistics = try await client.json("GET", "/statistics")
        #expect(statistics["accepted"] as? Int == 1)
        #expect(statistics["phones"] as? Int == 1)
        let journal = try await client.json("GET", "/journal?last=5")
        let line = try #require((journal["lines"] as? [[String: Any]])?.first)
        #expect(line["status"] as? Int == 200)
        #expect(line["rev"] as? Int == 1)
        #expect(!"\(line)".contains(token.hexForPath))
        let phone = try await client.json("GET", "/phones/" + token.hexForPath)
        #expect(phone["pushes"] as? Int == 1)
        #expect(try await client.call("GET", "/phones/0102").status == 404)

        let script = #"{"rules":[{"do":"answer","status":503,"reason":"Shutdown"}]}"#
        #expect(try await client.call("PUT", "/script", Array(script.utf8)).status == 204)
        #expect(await rig.post.send(right).reason == "Shutdown")
        #expect(try await client.call("PUT", "/script", Array("{}".utf8)).status == 400)
        #expect(try await client.call("DELETE", "/script").status == 204)
        #expect(try await client.call("DELETE", "/tokens/" + token.hexForPath).status == 204)
        #expect(await rig.post.send(right).status == 410)
        client.close()
        await rig.stop()
    }

    /// The control server of a simulator, and its client.
    private struct ControlClient {
        private let port: Int
        private let work: Task<Void, any Error>
        private let driver = TransferDriver(name: "control")

        init(_ simulator: APNsSimulator) async throws {
            let (ports, bound) = AsyncStream.makeStream(of: Int.self, bufferingPolicy: .bufferingNewest(1))
            work = Task {
                try await APNsControlServer.serve(simulator, host: "127.0.0.1", port: 0) { bound.yield($0) }
            }
            var first: Int?
            for await port in ports {
                first = port
                break
            }
            port = try #require(first)
        }

        func call(_ method: String, _ path: String, _ body: [UInt8] = []) async throws -> (status: Int, body: [UInt8]) {
            let reply = try await driver.perform(
                Transfer(
                    method: method,
                    url: "http://127.0.0.1:\(port)\(path)",
                    headers: [("content-type", "application/json")],
                    body: body,
                    deadline: .seconds(20),
                    security: .local(["127.0.0.1"])
                )
            )
            return (reply.status, Array(reply.body))
        }

        func json(_ method: String, _ path: String) async throws -> [String: Any] {
            let reply = try await call(method, path)
            #expect(reply.status == 200)
            return try #require(try JSONSerialization.jsonObject(with: Data(reply.body)) as? [String: Any])
        }

        func close() {
            work.cancel()
            driver.stop()
        }
    }
}
