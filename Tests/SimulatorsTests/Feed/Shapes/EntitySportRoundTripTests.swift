// EntitySport has no ball ids and few words; what it tells of a match has to make the same scorecard all the same.

import MatchEngine
import ScoreIngest
import ScoreTypes
import Simulators
import Testing

@Suite(.timeLimit(.minutes(20))) struct EntitySportRoundTripTests {
    private static let credentials = ProviderCredentials(key: Secret("access"), secret: Secret("secret"))

    private func shown(_ id: String, _ document: CricsheetDocument) throws -> (ShownMatch, MatchSnapshot) {
        let direct = try CricsheetAdapter().snapshot(of: document)
        let match = ShownMatch(
            document: document,
            id: ProviderMatchID(unchecked: id),
            status: direct.status.status,
            startsAt: 1_700_000_000
        )
        return (match, direct)
    }

    @Test(.enabled(if: SpecialMatches.data != nil, SpecialMatches.missing))
    func everyMatchComesBack() throws {
        let shape = EntitySportShape(token: "1|token")
        for (id, document) in try SpecialMatches.read() {
            let (match, direct) = try shown(id, document)
            var replies = ProviderReplies()
            do {
                let feed = try Conversation(EntitySportAdapter(), shape, Self.credentials, of: match)
                let snapshot = try feed.poll(match, &replies)
                let lines = ScoreSheet(snapshot).differences(from: ScoreSheet(direct))
                if !lines.isEmpty { Issue.record("\(id): \(lines.prefix(8).joined(separator: "\n"))") }
            } catch {
                Issue.record("\(id): \(error)")
            }
        }
    }
}
