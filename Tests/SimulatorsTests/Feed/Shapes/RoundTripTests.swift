// Any Cricsheet match, written in a provider's format and read by its adapter, is the same match.

import MatchEngine
import ScoreIngest
import ScoreTypes
import TestSupport
import Testing

@testable import Providers
@testable import ScoreLab
@testable import Simulators

@Suite(.timeLimit(.minutes(20))) struct RoundTripTests {
    private static let start: Int64 = 1_700_000_000

    /// The whole of a document as a feed shows it at the end.
    private static func shown(_ id: String, _ document: CricsheetDocument) throws -> (ShownMatch, MatchSnapshot) {
        let direct = try CricsheetAdapter().snapshot(of: document)
        let match = ShownMatch(
            document: document,
            id: ProviderMatchID(unchecked: id),
            status: direct.status.status,
            startsAt: start
        )
        return (match, direct)
    }

    /// Lines that differ, by match.
    private func differences(
        _ adapter: any Adapter,
        _ shape: any FeedShape,
        _ credentials: ProviderCredentials
    ) throws -> [String: [String]] {
        var found: [String: [String]] = [:]
        for (id, document) in try SpecialMatches.read() {
            let (match, direct) = try Self.shown(id, document)
            do {
                var replies = ProviderReplies()
                let snapshot = try Conversation(adapter, shape, credentials, of: match).poll(match, &replies)
                let lines = ScoreSheet(snapshot).differences(from: ScoreSheet(direct))
                if !lines.isEmpty { found[id] = lines }
            } catch {
                found[id] = ["\(error)"]
            }
        }
        return found
    }

    /// Lines that a provider cannot express, by match: the number expected and the number read.
    private static let declaredLast = [
        // The last innings was declared and nothing followed it: no provider has a status for that.
        "1198242": 2, "1465810": 2,
    ]
    /// A run off the bat on a wide is sent as a wide.
    private static let batOnWide = ["423788": 6]

    @Test(.needsRecordedMatches, arguments: [false, true])
    func sportmonks(wrapsIncludes: Bool) throws {
        let shape = SportmonksShape(token: "secret", wrapsIncludes: wrapsIncludes)
        let found = try differences(SportmonksAdapter(), shape, ProviderCredentials(key: Secret("secret")))
        expect(found, Self.declaredLast.merging(Self.batOnWide) { one, _ in one })
    }

    @Test(.needsRecordedMatches) func roanuz() throws {
        let credentials = ProviderCredentials(project: "p1", key: Secret("secret"))
        let found = try differences(RoanuzAdapter(), RoanuzShape(project: "p1", key: "secret"), credentials)
        expect(found, Self.declaredLast)
    }

    private func expect(_ found: [String: [String]], _ known: [String: Int]) {
        for (id, lines) in found.sorted(by: { $0.key < $1.key }) where lines.count != known[id] {
            Issue.record("\(id): \(lines.prefix(20).joined(separator: "\n"))")
        }
    }
}
