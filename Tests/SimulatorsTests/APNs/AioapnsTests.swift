// A sender of another project, used as its README says, checks that the simulator accepts what Apple accepts.

import Foundation
import ScoreTypes
import Simulators
import TestSupport
import Testing

@Suite(.timeLimit(.minutes(3)))
struct AioapnsTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The Python that `deploy/install-senders.sh` installed aioapns in; nil when it was not run.
    private static let python: String? = {
        let path = root.appending(path: ".build-senders/aioapns/bin/python").path
        return FileManager.default.isExecutableFile(atPath: path) ? path : nil
    }()

    @Test(.enabled(if: python != nil, "aioapns is not installed"))
    func everyPushOfAioapnsIsAccepted() async throws {
        let python = try #require(Self.python)
        let folder = FileManager.default.temporaryDirectory.appending(path: "aioapns-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let account = try await APNsTestAccount.open(in: folder)
        let settings = account.serverSettings
        let inbox = Inbox()
        var chance = SplitMix64(seed: 3000)
        let tokens = try (0..<3000).map { _ in
            try #require(PushToken(bytes: (0..<32).map { _ in UInt8.random(in: 0...255, using: &chance) }))
        }
        for token in tokens { account.simulator.register(token: token, kind: .alert) { inbox.take($0) } }
        let list = folder.appending(path: "tokens")
        try tokens.map(\.hexForPath).joined(separator: "\n").write(to: list, atomically: true, encoding: .utf8)

        let sender = try ChildProcess(
            python,
            [
                Self.root.appending(path: "Benchmarks/Senders/send_aioapns.py").path,
                "--host", APNsTestAccount.host, "--port", "\(account.simulator.pushPort)",
                "--key", settings["APNS_KEY_FILE"] ?? "", "--key-id", settings["APNS_KEY_ID"] ?? "",
                "--team-id", settings["APNS_TEAM_ID"] ?? "", "--topic", APNsTestAccount.bundleID,
                "--tokens", list.path,
            ],
            environment: ["SSL_CERT_FILE": settings["APNS_CA_FILE"] ?? "", "PYTHONDONTWRITEBYTECODE": "1"]
        )
        try await sender.ended()
        #expect(sender.status == 0, "\(sender.output)")
        #expect(sender.output.contains("3000 of 3000 reported as sent"), "\(sender.output)")
        #expect(account.simulator.statistics.refused.isEmpty)
        #expect(inbox.all.count == 3000)
        await account.simulator.stop()
    }
}
