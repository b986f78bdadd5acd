// A simulated server completes its open answers when it stops.

import CurlTransfer
import Hummingbird
import ScoreIngest
import ScoreTypes
import Simulators
import Testing

@Suite(.timeLimit(.minutes(1))) struct GracefulEndTests {
    @Test func anAnswerInFlightIsCompleted() async throws {
        let (ports, listening) = AsyncStream.makeStream(of: Int.self)
        let (begun, begin) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let server = Application(
            responder: CallbackResponder { (_: Request, _: BasicRequestContext) in
                begin.yield()
                _ = await released.first { _ in true }
                return Response(status: Task.isCancelled ? .internalServerError : .ok)
            },
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { listening.yield($0.localAddress?.port ?? 0) }
        )
        let serving = Task { try await server.serve() }
        let port = try #require(await ports.first { _ in true })
        let driver = TransferDriver(name: "test-end")
        let asking = Task {
            try await driver.perform(
                Transfer(
                    method: "GET",
                    url: "http://127.0.0.1:\(port)/",
                    headers: [],
                    body: [],
                    deadline: .seconds(20),
                    security: .local()
                )
            )
        }
        _ = await begun.first { _ in true }
        serving.cancel()
        release.yield()
        #expect(try await asking.value.status == 200)
        try await serving.value
    }
}
