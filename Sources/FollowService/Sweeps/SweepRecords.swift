// A timer, an operator and a scheduler may start the same sweep; it runs once.

internal import Postgres
internal import ScoreTypes

/// The result of a call for a sweep; the summary is one JSON object.
public enum SweepOutcome: Sendable, Hashable {
    /// It ran now.
    case ran(summary: [UInt8])
    /// It had run before; the summary is that of the first run.
    case repeated(summary: [UInt8])
    /// Another caller runs it now.
    case running
}

/// The store of sweeps: one row for each kind and slot.
public struct SweepRecords: Sendable {
    private static let take: Statement = """
        insert into sweep_run as s (kind, slot, at) values ($1, $2, $3)
        on conflict (kind, slot) do update set at = excluded.at where s.summary is null and s.at < $4
        """

    private static let read = Statement("select summary from sweep_run where kind = $1 and slot = $2")

    private static let finish: Statement =
        "update sweep_run set summary = $3 where kind = $1 and slot = $2 and at = $4"

    private static let forget = Statement("delete from sweep_run where kind = $1 and at < $2")

    private static let release: Statement =
        "delete from sweep_run where kind = $1 and slot = $2 and at = $3 and summary is null"

    let pool: Pool
    let clock: ServiceClock

    /// Runs the body unless the slot was swept before.
    ///
    /// - `slot`: The time that the sweep stands for, as text; equal texts are one sweep.
    /// - `body`: Sweeps, and returns the summary as one JSON object; when it throws, the slot is free again.
    /// - Throws: `FollowError` when PostgreSQL cannot answer, or the error of the body.
    public func once(
        kind: String,
        slot: String,
        _ body: () async throws -> [UInt8]
    ) async throws -> SweepOutcome {
        let place: [Bind] = [.text(kind), .text(slot)]
        let now = clock.wall
        let lost = now - FollowLimits.sweepRunTime
        let taken = try await pool.write(Self.take, place + [.timestamp(now), .timestamp(lost)])
        guard taken == 1 else {
            let summary = try await pool.rows(Self.read, place) { try $0.jsonIfPresent(0) }.first ?? nil
            return summary.map { .repeated(summary: $0) } ?? .running
        }
        do {
            let summary = try await body()
            try await pool.write(Self.finish, place + [.json(summary), .timestamp(now)])
            _ = try? await pool.execute(Self.forget, [.text(kind), .timestamp(now - FollowLimits.sweepAge)])
            return .ran(summary: summary)
        } catch {
            _ = try? await pool.execute(Self.release, place + [.timestamp(now)])
            throw error
        }
    }
}
