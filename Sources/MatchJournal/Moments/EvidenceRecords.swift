// The counts of corrections outlive a restart, and all nodes learn from all matches.

public import Postgres
public import ScoreTypes

/// A revoked alert as it is stored.
public struct StoredRevokedAlert: Sendable, Hashable {
    /// The alert.
    public let alert: RevokedAlert
    /// When it was stored, by PostgreSQL's clock.
    public let at: Instant
}

/// A page of revoked alerts, the newest first.
public struct RevokedAlertPage: Sendable, Hashable {
    /// The alerts; those of a kind or a confirmation of a newer server are left out.
    public let alerts: [StoredRevokedAlert]
    /// The number that begins the next page; nil at the end.
    public let next: Int64?

    /// Makes a page.
    public init(_ alerts: [StoredRevokedAlert], next: Int64?) { (self.alerts, self.next) = (alerts, next) }
}

/// The store of counted corrections and of revoked alerts.
public struct EvidenceRecords: Sendable {
    /// Ages that are no age of a mistake: reported moments, and mistakes that no wait avoids.
    private enum Place {
        static let reported: Int16 = -1
        static let late = Int16(CorrectionCurve.bound)
    }

    private enum SQL {
        static let add: Statement = """
            insert into correction (feed_id, kind, age, count)
            select * from unnest($1, $2, $3, $4) as r(feed_id, kind, age, count)
            order by feed_id, kind, age
            on conflict (feed_id, kind, age) do update set count = correction.count + excluded.count
            """
        /// Old counts fade out, so that a feed that changes is noticed.
        static let fade: Statement = """
            update correction c set count = c.count / 2
            from (select feed_id, kind from correction where age = -1 and count > $1
                  order by feed_id, kind for update) f
            where c.feed_id = f.feed_id and c.kind = f.kind
            """
        static let read = Statement("select feed_id, kind, age, count from correction")
        static let revoke: Statement = """
            insert into revoked_alert
                (match_id, feed_id, kind, alert_key, title, body, confirmed_by, waited, last_reported_at)
            values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            """
        static let forget: Statement = """
            delete from revoked_alert where id <= (select id from revoked_alert order by id desc offset $1 limit 1)
            """
        static let revoked: Statement = """
            select match_id, feed_id, kind, alert_key, title, body, confirmed_by, waited, last_reported_at, at,
                id
            from revoked_alert where id < $1 order by id desc limit $2
            """
    }

    private let pool: Pool

    /// Makes the store.
    public init(pool: Pool) { self.pool = pool }

    /// Adds counts and revoked alerts in one transaction.
    ///
    /// - Throws: `PostgresError` when the database cannot answer.
    func add(_ news: CorrectionEvidence.News) async throws {
        let rows = news.curves.flatMap { feed, curves in
            curves.flatMap { kind, curve in
                Self.counts(curve).map { (feed: feed.text, kind: kind.rawValue, age: $0.age, count: $0.count) }
            }
        }
        try await pool.transaction { connection in
            if !rows.isEmpty {
                let binds: [Bind] = [
                    .texts(rows.map(\.feed)), .texts(rows.map(\.kind)), .smallints(rows.map(\.age)),
                    .ints(rows.map(\.count)),
                ]
                _ = try connection.execute(SQL.add, binds)
                _ = try connection.execute(SQL.fade, [.int(Int64(JournalLimits.curveMoments))])
            }
            for alert in news.revoked { _ = try connection.execute(SQL.revoke, Self.binds(alert)) }
            if !news.revoked.isEmpty {
                _ = try connection.execute(SQL.forget, [.int(Int64(JournalLimits.revokedStored))])
            }
        }
    }

    /// The counts of all feeds.
    ///
    /// - Throws: `PostgresError` when the database cannot answer.
    func curves() async throws -> [FeedID: CorrectionEvidence.Curves] {
        var counts: [FeedID: [MomentClass: [Int16: Int]]] = [:]
        let rows = try await pool.query(SQL.read) { row in
            (try row.text(0), try row.text(1), Int16(clamping: try row.int(2)), try row.int(3))
        }
        for (feed, kind, age, count) in rows {
            guard let feed = FeedID(feed), let kind = MomentClass(rawValue: kind) else { continue }
            counts[feed, default: [:]][kind, default: [:]][age] = Int(count)
        }
        return counts.mapValues { $0.mapValues(Self.curve) }
    }

    /// A page of revoked alerts, the newest first.
    ///
    /// - Parameters:
    ///   - number: Begins the page behind the one that had it as `next`; nil begins with the newest alert.
    ///   - limit: At most so many.
    /// - Returns: The page.
    /// - Throws: `PostgresError` when the database cannot answer.
    public func revoked(before number: Int64? = nil, limit: Int) async throws -> RevokedAlertPage {
        let binds: [Bind] = [.int(number ?? .max), .int(Int64(limit) + 1)]
        let rows = try await pool.query(SQL.revoked, binds) { row in
            (number: try row.int(10), alert: try Self.alert(row))
        }
        let page = rows.prefix(limit)
        return RevokedAlertPage(page.compactMap(\.alert), next: rows.count > limit ? page.last?.number : nil)
    }

    /// nil for a kind or a confirmation of a newer server.
    private static func alert(_ row: Row) throws -> StoredRevokedAlert? {
        guard let kind = MomentClass(rawValue: try row.text(2)),
            let reason = Confirmation(rawValue: try row.text(6))
        else { return nil }
        let moment = RevokedMoment(
            key: try row.text(3),
            kind: kind,
            title: try row.text(4),
            body: try row.text(5),
            confirmedBy: reason,
            waited: Int(try row.int(7)),
            lastReportedAt: Int(try row.int(8))
        )
        let (match, feed) = (MatchID(unchecked: try row.text(0)), FeedID(unchecked: try row.text(1)))
        return StoredRevokedAlert(
            alert: RevokedAlert(match: match, feed: feed, moment: moment),
            at: try row.timestamp(9)
        )
    }

    private static func counts(_ curve: CorrectionCurve) -> [(age: Int16, count: Int64)] {
        let wrong = curve.wrong.enumerated().map { (age: Int16($0.offset), count: Int64($0.element)) }
        return ([(Place.reported, Int64(curve.reported)), (Place.late, Int64(curve.late))] + wrong)
            .filter { $0.1 > 0 }
    }

    private static func curve(_ counts: [Int16: Int]) -> CorrectionCurve {
        let wrong = (0..<Place.late).map { counts[$0] ?? 0 }
        return CorrectionCurve(reported: counts[Place.reported] ?? 0, wrong: wrong, late: counts[Place.late] ?? 0)
    }

    private static func binds(_ alert: RevokedAlert) -> [Bind] {
        let moment = alert.moment
        return [
            .text(alert.match.text), .text(alert.feed.text), .text(moment.kind.rawValue), .text(moment.key),
            .text(moment.title), .text(moment.body), .text(moment.confirmedBy.rawValue), .int(Int64(moment.waited)),
            .int(Int64(moment.lastReportedAt)),
        ]
    }
}
