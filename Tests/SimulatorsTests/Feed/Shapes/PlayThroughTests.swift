// A match in play is read every few balls, with a wrong ball that is corrected, and one that is withdrawn.

import MatchEngine
import ScoreIngest
import ScoreTypes
import TestSupport
import Testing

@testable import Providers
@testable import ScoreLab
@testable import Simulators

@Suite(.timeLimit(.minutes(10)), .needsRecordedMatches)
struct PlayThroughTests {
    /// Three super overs, penalties before, between and after: few, since each match is folded a hundred times.
    private static let ids: Set<String> = ["1485939", "1138202", "1150538", "804517"]
    private static let ballsPerPoll = 11

    private static let feeds: [(adapter: any Adapter, shape: any FeedShape)] = [
        (SportmonksAdapter(), SportmonksShape(token: "k")), (RoanuzAdapter(), RoanuzShape(project: "p", key: "k")),
    ]
    private static let credentials = ProviderCredentials(project: "p", key: Secret("k"))

    private func shown(_ document: CricsheetDocument, version: Int) -> ShownMatch {
        let isSuperOver = document.innings.last?.superOver == true
        return ShownMatch(
            document: document,
            id: ProviderMatchID(unchecked: "77"),
            status: isSuperOver ? .superOver : .live,
            startsAt: 1_700_000_000,
            version: Int64(version)
        )
    }

    private func direct(_ match: ShownMatch) throws -> MatchSnapshot {
        var document = match.document
        document.live = CricsheetDocument.Live(state: match.status.rawValue)
        return try CricsheetAdapter().snapshot(of: document)
    }

    @Test(arguments: [0, 1]) func theScoreIsRightAfterEveryPoll(feed: Int) throws {
        let (adapter, shape) = Self.feeds[feed]
        let matches = try SpecialMatches.read(ids: Self.ids)
        #expect(matches.count == Self.ids.count)
        for (id, document) in matches {
            let count = ShownMatch.ballCount(of: document)
            let talk = try Conversation(adapter, shape, Self.credentials, of: shown(document.cut(to: 0), version: 0))
            var replies = ProviderReplies()
            for balls in stride(from: 1, to: count, by: Self.ballsPerPoll) {
                let match = shown(document.cut(to: balls), version: balls)
                let snapshot = try talk.poll(match, &replies)
                let lines = ScoreSheet(snapshot).differences(from: ScoreSheet(try direct(match)))
                #expect(lines.isEmpty, "\(id) after \(balls) balls: \(lines.prefix(6))")
            }
        }
    }

    @Test(arguments: [0, 1]) func correctionsAndWithdrawalsChangeOneBall(feed: Int) throws {
        let (adapter, shape) = Self.feeds[feed]
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document
        for balls in stride(from: 5, to: ShownMatch.ballCount(of: document), by: 37) {
            let right = shown(document.cut(to: balls), version: 3)
            var wrongDocument = right.document
            wrongDocument.misreportLast()
            let talk = try Conversation(adapter, shape, Self.credentials, of: right)
            var replies = ProviderReplies()
            var record = MatchRecord()
            let before = try talk.poll(shown(document.cut(to: balls - 1), version: 1), &replies)
            for change in Differ.changes(from: record, to: before) { record.apply(change) }
            for (version, document, kind) in [
                (2, wrongDocument, "inserted"), (3, right.document, "amended"),
                (4, document.cut(to: balls - 1), "withdrawn"),
            ] {
                let snapshot = try talk.poll(shown(document, version: version), &replies)
                let changes = Differ.changes(from: record, to: snapshot)
                #expect(changes.compactMap(\.ball) == [kind], "after \(balls) balls")
                for change in changes { record.apply(change) }
            }
        }
    }

    @Test(arguments: [0, 1]) func everyStatusIsReadAsTheNearestOfTheProvider(feed: Int) throws {
        let (adapter, shape) = Self.feeds[feed]
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document.cut(to: 30)
        var lost: Set<MatchStatus> = []
        for status in MatchStatus.allCases where !status.isEnd {
            var match = shown(document, version: 1)
            match.status = status
            var replies = ProviderReplies()
            let talk = try Conversation(adapter, shape, Self.credentials, of: match)
            if try talk.poll(match, &replies).status.status != status { lost.insert(status) }
        }
        let sportmonks: Set<MatchStatus> = [
            .lineups, .toss, .tossDelayed, .startDelayed, .drinks, .strategicTimeout, .review, .rain, .badLight,
            .wetOutfield, .floodlight, .crowd, .pitch, .injury, .ballChange, .superOverBreak, .superOver,
            .resultPending, .restDay,
        ]
        // Before the toss of this match nothing can be shown: the file has the toss.
        let roanuz: Set<MatchStatus> = [.scheduled, .lineups, .resultPending]
        #expect(lost == (feed == 0 ? sportmonks : roanuz))
    }

    @Test(arguments: [0, 1]) func theListShowsTheMatch(feed: Int) throws {
        let (adapter, shape) = Self.feeds[feed]
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document.cut(to: 30)
        let match = shown(document, version: 1)
        let list = try Conversation(adapter, shape, Self.credentials, of: match).fixtures(match)
        #expect(list.map(\.id) == [match.id])
        #expect(list.map(\.status) == [.live])
        #expect(list.first?.startsAt == match.startsAt)
        #expect(list.first?.teams.map(\.name) == document.info.teams)
        #expect(list.first?.format == .t20)
    }

    @Test(arguments: [0, 1]) func requestsWithoutTheKeyAreRefused(feed: Int) throws {
        let (adapter, shape) = Self.feeds[feed]
        let document = try #require(try SpecialMatches.read(ids: ["804517"]).first).document.cut(to: 3)
        let match = shown(document, version: 1)
        #expect(throws: AdapterError.self) {
            try Conversation(adapter, shape, ProviderCredentials(project: "p", key: Secret("x")), of: match)
        }
        #expect(shape.answer(ShapeRequest(path: "/nowhere"), of: match)?.status ?? 404 != 200)
    }
}

extension MatchStatus {
    /// Whether it needs a result, or that nothing was played.
    fileprivate var isEnd: Bool {
        switch self {
        case .result, .tied, .drawn, .noResult, .abandoned, .abandonedNoBall, .postponed, .cancelled, .awarded: true
        default: false
        }
    }
}

extension Change {
    /// The change of a ball; nil for another change.
    fileprivate var ball: String? {
        switch self {
        case .inserted: "inserted"
        case .amended: "amended"
        case .withdrawn: "withdrawn"
        default: nil
        }
    }
}
