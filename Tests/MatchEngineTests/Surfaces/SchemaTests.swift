// The committed schemas are the generated ones, and an independent validator accepts what the engine renders.

import Foundation
import LiveSurface
import ScoreTypes
import TestSupport
import Testing

@testable import MatchEngine

@Suite struct SchemaTests {
    @Test(arguments: ContractSchema.allCases) func theCommittedFilesAreGenerated(contract: ContractSchema) throws {
        let files = [
            ("\(contract.rawValue).schema.json", contract.jsonSchema()),
            ("\(contract.rawValue).d.ts", Array(contract.typeScript().utf8)),
        ]
        for (name, bytes) in files {
            let file = SchemaValidator.folder.appending(path: name)
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

    private static func verdicts(_ contract: ContractSchema, closed: Bool, _ documents: [[UInt8]]) throws
        -> [Substring]
    {
        let schema = FileManager.default.temporaryDirectory.appending(path: "schema-\(UUID().uuidString).json")
        try Data(contract.jsonSchema(refusesUnknownKeys: closed)).write(to: schema)
        defer { try? FileManager.default.removeItem(at: schema) }
        return try SchemaValidator.verdicts(of: documents, by: schema)
    }

    private static func contentStates() -> [[UInt8]] {
        Situation.all.flatMap { situation in
            ContentStateVersion.allCases.flatMap { version in
                [nil, situation.event].map { event in
                    ContentStateRenderer.bytes(of: situation.content(version, event: event))
                }
            }
        }
    }

    private static func snapshots() throws -> [[UInt8]] {
        try Situation.all.flatMap { situation in
            try SurfaceForm.every.map { form in
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
                    of: try SurfaceRenderer.snapshot(form, of: replica.state, info: info, in: context)
                )
            }
        }
    }

    @Test(.needsSchemaValidator) func aValidatorAcceptsEveryContentState() throws {
        let documents = Self.contentStates()
        // Unknown keys are refused here, so that a key without a description is found.
        let verdicts = try Self.verdicts(.contentState, closed: true, documents)
        #expect(verdicts.count == documents.count && documents.count >= 70)
        for verdict in verdicts { #expect(verdict == "valid") }
    }

    @Test(.needsSchemaValidator) func aValidatorAcceptsEverySnapshot() throws {
        let documents = try Self.snapshots()
        let verdicts = try Self.verdicts(.snapshot, closed: true, documents)
        #expect(verdicts.count == documents.count && documents.count >= 100)
        for verdict in verdicts { #expect(verdict == "valid") }
    }

    @Test(.needsSchemaValidator) func aValidatorRefusesWrongDocuments() throws {
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
