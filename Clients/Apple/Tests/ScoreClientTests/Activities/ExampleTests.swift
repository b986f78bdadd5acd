// The example app needs Apple's SDK, so that only its syntax is checked here.

import Foundation
import Testing

@Suite struct ExampleTests {
    @Test(.enabled(if: CompilerFolder.isInRepository)) func theExampleIsValidSwift() throws {
        let example = CompilerFolder.repository.appending(path: "Examples/ScoreBoard")
        let walker = try #require(FileManager.default.enumerator(at: example, includingPropertiesForKeys: nil))
        let files = walker.compactMap { ($0 as? URL)?.path }.filter { $0.hasSuffix(".swift") }
        #expect(files.count == 3)
        let folder = try CompilerFolder()
        defer { folder.remove() }
        try folder.parse(files)
        try folder.write("struct Broken {", to: "Broken.swift")
        #expect(throws: CompilerFolder.Failure.self) { try folder.parse([folder.path("Broken.swift")]) }
    }
}
