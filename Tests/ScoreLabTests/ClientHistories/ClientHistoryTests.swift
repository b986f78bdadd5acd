// Random histories of the client library against a server process; `make client-histories` plays ten thousand.

import ScoreTypes
import Testing

@testable import ScoreLab

@Suite(.timeLimit(.minutes(5))) struct ClientHistoryTests {
    @Test("C21: random histories of an app end with the last choices of the person")
    func randomHistoriesEndWithTheLastChoicesOfThePerson() async throws {
        let seed = UInt64.random(in: 0...UInt64(Int64.max))
        print("client histories: first seed \(seed)")
        let teardown = Teardown()
        let result: Result<ClientHistoriesReport, any Error>
        do {
            let server = try await ClientHistoriesRun.startServer(keepsFolder: false, say: { _ in }, undoneBy: teardown)
            result = .success(try await ClientHistoriesRun(port: server.publicPort).run(48, from: seed))
        } catch {
            result = .failure(error)
        }
        await teardown.run()
        let report = try result.get()
        #expect(report.histories == 48)
        for failure in report.failures { Issue.record("\(ClientHistoriesReport.text(of: failure))") }
    }
}
