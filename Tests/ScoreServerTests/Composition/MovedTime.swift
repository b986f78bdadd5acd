// Activities live eight hours of real time, so that a test moves the time of a node, its database, APNs and phones.

import Postgres
import ScoreTypes
import Synchronization
import Testing

/// Time that runs as usual, and that a test moves ahead by minutes.
final class MovedTime: Sendable {
    /// The speed of the node's domain time: rounds and paces take parts of a second.
    private static let speed = 200

    private let real = ServiceClock()
    private let moved = Mutex(Duration.zero)

    /// The time by which the clocks were moved.
    var total: Duration { moved.withLock { $0 } }

    /// The clock of a node: its monotonic time is real, since its term and its requests are.
    var node: ServiceClock {
        ServiceClock(speed: Self.speed, monotonic: { [real] in real.monotonic }, wall: { [self] in real.wall + total })
    }

    /// The clock of phones, and of APNs.
    var phones: ServiceClock {
        ServiceClock(monotonic: { [self] in real.monotonic + total }, wall: { [self] in real.wall + total })
    }

    /// Lets the statements of later sessions read the moved time.
    ///
    /// PostgreSQL resolves the name of a function by the search path. No sweep runs: half an hour of silence is domain
    /// time, which the speed shortens, and a step of the wall clock would look like silence.
    func prepare(_ pool: Pool) async throws {
        let statements: [Statement] = [
            "create schema moved",
            "create table moved.time (span interval not null)",
            "insert into moved.time values ('0')",
            """
            create function moved.now() returns timestamptz language sql stable
            as $$ select pg_catalog.now() + span from moved.time $$
            """,
            """
            create function moved.clock_timestamp() returns timestamptz language sql volatile
            as $$ select pg_catalog.clock_timestamp() + span from moved.time $$
            """,
            """
            create function moved.refuse_sweep() returns trigger language plpgsql
            as $$ begin raise exception 'no sweep while a test moves the clocks'; end $$
            """,
            """
            create trigger no_sweep before insert on sweep_run
            for each row execute function moved.refuse_sweep()
            """,
            """
            do $$ begin
                execute format('alter database %I set search_path = moved, public, pg_catalog', current_database());
            end $$
            """,
        ]
        for statement in statements { try await pool.execute(statement) }
    }

    /// Moves all clocks ahead; the term of the node moves along.
    func advance(by span: Duration, _ pool: Pool) async throws {
        let move = Statement(
            """
            with shift as (select make_interval(secs => $1) as span),
            moved as (update moved.time t set span = t.span + shift.span from shift)
            update node set expires_at = expires_at + shift.span from shift
            """
        )
        try await pool.execute(move, [.double(Double(span.milliseconds) / 1000)])
        moved.withLock { $0 += span }
    }
}
