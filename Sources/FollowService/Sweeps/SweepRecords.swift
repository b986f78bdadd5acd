// A timer, an operator and a scheduler may start the same sweep; it runs once, and every node can read how it went.

public import Postgres
public import ScoreTypes

/// The result of a call for a sweep; the summary is one JSON object.
public enum SweepOutcome: Sendable, Hashable {
    /// It ran now.
    case ran(summary: [UInt8])
    /// It had run before; the summary is that of the first run.
    case repeated(summary: [UInt8])
    /// Another caller runs it now.
    case running
}

/// One stored run of a sweep.
public struct SweepRun: Sendable, Hashable {
    /// The time that it stands for, as text.
    public let slot: String
    /// When it began.
    public let at: Instant
    /// The timer of a node, a scheduler or an operator.
    public let caller: String
    /// One JSON object; nil while it runs, and after a failure.
    public let summary: [UInt8]?
    /// Why it failed; nil unless it did.
    public let error: String?
}

/// The store of sweeps: one row for each kind and slot.
public struct SweepRecords: Sendable {
    private static let take: Statement = """
        insert into sweep_run as s (kind, slot, at, caller) values ($1, $2, $3, $5)
        on conflict (kind, slot) do update set at = excluded.at, caller = excluded.caller, error = null
        where s.summary is null and (s.error is not null or s.at < $4)
        """

    private static let read = Statement("select summary from sweep_run where kind = $1 and slot = $2")

    private static let finish: Statement =
        "update sweep_run set summary = $3 where kind = $1 and slot = $2 and at = $4"

    private static let fail: Statement =
        "update sweep_run set error = $3 where kind = $1 and slot = $2 and at = $4 and summary is null"

    /// The last success stays, however long ago it was.
    private static let forget: Statement = """
        delete from sweep_run where kind = $1 and at < $2 and (summary is null
            or at < (select max(at) from sweep_run where kind = $1 and summary is not null))
        """

    private static let runs: Statement = """
        select slot, at, caller, summary, error from sweep_run where kind = $1 order by at desc, slot limit $2
        """

    private static let lastSuccess: Statement =
        "select at from sweep_run where kind = $1 and summary is not null order by at desc limit 1"

    let pool: Pool
    let clock: ServiceClock

    /// Makes the store.
    public init(pool: Pool, clock: ServiceClock) { (self.pool, self.clock) = (pool, clock) }

    /// Runs the body unless the slot was swept before.
    ///
    /// - `slot`: The time that the sweep stands for, as text; equal texts are one sweep.
    /// - `body`: Sweeps, and returns the summary as one JSON object; when it throws, the slot is free again.
    /// - Throws: `FollowError` when PostgreSQL cannot answer, or the error of the body.
    public func once(
        kind: String,
        slot: String,
        by caller: String,
        _ body: () async throws -> [UInt8]
    ) async throws -> SweepOutcome {
        let place: [Bind] = [.text(kind), .text(slot)]
        let now = clock.wall
        let lost = now - FollowLimits.sweepRunTime
        let taken = try await pool.write(
            Self.take,
            place + [.timestamp(now), .timestamp(lost), .text(caller)]
        )
        guard taken == 1 else {
            let summary = try await self.summary(kind: kind, slot: slot)
            return summary.map { .repeated(summary: $0) } ?? .running
        }
        do {
            let summary = try await body()
            try await pool.write(Self.finish, place + [.json(summary), .timestamp(now)])
            await forget(kind, before: now - FollowLimits.sweepAge)
            return .ran(summary: summary)
        } catch {
            let text = String("\(error)".prefix(FollowLimits.sweepErrorLength))
            _ = try? await pool.execute(Self.fail, place + [.text(text), .timestamp(now)])
            await forget(kind, before: now - FollowLimits.sweepAge)
            throw error
        }
    }

    /// The summary of the run of a slot; nil when none has succeeded.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func summary(kind: String, slot: String) async throws(FollowError) -> [UInt8]? {
        let binds: [Bind] = [.text(kind), .text(slot)]
        let rows = try await pool.rows(Self.read, binds) { try $0.jsonIfPresent(0) }
        return rows.first ?? nil
    }

    /// The newest runs of a kind, the newest first, and when it last succeeded.
    ///
    /// - Throws: `FollowError` when PostgreSQL cannot answer.
    public func runs(
        of kind: String,
        limit: Int
    ) async throws(FollowError) -> (runs: [SweepRun], lastSuccess: Instant?) {
        let runs = try await pool.rows(Self.runs, [.text(kind), .int(Int64(limit))]) { row in
            SweepRun(
                slot: try row.text(0),
                at: try row.timestamp(1),
                caller: try row.text(2),
                summary: try row.jsonIfPresent(3),
                error: try row.textIfPresent(4)
            )
        }
        return (runs, try await pool.rows(Self.lastSuccess, [.text(kind)]) { try $0.timestamp(0) }.first)
    }

    private func forget(_ kind: String, before time: Instant) async {
        _ = try? await pool.execute(Self.forget, [.text(kind), .timestamp(time)])
    }
}
