// Apps report what their activities show, over the real listener and with the real store.

import MatchSamples
import Postgres
import ScoreTypes
import TestSupport
import Testing

@testable import FollowService
@testable import LiveActivities
@testable import ScoreServer

/// A phone with an activity that began an hour ago.
private struct ReportingPhone {
    let stores: StoredDependencies
    let headers: [String: String]
    let hourAgo = ServiceClock().wall + .seconds(-3600)

    init(_ stores: StoredDependencies, route: String, key: String = "0123456789abcdef") async throws {
        self.stores = stores
        headers = try await stores.register(key: key)
        let body = """
            {"matchId":"ipl-final",\(route),"apnsEnvironment":"sandbox","startedAtMs":\(hourAgo.milliseconds),
            "lastAppliedRev":5,"clientSeq":1}
            """
        let put = try await stores.client.send("PUT", "/v1/devices/me/activities/A-1", headers, json: body)
        #expect(put.status == 201)
    }

    static let token = #""token":"\#(String(repeating: "ab", count: 40))""#

    func send(_ events: String, sentAt: Int64 = 10_000_000) async throws -> WireAnswer {
        let body = #"{"sentAtMs":\#(sentAt),"events":[\#(events)]}"#
        return try await stores.client.send("POST", "/v1/devices/me/telemetry", headers, json: body)
    }

    func shows(_ revision: Int64, of activity: String = "A-1", agoMs: Int64 = 0) async throws {
        let event = """
            {"kind":"revApplied","activityId":"\(activity)","rev":\(revision),"atMs":\(10_000_000 - agoMs)}
            """
        let answer = try await send(event)
        #expect(answer.status == 204 && answer.body.isEmpty)
    }
}

