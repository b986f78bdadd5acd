// The committed schemas are those that the code writes, and an independent validator takes what the engine renders.

import Foundation
import LiveSurface
import ScoreTypes
import Testing

@testable import MatchEngine

@Suite struct SchemaTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/schema")

    @Test(arguments: ContractSchema.allCases) func theCommittedFilesAreGenerated(contract: ContractSchema) throws {
        let files = [
            ("\(contract.rawValue).schema.json", contract.jsonSchema()),
            ("\(contract.rawValue).d.ts", Array(contract.typeScript().utf8)),
        ]
        for (name, bytes) in files {
            let file = Self.folder.appending(path: name)
            if ProcessInfo.processInfo.environment["WRITE_EXAMPLES"] != nil { try Data(bytes).write(to: file) }
            #expect(try Data(contentsOf: file) == Data(bytes), "run the tests with WRITE_EXAMPLES=1 to write \(name)")
        }
    }

    @Test(arguments: ContractSchema.allCases) func everyReferenceIsDefined(contract: ContractSchema) throws {
        let schema = try JSONSerialization.jsonObject(with: Data(contract.jsonSchema())) as? [String: Any]
        let names = Set(try #require(schema?["$defs"] as? [String: Any]).keys)
        #expect(names.count == contract.objects.count)
        let text = String(decoding: contract.jsonSchema(), as: UTF8.self)
        for match in text.matches(of: #/#\/\$defs\/(\w+)/#) { #expect(names.contains(String(match.1))) }
    }

    /// Debian's python3-jsonschema knows the draft from version 4 on.
    private static let hasValidator: Bool = {
        (try? python(["-c", "from jsonschema import Draft202012Validator"], input: Data())) == ""
    }()
    private static let absence: Comment = "python3-jsonschema is not installed: the schemas are not checked by another"

    private static func python(_ arguments: [String], input: Data) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let (stdin, stdout) = (Pipe(), Pipe())
        (process.standardInput, process.standardOutput) = (stdin, stdout)
        process.standardError = stdout
        try process.run()
        try stdin.fileHandleForWriting.write(contentsOf: input)
        try stdin.fileHandleForWriting.close()
        let output = try stdout.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: output, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    }

    private static func verdicts(_ contract: ContractSchema, closed: Bool, _ documents: [[UInt8]]) throws -> [String] {
        let schema = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString).json")
        try Data(contract.jsonSchema(refusesUnknownKeys: closed)).write(to: schema)
        defer { try? FileManager.default.removeItem(at: schema) }
        let script = Self.folder.appending(path: "validate.py").path
        let output = try python([script, schema.path], input: Data(documents.joined(separator: Array("\n".utf8))))
        return output.split(separator: "\n").map(String.init)
    }

    private static func contentStates() -> [[UInt8]] {
        Situation.all.flatMap { situation in
            ContentStateVersion.allCases.flatMap { version in
                [nil, situation.event].map { event in
                    let replica = situation.replica
                    let content = ContentStateRenderer.render(
                        replica.state,
                        info: replica.record.info ?? situation.script.info,
                        revision: 412,
                        event: event,
                        isStale: situation.isStale,
                        version: version
                    )
                    return ContentStateRenderer.bytes(of: content)
                }
            }
        }
    }

    private static func snapshots() throws -> [[UInt8]] {
        try Situation.all.flatMap { situation in
            try SurfaceSnapshot.Kind.allCases.map { kind in
                let replica = situation.replica
                let context = SurfaceContext(
                    match: MatchID(unchecked: "1"),
                    revision: 1,
                    updatedAt: SurfaceTests.now,
                    scheme: "score",
                    event: situation.event
                )
                let info = replica.record.info ?? situation.script.info
                return SurfaceRenderer.bytes(
                    of: try SurfaceRenderer.snapshot(kind, of: replica.state, info: info, in: context)
                )
            }
        }
    }

    @Test(.enabled(if: hasValidator, absence)) func aValidatorTakesEveryContentState() throws {
        let documents = Self.contentStates()
        // Unknown keys are refused here, so that a key without a description is found.
        let verdicts = try Self.verdicts(.contentState, closed: true, documents)
        #expect(verdicts.count == documents.count && documents.count >= 70)
        for verdict in verdicts { #expect(verdict == "valid") }
    }

    @Test(.enabled(if: hasValidator, absence)) func aValidatorTakesEverySnapshot() throws {
        let documents = try Self.snapshots()
        let verdicts = try Self.verdicts(.snapshot, closed: true, documents)
        #expect(verdicts.count == documents.count && documents.count >= 100)
        for verdict in verdicts { #expect(verdict == "valid") }
    }

    @Test(.enabled(if: hasValidator, absence)) func aValidatorRefusesWhatIsWrong() throws {
        let state = ChaseExample.json
        let wrong = [
            state.replacing(#""rev":412"#, with: #""rev":-1"#), state.replacing(#""v":1"#, with: #""v":3"#),
            state.replacing(#""teamAbbr":"MI""#, with: #""teamAbbr":"Mumbai""#),
            state.replacing(#""text":"83 off 45""#, with: #""text":null"#),
        ]
        let verdicts = try Self.verdicts(.contentState, closed: false, wrong.map { Array($0.utf8) })
        #expect(verdicts.count == 4 && verdicts.allSatisfy { $0.hasPrefix("fault at $") }, "\(verdicts)")
        let grown = state.replacing(#""v":1"#, with: #""v":1,"weather":{"sky":"clear"}"#)
        #expect(try Self.verdicts(.contentState, closed: false, [Array(grown.utf8)]) == ["valid"])
    }
}
