// The alias table is stored in Postgres; pollers read a copy of it with every reply.

internal import Logging
public import MatchJournal
public import Postgres
public import Providers
public import ScoreTypes
internal import Synchronization

/// Why aliases were not stored.
public enum AliasError: Error, Sendable, CustomStringConvertible {
    /// The table would exceed its bound; nothing was written.
    case full(max: Int)
    /// The database failed.
    case journal(JournalError)

    /// One sentence.
    public var description: String {
        switch self {
        case .full(let max): "The table of aliases would hold more than \(max); nothing of it was written."
        case .journal(let error): "The aliases could not be written: \(error)"
        }
    }
}

/// Reads and writes the alias table.
public struct AliasRecords: Sendable {
    private let pool: Pool
    private let max: Int

    /// Makes records on a pool; the table has at most `max` aliases.
    public init(pool: Pool, max: Int = AdapterLimits.aliases) { (self.pool, self.max) = (pool, max) }

    /// The whole table, at most `AdapterLimits.aliases` aliases.
    ///
    /// - Throws: `JournalError.postgres`.
    public func table() async throws(JournalError) -> AliasTable {
        do {
            // A table beyond the bound is reported, and not cut.
            let rows = try await pool.query(SQL.all, [.int(Int64(max) + 1)]) { row in try Self.alias(row) }
            if rows.count > max {
                Logger(label: "score.ingest").warning("aliases truncated", metadata: ["kept": "\(max)"])
            }
            return AliasTable(rows.prefix(max).compactMap(\.self))
        } catch { throw JournalError(error) }
    }

    /// A page of at most `limit` aliases behind a place, or from the beginning.
    ///
    /// - Throws: `JournalError.postgres`.
    public func page(after cursor: AliasCursor?, limit: Int) async throws(JournalError) -> AliasPage {
        let place = [cursor?.kind, cursor?.provider, cursor?.id].map { Bind.text(($0 ?? "").withoutNul) }
        let binds = place + [.int(Int64(limit) + 1)]
        do {
            return try await pool.withConnection { connection in
                let rows = try connection.query(SQL.page, binds) { row in
                    let cursor = AliasCursor(kind: try row.text(0), provider: try row.text(1), id: try row.text(2))
                    return (cursor: cursor, alias: try Self.alias(row))
                }
                let total = try connection.query(SQL.count, decode: { try $0.int(0) }).first ?? 0
                let page = rows.prefix(limit)
                return AliasPage(
                    aliases: page.compactMap(\.alias),
                    total: total,
                    next: rows.count > limit ? page.last?.cursor : nil
                )
            }
        } catch { throw JournalError(error) }
    }

    /// nil for a kind or provider of a newer server, which this one ignores.
    private static func alias(_ row: Row) throws -> Alias? {
        guard let kind = AliasKind(rawValue: try row.text(0)), let provider = Provider(rawValue: try row.text(1))
        else { return nil }
        return Alias(kind, provider, try row.text(2), means: try row.text(3))
    }

    /// Adds or replaces aliases, all or none, and notifies all nodes.
    ///
    /// - Parameter aliases: At most as many as the table may hold; of equal ids the last counts.
    /// - Throws: `AliasError`.
    public func put(_ aliases: [Alias]) async throws(AliasError) {
        guard aliases.count <= max else { throw .full(max: max) }
        let unique = AliasTable(aliases).aliases
        do {
            try await pool.transaction { connection in
                // Otherwise two calls at once could exceed the bound together.
                _ = try connection.execute(SQL.lock)
                for first in stride(from: 0, to: unique.count, by: IngestLimits.aliasBatchMax) {
                    let batch = unique[first..<min(first + IngestLimits.aliasBatchMax, unique.count)]
                    _ = try connection.execute(
                        SQL.put,
                        [
                            .texts(batch.map(\.kind.rawValue)), .texts(batch.map(\.provider.rawValue)),
                            .texts(batch.map(\.providerID.withoutNul)), .texts(batch.map(\.ourID.withoutNul)),
                        ]
                    )
                }
                let count = try connection.query(SQL.count, decode: { try $0.int(0) }).first ?? 0
                if count > max { throw AliasError.full(max: max) }
                _ = try connection.query(SQL.notify, [.text(IngestOrder.aliases.payload)], decode: { _ in () })
            }
        } catch let error as AliasError { throw error } catch { throw .journal(JournalError(error)) }
    }

    /// Deletes an alias, and notifies all nodes.
    ///
    /// - Returns: False when there was none.
    /// - Throws: `JournalError.postgres`.
    public func remove(_ kind: AliasKind, _ provider: Provider, _ id: String) async throws(JournalError) -> Bool {
        do {
            let binds: [Bind] = [.text(kind.rawValue), .text(provider.rawValue), .text(id.withoutNul)]
            let count = try await pool.execute(SQL.remove, binds)
            _ = try await pool.query(SQL.notify, [.text(IngestOrder.aliases.payload)], decode: { _ in () })
            return count > 0
        } catch { throw JournalError(error) }
    }

    private enum SQL {
        static let all = Statement(
            "select kind, provider, provider_id, our_id from alias order by kind, provider, provider_id limit $1"
        )
        static let page = Statement(
            """
            select kind, provider, provider_id, our_id from alias where (kind, provider, provider_id) > ($1, $2, $3)
            order by kind, provider, provider_id limit $4
            """
        )
        static let put = Statement(
            """
            insert into alias (kind, provider, provider_id, our_id)
            select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
            on conflict (kind, provider, provider_id) do update set our_id = excluded.our_id, added_at = now()
            """
        )
        static let lock = Statement("lock table alias in share row exclusive mode")
        static let count = Statement("select count(*) from alias")
        static let remove = Statement("delete from alias where kind = $1 and provider = $2 and provider_id = $3")
        static let notify = Statement("select pg_notify('ingest', $1)")
    }
}

/// This node's copy of the alias table.
public final class AliasCache: Sendable {
    private let state: Mutex<AliasTable>

    /// Starts with a table.
    public init(_ table: AliasTable = AliasTable()) { state = Mutex(table) }

    /// The current table.
    public var table: AliasTable { state.withLock { $0 } }

    /// Takes a newer table; returns whether it differs.
    @discardableResult
    public func take(_ table: AliasTable) -> Bool {
        state.withLock { state in
            defer { state = table }
            return state != table
        }
    }
}