@Suite(.timeLimit(.minutes(2))) struct TelemetryTests {
    /// Rows of all tables that contain a word anywhere.
    private static let rowsWithWord: Statement = """
        select coalesce(sum((xpath('/row/c/text()', query_to_xml(
            format('select count(*) as c from %I t where t::text like %L', tablename, '%c4n4ry%'), false, true, ''
        )))[1]::text::bigint), 0)::bigint
        from pg_tables where schemaname = 'public'
        """
    private static let texts = [
        #"{"kind":"c4n4ry","note":"c4n4ry","nested":{"a":["c4n4ry"]}}"#,
        #"{"kind":"tokenRotated","count":1,"atMs":10000000,"note":"c4n4ry"}"#,
        #"{"kind":"undecodable","count":1,"atMs":10000000,"error":"c4n4ry"}"#,
        #"{"kind":"revApplied","activityId":"c4n4ry","rev":6,"atMs":10000000}"#,
        #"{"kind":"revApplied","activityId":"A-1","rev":"c4n4ry","atMs":10000000}"#,
    ]

    @Test("S60: text that an app sends as telemetry is refused, or not stored", arguments: texts)
    func textIsNotStored(event: String) async throws {
        try await withStore { stores in
            let phone = try await ReportingPhone(stores, route: ReportingPhone.token)
            let answer = try await phone.send(event)
            #expect([204, 400, 422].contains(answer.status), "\(answer.status)")
            #expect(!answer.text.contains("c4n4ry"))
            #expect(try await stores.pool.query(Self.rowsWithWord) { try $0.int(0) } == [0])
        }
    }

    private static let buckets = Statement(
        """
        insert into fanout (match_id, bucket, term, sent_rev, sent_at)
        select match_id, bucket, 1, 7, now() from activity
        """
    )

    private static let channel = Statement(
        """
        insert into channel (match_id, env, attributes_type, profile, generation, channel_id)
        values ('ipl-final', 0, 'LiveActivityAttributes', 'loud', 1, 'dHN0LWNoYW5uZWw=')
        """
    )

    private static let broadcast: Statement = "update channel set sent_rev = 7, sent_at = now()"

    @Test("a receipt that lags behind what APNs accepted is listed", arguments: [true, false])
    func receiptsAreCompared(onToken: Bool) async throws {
        try await withStore { stores in
            let route = onToken ? ReportingPhone.token : #""channelId":"dHN0LWNoYW5uZWw=""#
            if !onToken { _ = try await stores.pool.query(Self.channel) { _ in () } }
            let phone = try await ReportingPhone(stores, route: route)
            let registry = MetricRegistry()
            let metrics = PrometheusMetricsFactory(registry: registry)
            let counts = ReceiptCounts(stores.receipts, activities: stores.activities, metrics: metrics) { Bucket.all }
            stores.receipts.published(Samples.match, 5, hash: 5, at: phone.hourAgo)
            stores.receipts.published(Samples.match, 7, hash: 7, at: phone.hourAgo + .seconds(120))
            var numbers = try await counts.numbers(of: Samples.match)
            #expect(numbers.accepted == 0 && numbers.confirmed == 0 && numbers.unknown == 1 && numbers.stuck == 0)

            _ = try await stores.pool.query(onToken ? Self.buckets : Self.broadcast) { _ in () }
            numbers = try await counts.numbers(of: Samples.match)
            #expect(numbers.accepted == 1 && numbers.unknown == 1, "accepted is not confirmed, and nothing is known")
            #expect(numbers.stuck == 0, "a phone that never sent a receipt is unknown")
            try await counts.measure()
            let text = PrometheusText.render(registry)
            for line in ["accepted 1", "confirmed 0", "unknown 1"] {
                #expect(text.contains("score_activities_\(line)\n"), "\(line)")
            }

            // The state of an hour ago was current then.
            try await phone.shows(5, agoMs: 3_500_000)
            numbers = try await counts.numbers(of: Samples.match)
            #expect(numbers.accepted == 1 && numbers.confirmed == 0 && numbers.unknown == 0 && numbers.stuck == 0)

            try await phone.shows(5)
            #expect(try await counts.numbers(of: Samples.match).stuck == 1)
            let listed = try #require(stores.receipts.stuck(of: nil, after: "", limit: 10).first)
            #expect(listed.shown == 5 && listed.accepted == 7 && listed.match == Samples.match)

            try await phone.shows(7)
            numbers = try await counts.numbers(of: Samples.match)
            #expect(numbers.accepted == 1 && numbers.confirmed == 1 && numbers.unknown == 0 && numbers.stuck == 0)
        }
    }

    @Test func aRepeatedAnOlderAndAForeignReceiptChangeNothing() async throws {
        try await withStore { stores in
            let phone = try await ReportingPhone(stores, route: ReportingPhone.token)
            _ = try await stores.pool.query(Self.buckets) { _ in () }
            let counts = ReceiptCounts(stores.receipts, activities: stores.activities) { Bucket.all }
            stores.receipts.published(Samples.match, 7, hash: 7, at: phone.hourAgo)
            try await phone.shows(7)
            let before = try await counts.numbers(of: Samples.match)
            #expect(before.confirmed == 1)
            try await phone.shows(7)
            try await phone.shows(5)
            try await phone.shows(9, of: "A-2")
            #expect(try await counts.numbers(of: Samples.match) == before)

            let other = try await stores.register(key: "fedcba9876543210")
            let body = """
                {"sentAtMs":5,"events":[{"kind":"revApplied","activityId":"A-1","rev":1,"atMs":5}]}
                """
            let answer = try await stores.client.send("POST", "/v1/devices/me/telemetry", other, json: body)
            #expect(answer.status == 204)
            #expect(try await counts.numbers(of: Samples.match) == before, "the activity of another device")

            let end = try await stores.client.send(
                "DELETE",
                "/v1/devices/me/activities/A-1?clientSeq=2&reason=ended",
                phone.headers
            )
            #expect(end.status == 204)
            let after = try await counts.numbers(of: Samples.match)
            #expect(after.accepted == 0 && after.confirmed == 0 && after.unknown == 0, "an ended activity is forgotten")
        }
    }

    @Test("the admin API shows the receipts of a match, on a whole node")
    func theAdminAPIShowsTheNumbers() async throws {
        let setup = try await NodeSetup()
        try await RecentMatchesTests.end("yesterday", days: 1, on: setup)
        try await setup.withWholeNode { whole in
            let phone = try await whole.register()
            let pass = try await PostgresAdminStore(pool: setup.pool).headers(.viewer)
            func receipts() async throws -> [String: Int64] {
                let answer = try await whole.internalClient.get("/admin/api/v1/matches/yesterday", pass)
                #expect(answer.status == 200)
                let found = answer.json["detail"]?["receipts"]
                return ["accepted", "confirmed", "unknown", "stuck"].reduce(into: [:]) { $0[$1] = found?[$1]?.int }
            }
            let body = """
                {"matchId":"yesterday",\(ReportingPhone.token),"apnsEnvironment":"sandbox","startedAtMs":5,
                "clientSeq":1}
                """
            let put = try await whole.publicClient.send("PUT", "/v1/devices/me/activities/A-1", phone, json: body)
            #expect(put.status == 201)
            try await eventually("the node owns the bucket") {
                try await receipts() == ["accepted": 0, "confirmed": 0, "unknown": 1, "stuck": 0]
            }
            let report = #"{"sentAtMs":9,"events":[{"kind":"revApplied","activityId":"A-1","rev":3,"atMs":8}]}"#
            let taken = try await whole.publicClient.send("POST", "/v1/devices/me/telemetry", phone, json: report)
            #expect(taken.status == 204)
            try await eventually("the next count has the receipt") { try await receipts()["unknown"] == 0 }
            let list = try await whole.internalClient.get("/admin/api/v1/activities?state=stuck", pass)
            #expect(list.status == 200 && list.json["items"]?.list.isEmpty == true)
        }
        await setup.stop()
    }

    @Test func aWrongBodyIsRefusedWithItsPlaces() async throws {
        try await withStore { stores in
            let phone = try await ReportingPhone(stores, route: ReportingPhone.token)
            let wrong = try await phone.send(
                #"{"kind":"revApplied","activityId":"A 1","rev":-1,"atMs":5,"note":"x"},{"kind":"tokenRotated"}"#
            )
            #expect(wrong.status == 422)
            for pointer in [
                "/events/0/activityId", "/events/0/rev", "/events/0/note", "/events/1/count", "/events/1/atMs",
            ] { #expect(wrong.text.contains(pointer), "\(pointer)") }
            let many = Array(repeating: #"{"kind":"tokenRotated","count":1,"atMs":5}"#, count: 101)
            #expect(try await phone.send(many.joined(separator: ",")).status == 422)
            #expect(try await stores.client.send("POST", "/v1/devices/me/telemetry", json: "{}").status == 401)
            let later = #"{"kind":"hologramShown","depth":3},{"kind":"undecodable","count":2,"atMs":5}"#
            #expect(try await phone.send(later).status == 204, "a later app's events do not hide the known ones")
        }
    }

    @Test func aDeviceSendsTwelveBatchesAMinute() async throws {
        #expect(RateLimits()[.telemetry] == Quota(count: 12, per: .seconds(60)))
        // Twelve an hour: a quota of twelve a minute gains a batch while a busy machine sends twelve.
        try await withStore(limits: RateLimits([.telemetry: Quota(count: 12, per: .seconds(3600))])) { stores in
            let phone = try await ReportingPhone(stores, route: ReportingPhone.token)
            for number in 1...12 { try await phone.shows(Int64(number)) }
            #expect(try await phone.send("").status == 429)
        }
    }

    @Test func anEventIsCountedOnceHoweverOftenItsBatchArrives() throws {
        let body = #"""
            {"sentAtMs":9,"events":[{"kind":"tokenRotated","count":2,"atMs":5},
            {"kind":"undecodable","count":1,"atMs":6}]}
            """#
        let batch = try TelemetryBody(reading: try Call.parse(Array(body.utf8)))
        let counter = ClientEventCounter()
        let device = Samples.device().id
        #expect(counter.count(batch.occurrences, of: device) == 3)
        #expect(counter.count(batch.occurrences, of: device) == 0)
        #expect(counter.count(batch.occurrences, of: DeviceID(high: 8, low: 8)) == 3)
    }
}
