// Deletion by age, the matches that are never deleted, and the clients of a deleted one.

import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService
@testable import MatchJournal
@testable import ScoreServer

@Suite(.timeLimit(.minutes(2))) struct RetentionTests {
    private static let path = "/v1/matches/ipl-final"
    private static let run = "/admin/api/v1/sweeps/retention/run"

    /// Ends the sample match so many days ago, by the clock of PostgreSQL.
    private static func end(_ days: Int32, _ setup: NodeSetup) async throws {
        try await setup.pool.execute(
            Statement("update match set phase = 3, over_at = now() - make_interval(days => $1)"),
            [.integer(days)]
        )
    }

    private static func rows(_ setup: NodeSetup) async throws -> [Int64] {
        let counts = Statement(
            """
            select array[(select count(*) from match), (select count(*) from journal),
                         (select count(*) from publication), (select count(*) from announced_moment)]
            """
        )
        return try await setup.pool.query(counts) { try $0.ints(0) }.first ?? []
    }

    /// Deletes the progress of ended matches, at the node that has the lease.
    private static func close(_ nodes: [WholeNode], _ operating: [String: String]) async throws {
        var statuses: [Int] = []
        for node in nodes {
            let path = run.replacing("retention", with: "match-closure")
            let answer = try await node.internalClient.send("POST", path, operating, json: #"{"reason":"it ended"}"#)
            statuses.append(answer.status)
        }
        #expect(statuses.sorted() == [200, 409])
    }

    /// Deletes the match of a setup through the node that has the lease.
    ///
    /// A node that takes buckets over late writes progress, which keeps the match until the next closure.
    private static func delete(
        at node: WholeNode,
        of nodes: [WholeNode],
        _ operating: [String: String],
        _ setup: NodeSetup
    ) async throws {
        func answer(_ query: String) async throws -> WireAnswer {
            try await close(nodes, operating)
            let body = #"{"reason":"the season is over"}"#
            return try await node.internalClient.send("POST", run + query, operating, json: body)
        }
        try await eventually("nothing but its age keeps the match") {
            try await answer("?dryRun=true").json["result"]?["wouldAffect"]?.int == 1
        }
        #expect(try await rows(setup).first == 1, "a trial deletes nothing")
        try await eventually("it is deleted whole") {
            try await answer("").json["result"]?["changed"]?.int ?? 0 > 7
        }
    }

    @Test("S58: an old match is deleted whole, and its clients start anew")
    func aMatchIsDeletedWholeAndItsClientsStartAnew() async throws {
        let setup = try await NodeSetup()
        let revision = try await FeedNode.report(Samples.deliveries(7), on: setup)
        let store = PostgresAdminStore(pool: setup.pool)
        let (operating, viewing) = (try await store.headers(.operator), try await store.headers(.viewer))
        try await setup.withWholeNode(["MATCH_RETENTION_DAYS": "30"], name: "one") { one in
            try await setup.withWholeNode(["MATCH_RETENTION_DAYS": "30"], name: "two") { two in
                let first = try await one.publicClient.get(Self.path)
                let position = try #require(first.json["epoch"]?.string) + ".\(revision)"
                for node in [one, two] {
                    let past = try await node.publicClient.get("\(Self.path)/revisions/\(revision)")
                    #expect(past.status == 200)
                }
                let body = #"{"reason":"the season is over"}"#
                let refused = try await one.internalClient.send("POST", Self.run, viewing, json: body)
                #expect(refused.status == 403)
                try await Self.end(29, setup)
                let early = try await one.internalClient.send("POST", Self.run, operating, json: body)
                // The lease may be the other node's.
                let node = early.status == 409 ? two : one
                _ = try await node.internalClient.send("POST", Self.run, operating, json: body)
                #expect(try await Self.rows(setup).first == 1, "a day before its age")

                try await Self.end(31, setup)
                try await Self.delete(at: node, of: [one, two], operating, setup)
                #expect(try await Self.rows(setup) == [0, 0, 0, 0])

                for node in [one, two] {
                    try await eventually("it is gone on both nodes") {
                        try await node.publicClient.get(Self.path).status == 404
                    }
                    for path in ["/revisions/\(revision)", "/innings/1/overs/0", "/stream"] {
                        let answer = try await node.publicClient.get(Self.path + path, ["Last-Event-ID": position])
                        #expect(answer.status == 404 && answer.problem == "not-found", "\(path)")
                    }
                }
                // A feed reports it again: another epoch, and a client that resumes gets a reset.
                try await FeedNode.report(Samples.deliveries(2), on: setup)
                for node in [one, two] {
                    try await eventually("it is back") { try await node.publicClient.get(Self.path).status == 200 }
                    let headers = ["Last-Event-ID": position]
                    let request = WireClient.head("GET", Self.path + "/stream", headers, bodyBytes: 0, close: false)
                    try await node.publicClient.withStream(Array(request.utf8)) { stream in
                        let head = try await stream.head()
                        let reset = try await stream.event("reset")
                        #expect(head.headers["stream-resume"] == "reset")
                        #expect(reset.data["reason"]?.string == "epochChanged")
                    }
                    let old = try await node.publicClient.get("\(Self.path)/revisions/\(revision)")
                    #expect(old.status == 404, "nothing of the old epoch is served")
                }
            }
        }
        await setup.stop()
    }

    /// The sweeps of a node that keeps matches and devices for a day.
    private static func works(_ setup: NodeSetup) -> (stores: FollowerStores, works: SweepWorks) {
        let clock = ServiceClock()
        let arenas = ArenaIndex(info: setup.info, pool: setup.pool, clock: clock)
        let stores = FollowerStores(pool: setup.pool, clock: clock, arenas: arenas)
        let ages = SweepWorks.Ages(matches: .seconds(86_400), devices: .seconds(86_400))
        let matches = EndedMatches(Journal(pool: setup.pool))
        return (stores, SweepWorks(stores: stores, matches: matches, silent: nil, ages: ages))
    }

    @Test("S58: a sweep that deleted as many erased devices as one step may has more to do")
    func aFullStepIsContinuedSoon() async throws {
        let setup = try await NodeSetup()
        let retention = try #require(Self.works(setup).works.all[.retention])
        let erased: Statement = """
            insert into device (device_id, bucket, env, credential_hash, bundle_id, erased_at)
            select gen_random_uuid(), n % 1024, 0, '', 'app', now() - interval '60 days'
            from generate_series(1, $1) as n
            """
        try await setup.pool.execute(erased, [.integer(Int32(FollowLimits.rowsPerDeletion + 1))])
        #expect(try await retention.count(10_000).hasMore)
        let first = try await retention.run(10_000)
        #expect(first.count == FollowLimits.rowsPerDeletion && first.hasMore)
        let second = try await retention.run(10_000)
        #expect(second.count == 1 && !second.hasMore)
        await setup.stop()
    }

    @Test func aMatchInUseIsNeverDeleted() async throws {
        let setup = try await NodeSetup()
        try await FeedNode.report(Samples.deliveries(3), on: setup)
        let (stores, works) = Self.works(setup)
        let journal = Journal(pool: setup.pool)
        let retention = try #require(works.all[.retention])
        func isKept(_ why: Comment) async throws {
            #expect(try await retention.count(100).count == 0, why)
            #expect(try await retention.run(100).count == 0, why)
            #expect(try await Self.rows(setup).first == 1, why)
        }
        try await isKept("in play")
        try await setup.pool.execute(Statement("update match set phase = 2"))
        try await isKept("in a break")
        try await Self.end(3, setup)
        try await journal.hold(Samples.match, reason: "doubts")
        try await isKept("held")
        #expect(
            try await EndedMatches(journal).delete(Samples.match, endedFor: .zero) == nil,
            "held, in the transaction"
        )
        try await journal.release(Samples.match)
        let device = DeviceID(high: 1, low: 2)
        _ = try await stores.follows.put(FollowSettings(match: Samples.match), of: device, clientSequence: 1)
        try await isKept("followed")
        _ = try await stores.follows.remove(Samples.match, of: device, clientSequence: 2)
        try await isKept("the withdrawn follow is deleted first")
        let expiry = try #require(works.all[.followExpiry])
        #expect(try await expiry.run(100).count == 1)
        #expect(try await retention.run(100).count > 3)
        #expect(try await Self.rows(setup) == [0, 0, 0, 0])
        await setup.stop()
    }
}
