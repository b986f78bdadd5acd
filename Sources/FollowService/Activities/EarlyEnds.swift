// A dismissal may arrive before the activity is registered; it is stored, so that the late registration starts nothing.

internal import Foundation
internal import Postgres
internal import ScoreTypes

/// The activities that a device dismissed before their registration, with the client sequence of each dismissal.
struct EarlyEnds: Sendable, Hashable {
    private let sequences: [String: Int64]

    /// Reads the column; an object that does not decode counts as empty.
    init(json: [UInt8]) { sequences = (try? JSONDecoder().decode([String: Int64].self, from: Data(json))) ?? [:] }

    /// The client sequence of an activity's dismissal; nil for one that was not dismissed.
    func sequence(of activity: ActivityID) -> Int64? { sequences[activity.text] }

    /// Stores a dismissal; the oldest ones beyond the limit are forgotten.
    static let note: Statement = """
        update device d set early_ends = (
            select jsonb_object_agg(kept.key, kept.value)
            from (
                select e.key, e.value
                from jsonb_each(coalesce(d.early_ends, '{}') || jsonb_build_object($3::text, $4::bigint)) e
                order by e.value::bigint desc limit $5
            ) kept
        )
        where d.bucket = $1 and d.device_id = $2 and d.erased_at is null
        """
}

extension Activities {
    /// Stores dismissals of activities that are not registered, and ends those whose registration was in flight.
    ///
    /// - Returns: The outcomes in the order of the dismissals.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    func endEarly(_ dismissals: [ActivityEnd]) async throws(FollowError) -> [ActivityEndOutcome] {
        try await written {
            try await pool.transaction { connection in
                for dismissal in dismissals {
                    let binds: [Bind] = [
                        .text(dismissal.activityID.text), .int(dismissal.clientSequence),
                        .int(Int64(FollowLimits.earlyEndsPerDevice)),
                    ]
                    try connection.execute(EarlyEnds.note, dismissal.device.binds + binds)
                }
            }
            // A registration that began before the commit does not see it, and has committed after this.
            try await RegistrationBarrier.end(in: pool)
            return try await ActivityWriter.end(dismissals, in: pool, at: clock.wall)
        }
    }
}
