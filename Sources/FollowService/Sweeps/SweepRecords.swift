// A timer, an operator and a cron job may ask for the same sweep; it runs once.

public import Postgres
public import ScoreTypes

/// What came of asking for a sweep.
public enum SweepOutcome: Sendable, Hashable {
    /// It ran now; the summary is one JSON object.
    case ran(summary: [UInt8])
    /// It had run before; the summary is the first one's.
    case repeated(summary: [UInt8])
    /// Somebody else runs it right now.
    case running
}

/// The record of sweeps: one row for each kind and slot.
public struct SweepRecords: Sendable {
    /// After this long without a summary a run counts as lost, and the slot is free again.
    public static let runMax = Duration.seconds(600)

    /// How long a slot is remembered: no scheduler repeats one that late.
    public static let keptMax = Duration.seconds(24 * 3600)

    private static let take = Statement(
        """
        insert into sweep_run as s (kind, slot, at) values ($1, $2, $3)
        on conflict (kind, slot) do update set at = excluded.at where s.summary is null and s.at < $4
        """
    )

    private static let read = Statement("select summary from sweep_run where kind = $1 and slot = $2")

    private static let finish = Statement(
        "update sweep_run set summary = $3 where kind = $1 and slot = $2 and at = $4"
    )

    private static let forget = Statement("delete from sweep_run where kind = $1 and at < $2")

    private static let release = Statement(
        "delete from sweep_run where kind = $1 and slot = $2 and at = $3 and summary is null"
    )

    private let pool: Pool
    private let clock: ServiceClock

    /// Makes the ledger.
    public init(pool: Pool, clock: ServiceClock) {
        self.pool = pool
        self.clock = clock
    }

    /// Runs the body unless the slot was swept before.
    ///
    /// - `kind`: The name of the sweep.
    /// - `slot`: The time that the sweep stands for, as text: equal text, equal sweep.
    /// - `body`: Does the sweep and returns its summary, one JSON object; when it throws, the slot is free again.
    /// - Throws: `FollowError` of the ledger, or what the body throws.
    public func once(
        kind: String,
        slot: String,
        _ body: () async throws -> [UInt8]
    ) async throws -> SweepOutcome {
        let place: [Bind] = [.text(kind), .text(slot)]
        let now = clock.wall
        let isMine = try await sorted {
            try await pool.execute(
                Self.take,
                place + [.timestamp(now), .timestamp(now + (.zero - Self.runMax))]
            ) == 1
        }
        guard isMine else {
            let summary = try await sorted {
                try await pool.query(Self.read, place) { try $0.jsonIfPresent(0) }.first
            }
            return summary.flatMap { $0 }.map { .repeated(summary: $0) } ?? .running
        }
        do {
            let summary = try await body()
            try await sorted { try await pool.execute(Self.finish, place + [.json(summary), .timestamp(now)]) }
            _ = try? await pool.execute(Self.forget, [.text(kind), .timestamp(now + (.zero - Self.keptMax))])
            return .ran(summary: summary)
        } catch {
            _ = try? await pool.execute(Self.release, place + [.timestamp(now)])
            throw error
        }
    }

    @discardableResult
    private func sorted<R>(_ work: () async throws -> R) async throws(FollowError) -> R {
        do {
            return try await work()
        } catch {
            throw FollowError(error)
        }
    }
}
