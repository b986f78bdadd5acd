// The example app needs Apple's SDK, so that it is type-checked against declarations of it.

import Foundation
import Testing

@Suite struct ExampleTests {
    /// The targets of the app; each of them also has the files of `Shared`.
    private static let targets = ["App", "Widgets", "Service", "Content"]
    private static let declarations = [
        "ActivityKit", "AppIntents", "Network", "Security", "SwiftUI", "UIKit", "UserNotifications",
        "UserNotificationsUI", "WidgetKit",
    ]

    private static func files(of target: String) throws -> [String] {
        let folder = CompilerFolder.repository.appending(path: "Examples/ScoreBoard/\(target)")
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        return names.filter { $0.hasSuffix(".swift") }.sorted().map { folder.appending(path: $0).path }
    }

    @Test(.enabled(if: CompilerFolder.isInRepository, CompilerFolder.absence))
    func theExampleFitsTheDeclarations() async throws {
        let folder = try CompilerFolder()
        defer { folder.remove() }
        for module in Self.declarations { try folder.declare(module) }
        for library in ["LiveSurface", "ScoreClient", "ScoreActivityKit"] {
            _ = try await folder.module(ofTarget: library)
        }
        let shared = try Self.files(of: "Shared")
        for target in Self.targets { try await folder.check(shared + Self.files(of: target)) }
        // A member of the package that the example misspells has to be an error.
        let screen = try #require(try Self.files(of: "App").first { $0.hasSuffix("MatchScreen.swift") })
        let text = try String(contentsOfFile: screen, encoding: .utf8)
        try folder.write(text.replacing("lockScreen.line", with: "lockScreen.text"), to: "MatchScreen.swift")
        let others = try Self.files(of: "App").filter { $0 != screen }
        let error = await #expect(throws: CompilerFolder.Failure.self) {
            try await folder.check(shared + others + [folder.path("MatchScreen.swift")])
        }
        #expect(error?.description.contains("has no member 'text'") == true)
    }

    /// An app developer finds each call of the client in the example.
    @Test(.enabled(if: CompilerFolder.isInRepository, CompilerFolder.absence))
    func theExampleUsesAllOfTheClient() throws {
        let client = try String(
            contentsOf: CompilerFolder.package.appending(path: "Sources/ScoreClient/LiveScoreClient.swift"),
            encoding: .utf8
        )
        let members = Set(client.matches(of: #/public (?:nonisolated )?(?:func|var|let) (\w+)/#).map { String($0.1) })
        #expect(members.isSuperset(of: ["run", "follow", "live", "notices", "startActivity"]))
        let example = try (Self.targets + ["Shared"]).flatMap(Self.files)
            .map { try String(contentsOfFile: $0, encoding: .utf8) }.joined()
        for member in members.sorted() {
            let isUsed = try example.contains(Regex("client\\.\(member)(?!\\w)"))
            #expect(isUsed, "the example does not use \(member)")
        }
    }
}
