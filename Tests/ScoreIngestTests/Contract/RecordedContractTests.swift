// What the engine draws of recorded matches is taken by an independent validator of the committed schemas.

import Foundation
import LiveSurface
import MatchEngine
import ScoreIngest
import ScoreTypes
import Testing

@Suite struct RecordedContractTests {
    private static let schemas = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/schema")
    /// Of 287 special matches one in this many is drawn, of their states one in so many; both are primes.
    private static let (matchStride, stateStride, snapshotStride) = (13, 7, 61)

    private static func run(_ arguments: [String], from input: URL?) throws -> String {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = ["python3"] + arguments
        let output = Pipe()
        if let input { process.standardInput = try FileHandle(forReadingFrom: input) }
        (process.standardOutput, process.standardError) = (output, output)
        try process.run()
        let text = try output.fileHandleForReading.readToEnd() ?? Data()
        process.waitUntilExit()
        return String(decoding: text, as: UTF8.self)
    }

    private static let canRun: Bool = {
        let isInstalled = (try? run(["-c", "from jsonschema import Draft202012Validator"], from: nil)) == ""
        return RecordedMatches.data != nil && isInstalled
    }()
    private static let absence: Comment = "without SCORE_DATA and python3-jsonschema nothing is checked"

    private static func verdicts(_ schema: String, _ documents: [[UInt8]]) throws -> [Substring] {
        let file = FileManager.default.temporaryDirectory.appending(path: "documents-\(UUID().uuidString).jsonl")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(documents.joined(separator: Array("\n".utf8))).write(to: file)
        let script = schemas.appending(path: "validate.py").path
        let output = try run([script, schemas.appending(path: schema).path], from: file)
        return output.split(separator: "\n")
    }

    @Test(.enabled(if: canRun, absence)) func aValidatorTakesWhatIsDrawnOfRecordedMatches() throws {
        var states: [[UInt8]] = []
        var snapshots: [[UInt8]] = []
        let matches = try RecordedMatches.read("special").sorted { $0.key < $1.key }
        for (index, match) in matches.enumerated() where index % Self.matchStride == 0 {
            let drawn = try Drawn(match.value, id: match.key)
            states += drawn.states
            snapshots += drawn.snapshots
        }
        #expect(states.count > 1_000 && snapshots.count > 100)
        #expect(states.allSatisfy { $0.count <= EngineLimits.contentStateBytes })
        for (schema, documents) in [("content-state.schema.json", states), ("snapshot.schema.json", snapshots)] {
            let verdicts = try Self.verdicts(schema, documents)
            #expect(verdicts.count == documents.count)
            #expect(verdicts.filter { $0 != "valid" } == [])
        }
    }

    /// A match followed from its first step to its result.
    private struct Drawn {
        var states: [[UInt8]] = []
        var snapshots: [[UInt8]] = []

        init(_ snapshot: MatchSnapshot, id: String) throws {
            var replica = MatchReplica()
            var told: Set<MomentKey> = []
            for (step, changes) in MatchTimeline(snapshot).steps.enumerated() {
                replica.apply(changes)
                let fresh = replica.state.moments.filter { told.insert($0.key).inserted }
                let event = Moment.mostImportant(of: fresh)
                // A state that tells something has more to go wrong than one that does not.
                guard event != nil || step.isMultiple(of: RecordedContractTests.stateStride) else { continue }
                draw(replica.state, snapshot.info, revision: Int64(step), event: event)
                guard step.isMultiple(of: RecordedContractTests.snapshotStride) else { continue }
                let context = SurfaceContext(
                    match: MatchID(unchecked: id),
                    revision: Int64(step),
                    updatedAt: Instant(milliseconds: 1_790_000_000_000),
                    scheme: "score",
                    event: event
                )
                for kind in SurfaceSnapshot.Kind.allCases {
                    let surface = try SurfaceRenderer.snapshot(
                        kind,
                        of: replica.state,
                        info: snapshot.info,
                        in: context
                    )
                    snapshots.append(SurfaceRenderer.bytes(of: surface))
                }
            }
        }

        private mutating func draw(_ state: MatchState, _ info: MatchInfo, revision: Int64, event: Moment?) {
            for version in ContentStateVersion.allCases {
                let content = ContentStateRenderer.render(
                    state,
                    info: info,
                    revision: revision,
                    event: event,
                    version: version
                )
                states.append(ContentStateRenderer.bytes(of: content))
            }
        }
    }
}
