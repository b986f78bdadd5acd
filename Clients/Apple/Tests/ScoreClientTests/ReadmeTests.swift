// The example of the README is compiled here, and its text is that of this file.

import Foundation
import Testing

@testable import ScoreActivityKit
@testable import ScoreClient

// example begins
struct ScoreModel {
    let client: LiveScoreClient

    init(server: URL, folder: URL) {
        client = LiveScoreClient(
            transport: URLSessionTransport(base: server),
            credentials: CredentialFile(folder.appendingPathComponent("credential")),
            records: .file(folder.appendingPathComponent("score.json")),
            host: ActivityKitHost()
        )
    }

    /// Call it at each start of the app; it returns when its task is cancelled.
    func run(environment: DeviceDescription.Environment, alertsEnabled: Bool) async {
        await client.describe(.ofThisDevice(environment: environment, alertsEnabled: alertsEnabled))
        await client.run()
    }

    /// The newest state of a match while its screen is visible.
    func watch(_ match: String, show: (LiveMatchState) -> Void) async throws {
        await client.follow(match, FollowChoices(moments: [.wicket, .result]))
        for try await state in try await client.live([match]).states { show(state) }
    }
}
// example ends

@Suite(.timeLimit(.minutes(1))) struct ReadmeTests {
    @Test func theExampleIsThatOfTheReadme() throws {
        let file = URL(fileURLWithPath: #filePath)
        let source = try String(contentsOf: file, encoding: .utf8)
        let parts = source.components(separatedBy: "// example begins\n")[1]
        let example = parts.components(separatedBy: "// example ends")[0]
        let folder = file.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let readme = try String(contentsOf: folder.appendingPathComponent("README.md"), encoding: .utf8)
        let imports = "import Foundation\nimport ScoreActivityKit\nimport ScoreClient\n"
        #expect(readme.contains("```swift\n\(imports)\n\(example)```"))
    }

    @Test func theExampleRegistersAgainstAServer() async throws {
        let requests = WaitingQueue<String>()
        let server = try LocalServer { connection in
            requests.put(connection.head.components(separatedBy: " HTTP/1.1")[0])
            let body = connection.head.hasPrefix("POST /v1/devices ") ? #"{"credential":"ssd1.a"}"# : "{}"
            connection.answer("200 OK", [], body)
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("score-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let url = try #require(server.url)
        let model = ScoreModel(server: url, folder: folder)
        let running = Task { await model.run(environment: .sandbox, alertsEnabled: true) }
        var seen: Set<String> = []
        while !seen.isSuperset(of: ["POST /v1/devices", "POST /v1/devices/me/reconcile"]) {
            seen.insert(try await requests.next())
        }
        running.cancel()
        await running.value
        let stored = try CredentialFile(folder.appendingPathComponent("credential")).read()
        #expect(stored == "ssd1.a")
        try FileManager.default.removeItem(at: folder)
    }
}
