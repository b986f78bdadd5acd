// Overrides are stored in the database, so that they outlast the node that received them.

internal import Foundation
internal import MatchEngine
internal import Postgres
public import ScoreTypes

extension Journal {
    /// The overrides of a match that have not expired, by field.
    ///
    /// - Throws: `JournalError`.
    public func overrides(of match: MatchID) async throws(JournalError) -> [MatchOverride] {
        try await storedOverrides(of: match).filter(\.isInForce).map(\.override)
    }

    /// All stored overrides of a match, with expired ones that its writer has not yet undone.
    func storedOverrides(of match: MatchID) async throws(JournalError) -> [StoredOverride] {
        try await read(OverrideSQL.list, [.text(match.text)]) { row in
            guard let value = try? JSONDecoder().decode(OverrideValue.self, from: Data(row.json(0))) else {
                // A field of a newer server, which this one cannot apply.
                return StoredOverride?.none
            }
            let override = MatchOverride(
                value: value,
                expiresAt: try row.timestamp(1),
                actor: try row.text(2),
                reason: try row.text(3)
            )
            let feed = try row.isNull(4) ? nil : JSONDecoder().decode(OverriddenValue.self, from: Data(row.json(4)))
            return StoredOverride(override: override, feedValue: feed, isInForce: try row.bool(5))
        }.compactMap(\.self)
    }

    /// Matches with overrides, at most `JournalLimits.overriddenMatches`, or one of them.
    ///
    /// Expired overrides count until they are undone.
    ///
    /// - Throws: `JournalError`.
    public func overridden(_ match: MatchID? = nil) async throws(JournalError) -> [OverriddenMatch] {
        let binds: [Bind] = [match.map { .text($0.text) } ?? .null, .int(Int64(JournalLimits.overriddenMatches))]
        return try await read(OverrideSQL.matches, binds) { row in
            OverriddenMatch(
                match: MatchID(unchecked: try row.text(0)),
                feed: FeedID(unchecked: try row.text(1)),
                endsAt: try row.timestamp(2)
            )
        }
    }

    /// Stores the feed's values of overridden fields, by field, before anything is written over them.
    ///
    /// - Throws: `JournalError`.
    func keep(_ values: [String: OverriddenValue], of match: MatchID, fence: Fence?) async throws(JournalError) {
        let sorted = values.sorted { $0.key < $1.key }
        let bodies = try sorted.map { field throws(JournalError) in try ChangeCoding.encode(field.value) }
        let binds: [Bind] = [.text(match.text), .texts(sorted.map(\.key)), .jsons(bodies)]
        try await steer(OverrideSQL.keep, binds, fence: fence)
    }

    /// Deletes overrides that expired before `now` and whose end is written; an override that was set again stays.
    ///
    /// - Throws: `JournalError`.
    func forgetOverrides(
        _ fields: [String],
        of match: MatchID,
        at now: Instant,
        fence: Fence?
    ) async throws(JournalError) {
        try await steer(OverrideSQL.forget, [.text(match.text), .texts(fields), .timestamp(now)], fence: fence)
    }

    /// Sets an override, and notifies the node that writes the match; false when the match is not known.
    ///
    /// - Throws: `JournalError`.
    @discardableResult
    public func set(_ override: MatchOverride, of match: MatchID) async throws(JournalError) -> Bool {
        let binds: [Bind] = [
            .text(match.text), .text(override.value.field), .json(try ChangeCoding.encode(override.value)),
            .timestamp(override.expiresAt), .text(override.actor.withoutNul), .text(override.reason.withoutNul),
            .text(MatchOverride.notification(of: match)),
        ]
        return !(try await read(OverrideSQL.set, binds) { _ in () }).isEmpty
    }

    /// Ends the override of a field, whose row is deleted when the writer of the match has undone it; false for none.
    ///
    /// - Throws: `JournalError`.
    @discardableResult
    public func liftOverride(_ field: String, of match: MatchID) async throws(JournalError) -> Bool {
        let binds: [Bind] = [.text(match.text), .text(field), .text(MatchOverride.notification(of: match))]
        return !(try await read(OverrideSQL.lift, binds) { _ in () }).isEmpty
    }
}

/// A match with overrides.
public struct OverriddenMatch: Sendable, Hashable {
    /// The match.
    public let match: MatchID
    /// The feed that the match has in the journal.
    public let feed: FeedID
    /// The earliest end of its overrides; may be past.
    public let endsAt: Instant
}

private enum OverrideSQL {
    static let list = Statement(
        """
        select value, expires_at, actor, reason, feed_says, expires_at > clock_timestamp() from match_override
        where match_id = $1 order by field
        """
    )

    static let matches = Statement(
        """
        select m.match_id, m.feed_id, min(o.expires_at) from match_override o join match m using (match_id)
        where $1::text is null or m.match_id = $1 group by m.match_id, m.feed_id order by 3 limit $2
        """
    )

    static let keep = Statement(
        """
        update match_override o set feed_says = feed.word
        from unnest($2::text[], $3::jsonb[]) as feed (field, word) where o.match_id = $1 and o.field = feed.field
        """
    )

    static let forget = Statement(
        "delete from match_override where match_id = $1 and field = any ($2::text[]) and expires_at <= $3"
    )

    static let set = Statement(
        """
        with said as (
            insert into match_override (match_id, field, value, expires_at, actor, reason)
            select match_id, $2, $3, $4, $5, $6 from match where match_id = $1
            on conflict (match_id, field) do update set value = excluded.value, expires_at = excluded.expires_at,
                actor = excluded.actor, reason = excluded.reason, created_at = now()
            returning match_id
        )
        select pg_notify('ingest', $7) from said
        """
    )

    static let lift = Statement(
        """
        with lifted as (
            update match_override set expires_at = 'epoch'
            where match_id = $1 and field = $2 and expires_at > clock_timestamp() returning match_id
        )
        select pg_notify('ingest', $3) from lifted
        """
    )
}
