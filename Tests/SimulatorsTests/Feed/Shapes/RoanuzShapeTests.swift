// The provider pushes the same bodies that it answers, with as few fields as real replies.

import MatchEngine
import ScoreIngest
import ScoreTypes
import Testing

@testable import Providers
@testable import Simulators

@Suite struct RoanuzShapeTests {
    private func polled(
        _ document: CricsheetDocument,
        _ status: MatchStatus
    ) throws -> (replies: ProviderReplies, snapshot: MatchSnapshot) {
        let match = ShownMatch(
            document: document,
            id: ProviderMatchID(unchecked: "77"),
            status: status,
            startsAt: 1_700_000_000
        )
        let credentials = ProviderCredentials(project: "p", key: Secret("k"))
        let talk = try Conversation(RoanuzAdapter(), RoanuzShape(project: "p", key: "k"), credentials, of: match)
        var replies = ProviderReplies()
        let snapshot = try talk.poll(match, &replies)
        return (replies, snapshot)
    }

    @Test func aPolledMatchEqualsAPushedOne() throws {
        let document = try CricsheetDocument(json: DemoMatch.document)
        let (replies, snapshot) = try polled(document.cut(to: 134), .live)
        let body = try #require(replies[.match])
        guard case .replies(let id, let pushed) = try RoanuzPush.read(body) else {
            Issue.record("a match was read as a notice")
            return
        }
        #expect(id.text == "77")
        #expect(pushed[.match] == body)
        #expect(snapshot.deliveries.count == 134)
    }

    /// Pages count overs from 1, and their balls from 0.
    @Test func pagesCountFromOne() throws {
        let (replies, snapshot) = try polled(CricsheetDocument(json: DemoMatch.document).cut(to: 20), .live)
        let last = try #require(snapshot.deliveries.last?.over)
        let pages = replies.parts.map(\.rawValue).filter { $0.hasPrefix("balls.") }
        #expect(Set(pages.compactMap { $0.split(separator: "_").last.flatMap { Int($0) } }) == Set(1...last))
        let newest = String(decoding: try #require(replies["balls"]), as: UTF8.self)
        #expect(newest.contains("\"over_number\":\(last + 1)}") && newest.contains("\"overs\":[\(last),1]"))
    }

    /// A list contains whether a match has begun, and not its pauses.
    @Test func theListContainsTheLeast() throws {
        let match = ShownMatch(
            document: try CricsheetDocument(json: DemoMatch.document).cut(to: 20),
            id: ProviderMatchID(unchecked: "77"),
            status: .drinks,
            startsAt: 1_700_000_000
        )
        let credentials = ProviderCredentials(project: "p", key: Secret("k"))
        let talk = try Conversation(RoanuzAdapter(), RoanuzShape(project: "p", key: "k"), credentials, of: match)
        #expect(try talk.fixtures(match).map(\.status) == [.live])
    }

    /// Where the keys of the sides are not the codes of their countries, and where they are no well-known nations.
    @Test(arguments: [
        ["South Africa", "Sri Lanka"], ["England", "West Indies"], ["Eswatini", "Lesotho"], ["Africa XI", "Asia XI"],
    ])
    func nationsPlayInternationals(teams: [String]) throws {
        var document = try CricsheetDocument(json: DemoMatch.document)
        let names = Dictionary(uniqueKeysWithValues: zip(document.info.teams, teams))
        document.info.teams = teams
        document.info.teamType = "international"
        document.info.outcome = nil
        document.info.toss = nil
        document.info.players = document.info.players.map { all in
            Dictionary(uniqueKeysWithValues: all.map { (names[$0.key] ?? $0.key, $0.value) })
        }
        for index in document.innings.indices {
            document.innings[index].team = names[document.innings[index].team] ?? document.innings[index].team
        }
        #expect(try polled(document.cut(to: 3), .live).snapshot.info.format == .t20i)
    }
}
