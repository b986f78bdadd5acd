// The alias table in Postgres, and the copy of it that pollers read on every reply.

public import Postgres
internal import ScoreTypes
internal import Synchronization

/// Reads and writes the alias table.
public struct AliasRecords: Sendable {
    /// Most aliases in one call: one league's players, in a statement of a few hundred kilobytes.
    public static let batchMax = 5_000

    private let pool: Pool

    /// Makes records on a pool.
    public init(pool: Pool) { self.pool = pool }

    /// The whole table.
    ///
    /// - Returns: A book of at most `AliasBook.aliasesMax` aliases.
    /// - Throws: `JournalError.postgres`.
    public func book() async throws(JournalError) -> AliasBook {
        do {
            let limit = Bind.int(Int64(AliasBook.aliasesMax))
            let rows = try await pool.query(SQL.all, [limit]) { row -> Alias? in
                // A newer server's kind or provider names nothing here.
                guard let kind = AliasKind(rawValue: try row.text(0)),
                    let provider = Provider(rawValue: try row.text(1))
                else { return nil }
                return Alias(kind, provider, try row.text(2), means: try row.text(3))
            }
            return AliasBook(rows.compactMap(\.self))
        } catch { throw JournalError(error) }
    }

    /// Adds aliases, or changes what they mean; all nodes are told.
    ///
    /// - Parameter aliases: At most `batchMax`; of equal ids the last counts.
    /// - Throws: `JournalError.postgres`.
    public func put(_ aliases: [Alias]) async throws(JournalError) {
        let unique = AliasBook(aliases.prefix(Self.batchMax)).aliases
        do {
            _ = try await pool.execute(
                SQL.put,
                [
                    .texts(unique.map(\.kind.rawValue)), .texts(unique.map(\.provider.rawValue)),
                    .texts(unique.map(\.providerID.withoutNul)), .texts(unique.map(\.ourID.withoutNul)),
                ]
            )
            _ = try await pool.query(SQL.notify, [.text(IngestOrder.aliases.payload)], decode: { _ in () })
        } catch { throw JournalError(error) }
    }

    /// Takes one alias away; all nodes are told.
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
        static let put = Statement(
            """
            insert into alias (kind, provider, provider_id, our_id)
            select * from unnest($1::text[], $2::text[], $3::text[], $4::text[])
            on conflict (kind, provider, provider_id) do update set our_id = excluded.our_id, added_at = now()
            """
        )
        static let remove = Statement("delete from alias where kind = $1 and provider = $2 and provider_id = $3")
        static let notify = Statement("select pg_notify('ingest', $1)")
    }
}

/// The alias table as this node knows it.
public final class AliasDesk: Sendable {
    private let state: Mutex<AliasBook>

    /// Starts with a book.
    public init(_ book: AliasBook = AliasBook()) { state = Mutex(book) }

    /// The book as it is now.
    public var book: AliasBook { state.withLock { $0 } }

    /// Takes a newer book.
    ///
    /// - Returns: Whether it says anything else.
    @discardableResult
    public func take(_ book: AliasBook) -> Bool {
        state.withLock { state in
            defer { state = book }
            return state != book
        }
    }
}
