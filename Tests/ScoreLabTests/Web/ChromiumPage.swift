// The web client is tested in a real browser: a page runs a module of Clients/Web/Tests and posts its result.

import Foundation
import TestSupport
import Testing

/// The body that a page posts.
private struct Report<Value: Decodable>: Decodable {
    let result: Value?
    let failure: String?
}

/// A page in headless Chromium, served from this machine.
struct ChromiumPage {
    /// The browser's executable; nil when it is not installed.
    static let executable = ["chromium", "chromium-browser", "google-chrome"].lazy
        .map { "/usr/bin/\($0)" }.first { FileManager.default.isExecutableFile(atPath: $0) }

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "Clients/Web")

    /// The server of the page.
    let server: ScriptedServer

    /// Serves the client and one module of its tests, which reads the API at an address.
    init(module: String, api: @escaping @Sendable () -> String) throws {
        let script = try String(contentsOf: Self.folder.appending(path: "score.js"), encoding: .utf8)
        let test = try String(contentsOf: Self.folder.appending(path: "Tests/\(module)"), encoding: .utf8)
        server = try ScriptedServer { request, write in
            let (type, text) =
                switch request.path {
                case "/": ("text/html", Self.document(api: api()))
                case "/score.js": ("text/javascript", script)
                case "/test.js": ("text/javascript", test)
                default: ("text/plain", "")
                }
            return write(ScriptedServer.reply(headers: ["Content-Type": type], body: Array(text.utf8)))
        }
    }

    private static func document(api: String) -> String {
        """
        <!doctype html><meta charset="utf-8"><title>Test</title>
        <script type="module">
        const report = (body) => fetch("/report", { method: "POST", body: JSON.stringify(body) });
        try {
            const { run } = await import("/test.js");
            await report({ result: await run("\(api)") });
        } catch (error) {
            await report({ failure: String(error) });
        }
        </script>
        """
    }

    /// Opens the page, runs the body beside it, and returns the result that the page posts.
    func open<Value: Decodable & Sendable>(
        as type: Value.Type,
        beside body: () async throws -> Void = {}
    ) async throws -> Value {
        let profile = FileManager.default.temporaryDirectory.appending(path: "chromium-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: profile) }
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.executable))
        process.arguments = [
            // The sandbox needs a user other than root; the page is our own.
            "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--remote-debugging-port=0",
            "--user-data-dir=\(profile.path)", "\(server.url)/",
        ]
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        defer {
            process.terminate()
            process.waitUntilExit()
        }
        try await body()
        await server.received { $0.path == "/report" }
        let bytes = try #require(server.requests.first { $0.path == "/report" }).body
        let report = try JSONDecoder().decode(Report<Value>.self, from: Data(bytes))
        return try #require(report.result, "\(report.failure ?? "no result")")
    }
}
