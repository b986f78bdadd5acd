// Code for Apple's SDK is type-checked against declarations of it, by the compiler as a process.

import Foundation
import Testing

/// A folder in which the compiler is run.
struct CompilerFolder {
    struct Failure: Error, CustomStringConvertible { let description: String }

    /// The folder of the client package.
    static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()
    static let repository = package.deletingLastPathComponent().deletingLastPathComponent()
    /// Whether the package is in its repository, with the example.
    static let isInRepository = FileManager.default.fileExists(
        atPath: repository.appending(path: "Examples/ScoreBoard").path
    )
    static let absence: Comment = "the package is not in its repository, which has the example"

    private let folder = FileManager.default.temporaryDirectory.appending(path: "compiler-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    func path(_ name: String) -> String { folder.appending(path: name).path }
    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }
    func remove() { try? FileManager.default.removeItem(at: folder) }

    /// The source files of a target.
    static func sources(of target: String) throws -> [String] {
        let folder = package.appending(path: "Sources/\(target)")
        let walker = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return walker.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }.sorted()
    }

    /// Makes the declarations of a module of Apple's SDK importable; a test may change them.
    func declare(_ module: String, changing change: (String) -> String = { $0 }) throws {
        let file = Self.package.appending(path: "Tests/Declarations/\(module).swiftinterface")
        try write(change(String(contentsOf: file, encoding: .utf8)), to: "\(module).swiftinterface")
    }

    /// Compiles a copy of a target in which code for iOS is compiled for every system.
    ///
    /// - Returns: The number of conditions that were opened.
    func module(ofTarget target: String) async throws -> Int {
        var files: [String] = []
        var conditions = 0
        for (index, source) in try Self.sources(of: target).enumerated() {
            let text = try String(contentsOfFile: source, encoding: .utf8)
            conditions += text.components(separatedBy: "#if canImport(ActivityKit) && os(iOS)").count - 1
            let open = text.replacing("#if canImport(ActivityKit) && os(iOS)", with: "#if canImport(ActivityKit)")
            // Files of one module need different names.
            let name = "\(target)\(index)-\(URL(filePath: source).lastPathComponent)"
            try write(open, to: name)
            files.append(path(name))
        }
        try await module(target, from: files)
        return conditions
    }

    func module(_ name: String, from sources: [String]) async throws {
        let output = ["-emit-module", "-module-name", name, "-emit-module-path", path("\(name).swiftmodule")]
        try await run(output + sources)
    }

    func check(_ sources: [String]) async throws { try await run(["-typecheck"] + sources) }

    /// Checks the syntax only.
    func parse(_ sources: [String]) async throws { try await run(["-parse"] + sources) }

    /// Runs the compiler; a thread of its own waits, since tests that run beside it need the threads of tasks.
    private func run(_ arguments: [String]) async throws {
        try await withCheckedThrowingContinuation { continuation in
            Thread { continuation.resume(with: Result { try compile(arguments) }) }.start()
        }
    }

    private func compile(_ arguments: [String]) throws {
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let features = ["InternalImportsByDefault", "ExistentialAny", "MemberImportVisibility"]
        let common = [
            "swiftc", "-swift-version", "6", "-parse-as-library", "-warnings-as-errors", "-I", folder.path,
            "-module-cache-path", path("cache"),
        ]
        compiler.arguments = common + features.flatMap { ["-enable-upcoming-feature", $0] } + arguments
        let output = Pipe()
        (compiler.standardOutput, compiler.standardError) = (output, output)
        compiler.currentDirectoryURL = folder
        try compiler.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
    }
}
