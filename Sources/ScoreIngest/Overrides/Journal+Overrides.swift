// Overrides live in the database, so that they outlast the node that was told them.

internal import Foundation
internal import MatchEngine
internal import Postgres
public import ScoreTypes

extension Journal {
    /// What operators say of a match now, by field.
    ///
    /// - Parameter match: The match.
    /// - Returns: The overrides whose time is not over.
    /// - Throws: `JournalError`.
    public func overrides(of match: MatchID) async throws(JournalError) -> [MatchOverride] {
        do {
            return try await pool.query(OverrideSQL.list, [.text(match.text)]) { row in
                guard let value = try? JSONDecoder().decode(OverrideValue.self, from: Data(row.json(0))) else {
                    // A newer server's field: this one cannot say it, and must not fail over it.
                    return MatchOverride?.none
                }
                return MatchOverride(
                    value: value,
                    expiresAt: try row.timestamp(1),
                    actor: try row.text(2),
                    reason: try row.text(3)
                )
            }.compactMap(\.self)
        } catch { throw JournalError(error) }
    }

    /// Says something in place of the feed; the node that writes the match is told.
    ///
    /// - Parameters:
    ///   - override: What, for how long, by whom and why.
    ///   - match: The match.
    /// - Returns: False when the match is not known.
    /// - Throws: `JournalError`.
    @discardableResult
    public func set(_ override: MatchOverride, of match: MatchID) async throws(JournalError) -> Bool {
        do {
            let value = ChangeCoding.withoutNul(Array(try JSONEncoder().encode(override.value)))
            let binds: [Bind] = [
                .text(match.text), .text(override.value.field), .json(value), .timestamp(override.expiresAt),
                .text(override.actor.withoutNul), .text(override.reason.withoutNul),
                .text(IngestOrder.steer(match).payload),
            ]
            return !(try await pool.query(OverrideSQL.set, binds, decode: { _ in () })).isEmpty
        } catch { throw JournalError(error) }
    }

    /// Lets the feed speak again.
    ///
    /// - Parameters:
    ///   - field: The name of what was said.
    ///   - match: The match.
    /// - Returns: False when nothing of that name was said.
    /// - Throws: `JournalError`.
    @discardableResult
    public func liftOverride(_ field: String, of match: MatchID) async throws(JournalError) -> Bool {
        do {
            let binds: [Bind] = [.text(match.text), .text(field), .text(IngestOrder.steer(match).payload)]
            return !(try await pool.query(OverrideSQL.lift, binds, decode: { _ in () })).isEmpty
        } catch { throw JournalError(error) }
    }
}

private enum OverrideSQL {
    static let list = Statement(
        """
        select value, expires_at, actor, reason from match_override
        where match_id = $1 and expires_at > clock_timestamp() order by field
        """
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
        with lifted as (delete from match_override where match_id = $1 and field = $2 returning match_id)
        select pg_notify('ingest', $3) from lifted
        """
    )
}
