// ActivityKit and the Keychain are missing on Linux, so the code for them is type-checked against declarations.
//
// Availability is not checked: Linux has no version of iOS.

import Foundation
import Testing

@Suite struct ActivityKitTests {
    /// The code of an app; it compiles only if both types conform.
    private static let app = """
        import ActivityKit
        import LiveSurface

        func line(of activity: Activity<LiveActivityAttributes>) -> String { activity.content.state.lockScreen.line }
        func headline(of activity: Activity<MobileSurfacesActivityAttributes>) -> String {
            activity.content.state.headline
        }
        """

    /// The code of an app that uses the host.
    private static let start = """
        import Foundation
        import ScoreActivityKit
        import ScoreClient

        func client(_ folder: URL, _ server: URL) -> LiveScoreClient {
            LiveScoreClient(
                transport: URLSessionTransport(base: server),
                credentials: KeychainStore(service: "score"),
                records: .file(folder.appendingPathComponent("score.json")),
                host: ActivityKitHost()
            )
        }
        let device = DeviceDescription.ofThisDevice(environment: .sandbox, alertsEnabled: true)
        """

    @Test func theHostAndTheKeychainFitTheDeclarations() async throws {
        let folder = try CompilerFolder()
        defer { folder.remove() }
        try folder.declare("ActivityKit")
        try folder.declare("Security")
        #expect(try await folder.module(ofTarget: "LiveSurface") == 2)
        #expect(try await folder.module(ofTarget: "ScoreClient") == 0)
        #expect(try await folder.module(ofTarget: "ScoreActivityKit") == 7)
        try folder.write(Self.app, to: "App.swift")
        try folder.write(Self.start, to: "Start.swift")
        try await folder.check([folder.path("App.swift"), folder.path("Start.swift")])
        // Each of these declarations is used, so that its absence has to be an error.
        for name in ["pushToStartTokenUpdates", "activityUpdates", "contentUpdates", "frequentPushEnablementUpdates"] {
            try folder.declare("ActivityKit") { $0.replacing(" \(name):", with: " other\(name):") }
            let error = await #expect(throws: CompilerFolder.Failure.self) {
                try await folder.module(ofTarget: "ScoreActivityKit")
            }
            #expect(error?.description.contains("has no member '\(name)'") == true)
        }
    }

    @Test func nothingConformsWithoutActivityKit() async throws {
        let folder = try CompilerFolder()
        defer { folder.remove() }
        try await folder.module("LiveSurface", from: CompilerFolder.sources(of: "LiveSurface"))
        try folder.write("import LiveSurface\nlet link = \\LiveActivityAttributes.deepLink\n", to: "App.swift")
        try await folder.check([folder.path("App.swift")])
        try folder.write(Self.app, to: "App.swift")
        await #expect(throws: CompilerFolder.Failure.self) { try await folder.check([folder.path("App.swift")]) }
    }

    @Test func theTypesOfAnExtensionImportNothingElse() throws {
        for path in try CompilerFolder.sources(of: "LiveSurface") {
            for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
            where line.contains(#/^\s*(\w+\s+)?import\s/#) {
                #expect(line.hasSuffix("import ActivityKit"), "\(path): \(line)")
            }
        }
    }
}
