// Past revisions, overs and corrections, read over real sockets from the journal of a real database.

import MatchEngine
import MatchSamples
import Postgres
import Providers
import ScoreTypes
import TestSupport
import Testing

@testable import MatchJournal
@testable import ScoreIngest
@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct MatchHistoryTests {
    /// Eight balls with one run each, but for the third one, which is corrected to a four.
    private static func corrected() -> [Delivery] {
        var balls = Samples.deliveries(8)
        balls[2].runs = DeliveryRuns(bat: 4)
        return balls
    }

    private static let match = "/v1/matches/ipl-final"

    private static func published(_ setup: NodeSetup) async throws -> [Int64] {
        let statement = Statement("select rev from publication where match_id = $1 order by rev")
        return try await setup.pool.query(statement, [.text(Samples.match.text)]) { try $0.int(0) }
    }

    @Test func aRevisionStaysReadableAsItWasPublished() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(7), on: setup)
        try await FeedNode.report(Samples.deliveries(8), on: setup)
        try await FeedNode.report(Self.corrected(), on: setup)
        let revisions = try await Self.published(setup)
        try #require(revisions.count == 3)
        try await setup.withWholeNode { whole in
            func runs(_ path: String) async throws -> Int64? {
                let answer = try await whole.publicClient.get(Self.match + path)
                #expect(answer.status == 200, "\(path)")
                return answer.json["innings"]?.list.first?["runs"]?.int
            }
            #expect(try await runs("") == 11)
            for (revision, expected) in zip(revisions, [7, 8, 11] as [Int64]) {
                #expect(try await runs("/revisions/\(revision)") == expected)
            }
            let path = "\(Self.match)/revisions/\(revisions[0])"
            let past = try await whole.publicClient.get(path)
            #expect(past["Cache-Control"] == "public, max-age=3600")
            #expect(past.json["rev"]?.int == revisions[0] && past.json["display"]?["rev"]?.int == revisions[0])
            #expect(past.json["provenance"]?["held"] == nil && past.json["nextPollMs"] == nil)
            let tag = try #require(past["ETag"])
            #expect(tag.hasSuffix(".\(revisions[0])\""))
            #expect(try await whole.publicClient.get(path, ["If-None-Match": tag]).status == 304)
            let packed = try await whole.publicClient.get(path, ["Accept-Encoding": "gzip"])
            #expect(try Compression.unpack(packed.body, limit: 1_000_000) == past.body)
            // A revision inside a reply was never published, and later ones do not exist.
            for none in ["1", "999999", "999999999999"] {
                let answer = try await whole.publicClient.get("\(Self.match)/revisions/\(none)")
                #expect(answer.status == 404 && answer["Cache-Control"] == "no-store", "\(none)")
            }
            for wrong in ["0", "-1", "+1", "x", "1e3", "9999999999999999999999"] {
                let answer = try await whole.publicClient.get("\(Self.match)/revisions/\(wrong)")
                #expect(answer.status == 400, "\(wrong)")
                #expect(answer.json["errors"]?.list.first?["pointer"]?.string == "rev")
            }
        }
        await setup.stop()
    }

    /// A match that is rebuilt from its feed goes on in another epoch, which the answers about all its revisions have.
    @Test func aRevisionHasTheEpochOfItsMatch() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(7), on: setup)
        let revision = try #require(try await Self.published(setup).last)
        for epoch in ["aaaaaaaa", "bbbbbbbb"] {
            try await setup.pool.execute(Statement("update match set epoch = $1"), [.text(epoch)])
            try await setup.withWholeNode { whole in
                let past = try await whole.publicClient.get("\(Self.match)/revisions/\(revision)")
                #expect(past.json["epoch"]?.string == epoch && past["ETag"] == "\"\(epoch).\(revision)\"")
                #expect(past["Cache-Control"]?.contains("immutable") == false, "its bytes change")
            }
        }
        await setup.stop()
    }

    @Test func aHeldMatchShowsNoRevisionAfterTheHold() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(7), on: setup)
        let journal = Journal(pool: setup.pool)
        #expect(try await journal.hold(Samples.match, reason: "wrong teams"))
        try await FeedNode.report(Samples.deliveries(8), on: setup)
        let revisions = try await Self.published(setup)
        try #require(revisions.count == 2)
        let cache = PublicationCache(journal: journal, clock: ServiceClock(), scheme: "score")
        #expect(try await cache.read(Samples.match, at: revisions[0], from: journal) != nil)
        #expect(try await cache.read(Samples.match, at: revisions[1], from: journal) == nil)
        try await setup.withWholeNode([:]) { whole in
            let changes = try await whole.publicClient.get("\(Self.match)/changes")
            #expect(changes.json["items"]?.list.last?["rev"]?.int == revisions[0])
        }
        #expect(try await journal.release(Samples.match))
        #expect(try await cache.read(Samples.match, at: revisions[1], from: journal) != nil)
        await setup.stop()
    }

    @Test func anOverFollowsItsBallsAndTheirCorrections() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(7), on: setup)
        try await setup.withWholeNode(["LIMITS_READ_ADDRESS": "100000/1s"]) { whole in
            let first = "\(Self.match)/innings/1/overs/0"
            func over(_ path: String) async throws -> WireAnswer {
                let answer = try await whole.publicClient.get(path)
                #expect(answer.status == 200, "\(path)")
                return answer
            }
            let complete = try await over(first)
            #expect(complete["Cache-Control"] == "public, max-age=30")
            #expect(complete.json["complete"] == .bool(true) && complete.json["runs"]?.int == 6)
            let balls = complete.json["balls"]?.list ?? []
            #expect(balls.map { $0["label"]?.string } == ["0.1", "0.2", "0.3", "0.4", "0.5", "0.6"])
            #expect(balls.map { $0["text"]?.string } == Array(repeating: "1", count: 6))
            #expect(balls.allSatisfy { ($0["rev"]?.int ?? 0) > 0 && $0["bowler"]?.string == "Deepak Chahar" })
            let current = try await over("\(Self.match)/innings/1/overs/1")
            #expect(current["Cache-Control"] == "public, max-age=1" && current.json["balls"]?.list.count == 1)
            let tag = ["If-None-Match": try #require(complete["ETag"])]
            try await FeedNode.report(Samples.deliveries(8), on: setup)
            try await eventually("the over has the new ball") {
                try await over("\(Self.match)/innings/1/overs/1").json["balls"]?.list.count == 2
            }
            let unchanged = try await whole.publicClient.get(first, tag)
            #expect(unchanged.status == 304, "a ball of another over does not change it")
            try await FeedNode.report(Self.corrected(), on: setup)
            try await eventually("the over has the correction") {
                try await over(first).json["runs"]?.int == 9
            }
            let revised = try await over(first).json["balls"]?.list ?? []
            try #require(revised.count == 6 && balls.count == 6)
            #expect(revised[2]["text"]?.string == "4")
            #expect((revised[2]["rev"]?.int ?? 0) > (balls[2]["rev"]?.int ?? .max))
            for (path, status) in [
                ("/innings/1/overs/7", 404), ("/innings/2/overs/0", 404), ("/innings/0/overs/0", 400),
                ("/innings/1/overs/x", 400), ("/innings/1/overs/-1", 400), ("/innings/1/overs/1000", 400),
            ] {
                #expect(try await whole.publicClient.get(Self.match + path).status == status, "\(path)")
            }
        }
        await setup.stop()
    }

    @Test func aCorrectionContainsTheBallBeforeIt() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(8), on: setup)
        try await FeedNode.report(Self.corrected(), on: setup)
        try await setup.withWholeNode { whole in
            let answer = try await whole.publicClient.get("\(Self.match)/changes?limit=500")
            #expect(answer.status == 200)
            let items = answer.json["items"]?.list ?? []
            let correction = try #require(items.last { $0["kind"]?.string == "correction" })
            #expect(correction["ball"]?["runsBat"]?.int == 4 && correction["before"]?["runsBat"]?.int == 1)
            #expect(correction["before"]?["key"]?.string == correction["ballKey"]?.string)
            #expect(items.filter { $0["kind"]?.string == "ball" }.allSatisfy { $0["before"] == nil })
            let gone = try await whole.publicClient.get("\(Self.match)/changes?after=Other999.1")
            #expect(gone.status == 410 && gone.json["oldestRev"]?.int == 1)
        }
        await setup.stop()
    }
}
