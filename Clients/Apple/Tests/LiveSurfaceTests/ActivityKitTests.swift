// ActivityKit is missing on Linux, so the conformance to it is type-checked against declarations written here.

import Foundation
import Testing

@Suite struct ActivityKitTests {
    /// The part of ActivityKit that the library relies on, as Apple declares it.
    private static let declarations = """
        public protocol ActivityAttributes: Decodable, Encodable {
            associatedtype ContentState: Decodable, Encodable, Hashable
        }
        public struct Activity<Attributes: ActivityAttributes> {
            public let attributes: Attributes
            public let content: Attributes.ContentState
        }
        """

    /// The code of an app; it compiles only if both types conform.
    private static let app = """
        import ActivityKit
        import LiveSurface

        func line(of activity: Activity<LiveActivityAttributes>) -> String { activity.content.lockScreen.line }
        func headline(of activity: Activity<MobileSurfacesActivityAttributes>) -> String { activity.content.headline }
        """

    /// The folder of the client package.
    private static let package = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()
    private static let repository = package.deletingLastPathComponent().deletingLastPathComponent()

    static func sources() throws -> [String] {
        let folder = package.appending(path: "Sources/LiveSurface")
        let walker = try #require(FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
        return walker.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }.sorted()
    }

    @Test func theAttributesConformWhereActivityKitIs() throws {
        let folder = try CompilerFolder()
        defer { folder.remove() }
        try folder.write(Self.declarations, to: "ActivityKit.swift")
        try folder.module("ActivityKit", from: [folder.path("ActivityKit.swift")])
        // The conformance is compiled for iOS only, so the copy is compiled for every system.
        var sources: [String] = []
        var conformances = 0
        for (index, path) in try Self.sources().enumerated() {
            let text = try String(contentsOfFile: path, encoding: .utf8)
            let open = text.replacing("#if canImport(ActivityKit) && os(iOS)", with: "#if canImport(ActivityKit)")
            if open != text { conformances += 1 }
            try folder.write(open, to: "Source\(index).swift")
            sources.append(folder.path("Source\(index).swift"))
        }
        #expect(conformances == 2)
        try folder.module("LiveSurface", from: sources)
        try folder.write(Self.app, to: "App.swift")
        try folder.check([folder.path("App.swift")])
    }

    @Test func nothingConformsWithoutActivityKit() throws {
        let folder = try CompilerFolder()
        defer { folder.remove() }
        try folder.module("LiveSurface", from: Self.sources())
        try folder.write("import LiveSurface\nlet link = \\LiveActivityAttributes.deepLink\n", to: "App.swift")
        try folder.check([folder.path("App.swift")])
        try folder.write(Self.app, to: "App.swift")
        #expect(throws: CompilerFolder.Failure.self) { try folder.check([folder.path("App.swift")]) }
    }

    @Test func theLibraryImportsNothingElse() throws {
        for path in try Self.sources() {
            for line in try String(contentsOfFile: path, encoding: .utf8).components(separatedBy: "\n")
            where line.contains(#/^\s*(\w+\s+)?import\s/#) {
                #expect(line.hasSuffix("import ActivityKit"), "\(path): \(line)")
            }
        }
    }

    /// The page for app developers cannot be compiled here as a whole; what touches only this library can.
    @Test func theExampleCodeFitsTheTypes() throws {
        let page = try String(contentsOf: Self.repository.appending(path: "docs/ios.md"), encoding: .utf8)
        let blocks = page.matches(of: #/(?s)<!-- checked -->\n```swift\n(.*?)```/#).map { String($0.1) }
        #expect(blocks.count >= 3)
        let folder = try CompilerFolder()
        defer { folder.remove() }
        try folder.module("LiveSurface", from: Self.sources())
        var files: [String] = []
        for (index, block) in blocks.enumerated() {
            try folder.write(block, to: "Block\(index).swift")
            files.append(folder.path("Block\(index).swift"))
        }
        try folder.check(files)
    }
}

/// A folder in which the compiler is run as a process.
private struct CompilerFolder {
    struct Failure: Error, CustomStringConvertible { let description: String }

    private let folder = FileManager.default.temporaryDirectory.appending(path: "surface-\(UUID().uuidString)")

    init() throws { try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true) }

    func path(_ name: String) -> String { folder.appending(path: name).path }
    func write(_ text: String, to name: String) throws {
        try text.write(toFile: path(name), atomically: true, encoding: .utf8)
    }
    func remove() { try? FileManager.default.removeItem(at: folder) }

    func module(_ name: String, from sources: [String]) throws {
        let output = ["-emit-module", "-module-name", name, "-emit-module-path", path("\(name).swiftmodule")]
        try run(output + sources)
    }

    func check(_ sources: [String]) throws { try run(["-typecheck"] + sources) }

    private func run(_ arguments: [String]) throws {
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        let common = [
            "swiftc", "-swift-version", "6", "-parse-as-library", "-I", folder.path, "-module-cache-path",
            path("cache"), "-enable-upcoming-feature", "InternalImportsByDefault", "-enable-upcoming-feature",
            "ExistentialAny",
        ]
        compiler.arguments = common + arguments
        let output = Pipe()
        (compiler.standardOutput, compiler.standardError) = (output, output)
        compiler.currentDirectoryURL = folder
        try compiler.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        compiler.waitUntilExit()
        guard compiler.terminationStatus == 0 else { throw Failure(description: String(decoding: text, as: UTF8.self)) }
    }
}
