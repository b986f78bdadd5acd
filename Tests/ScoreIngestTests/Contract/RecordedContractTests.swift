// An independent validator of the committed schemas accepts the states that the engine renders of recorded matches.

import Foundation
import LiveSurface
import MatchEngine
import ScoreIngest
import ScoreTypes
import TestSupport
import Testing

@Suite struct RecordedContractTests {
    /// One of so many special matches, states and snapshots is rendered; all are primes.
    private static let (matchStride, stateStride, snapshotStride) = (13, 7, 61)

    @Test(.needsRecordedMatches, .needsSchemaValidator) func aValidatorAcceptsStatesOfRecordedMatches() throws {
        var states: [[UInt8]] = []
        var snapshots: [[UInt8]] = []
        let matches = try RecordedMatches.read(.special).sorted { $0.key < $1.key }
        for (index, match) in matches.enumerated() where index % Self.matchStride == 0 {
            let drawn = try Drawn(match.value, id: match.key)
            states += drawn.states
            snapshots += drawn.snapshots
        }
        #expect(states.count > 1_000 && snapshots.count > 100)
        #expect(states.allSatisfy { $0.count <= EngineLimits.contentStateBytes })
        for (schema, documents) in [("content-state.schema.json", states), ("snapshot.schema.json", snapshots)] {
            let verdicts = try SchemaValidator.verdicts(
                of: documents,
                by: SchemaValidator.folder.appending(path: schema)
            )
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
            var seen: Set<MomentKey> = []
            for (step, changes) in MatchTimeline(snapshot).steps.enumerated() {
                replica.apply(changes)
                let fresh = replica.state.moments.filter { seen.insert($0.key).inserted }
                let event = Moment.mostImportant(of: fresh)
                // A state with a moment has more content than one without.
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
                        SurfaceForm(kind),
                        of: replica.state,
                        info: snapshot.info,
                        in: context
                    )
                    snapshots.append(SurfaceRenderer.bytes(of: surface))
                }
            }
        }

        private mutating func draw(_ state: MatchState, _ info: MatchInfo, revision: Int64, event: Moment?) {
            let content = ContentStateRenderer.render(state, info: info, revision: revision, event: event)
            for version in ContentStateVersion.allCases {
                let laidOut = ContentStateRenderer.laidOut(content, of: state, as: version)
                states.append(ContentStateRenderer.bytes(of: laidOut))
            }
        }
    }
}
