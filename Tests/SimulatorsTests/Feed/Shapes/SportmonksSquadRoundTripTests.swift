// The simulated provider serves the squads before the line-up, at the address that the adapter requests.

import MatchEngine
import ScoreIngest
import ScoreTypes
import Testing

@testable import Providers
@testable import Simulators

@Suite struct SportmonksSquadRoundTripTests {
    @Test func aMatchAheadHasItsSquads() throws {
        let document = try CricsheetDocument(json: DemoMatch.document)
        func shown(_ status: MatchStatus) -> ShownMatch {
            ShownMatch(
                document: document.cut(to: 0),
                id: ProviderMatchID(unchecked: "42"),
                status: status,
                startsAt: 1_700_000_000
            )
        }
        func players(_ snapshot: MatchSnapshot) -> [Int] { snapshot.info.teams.map(\.players.count) }
        let (ahead, begun) = (shown(.scheduled), shown(.toss))
        let credentials = ProviderCredentials(key: Secret("secret"))
        let feed = try Conversation(SportmonksAdapter(), SportmonksShape(token: "secret"), credentials, of: ahead)
        var held = ProviderReplies()
        let first = try feed.poll(ahead, &held)
        #expect(held.parts.count { $0.rawValue.hasPrefix("squad.") } == 2)
        #expect(players(first) == [11, 11])
        var match = ProviderReplies([.match: try #require(held[.match])])
        #expect(try players(SportmonksAdapter().snapshot(match, feed.session)) == [0, 0])
        match = ProviderReplies()
        #expect(try players(feed.poll(begun, &match)) == [11, 11])
        #expect(match.parts == [.match], "the line-up replaces the squads")
    }
}
