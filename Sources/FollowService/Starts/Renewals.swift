// A phone ends an activity after eight hours, and some matches last longer: it is started again before that.

internal import Postgres
public import ScoreTypes

/// Starts again what grows too old, and ends what could not be.
///
/// The old activity stays in the fan-out until its device has registered the new one.
public struct Renewals: Sendable {
    /// Age at which an activity, or a channel's generation, is started again: half an hour before the phone ends it.
    public static let age = Duration.seconds(27_000)
    /// Age at which what was not renewed is ended with a word, before the phone does it without one.
    public static let ageMax = Duration.seconds(28_500)
    /// Activities renewed or ended at once: no transaction is long.
    public static let pageMax = 500

    private static let starts = Statement(
        """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id
            from unnest($2, $3) as r(bucket, device_id)
            join follow f on f.match_id = $1 and f.bucket = r.bucket and f.device_id = r.device_id
            where f.wants = 1 and f.wants_activity and not f.dismissed
              and (f.start_sent_at is null or f.start_sent_at < $5)
            order by f.bucket, f.device_id for update of f
        ), marked as (
            update follow f set start_sent_at = $4 from target t
            where f.match_id = t.match_id and f.bucket = t.bucket and f.device_id = t.device_id
            returning f.bucket, f.device_id, f.team_intent, f.alerts
        )
        select f.bucket, f.device_id, d.start_token, d.start_gen, d.env, d.start_variant, d.abilities, d.schema_version,
               f.team_intent, f.alerts, d.quiet_from, d.quiet_until
        from marked f join device d on d.bucket = f.bucket and d.device_id = f.device_id
        where d.start_token is not null and d.abilities & 1 = 1
        """
    )

    /// Who is on a channel and was not started again; each page is marked, and so not found a second time.
    private static let waiting = Statement(
        """
        select a.device_id
        from activity a
        join follow f on f.match_id = a.match_id and f.bucket = a.bucket and f.device_id = a.device_id
        where a.match_id = $1 and a.bucket = $2 and a.channel_id = $3 and a.state = 1
          and f.wants = 1 and f.wants_activity and not f.dismissed
          and (f.start_sent_at is null or f.start_sent_at < $4)
        limit $5
        """
    )

    private static let anyOnChannel = Statement(
        "select 1::bigint from activity where match_id = $1 and channel_id = $2 and state = 1 limit 1"
    )

    private let activities: Activities

    /// Makes the finder.
    public init(activities: Activities) { self.activities = activities }

    /// Marks devices of a match as started again, and returns those on which that can be done by push.
    ///
    /// Who follows no longer is not started, and nobody twice: a start sent since renewal was due is this renewal's.
    public func start(_ devices: [DeviceID], of match: MatchID) async throws(FollowError) -> [StartCandidate] {
        let binds: [Bind] = [
            .text(match.text), .smallints(devices.map { Bucket(of: $0).number }), .uuids(devices),
            .timestamp(activities.clock.wall), .timestamp(began),
        ]
        do {
            return try await activities.pool.transaction { connection in
                try connection.query(Self.starts, binds) { try StartCandidates.candidate($0) }
            }.compactMap(\.candidate)
        } catch {
            throw FollowError(error)
        }
    }

    /// The next devices of one bucket that are on a channel and were not started again; empty when all were.
    public func waiting(
        on channel: ChannelID,
        of match: MatchID,
        in bucket: Bucket
    ) async throws(FollowError) -> [DeviceID] {
        let binds: [Bind] = [
            .text(match.text), .smallint(bucket.number), .text(channel.text), .timestamp(began),
            .int(Int64(Self.pageMax)),
        ]
        do {
            return try await activities.pool.query(Self.waiting, binds) { try $0.uuid(0) }
        } catch {
            throw FollowError(error)
        }
    }

    /// Whether no activity of any bucket is active on a channel.
    public func isEmpty(_ channel: ChannelID, of match: MatchID) async throws(FollowError) -> Bool {
        do {
            return try await activities.pool.query(Self.anyOnChannel, [.text(match.text), .text(channel.text)]) {
                try $0.int(0)
            }.isEmpty
        } catch {
            throw FollowError(error)
        }
    }

    /// Takes activities out of the fan-out that were not renewed in time; returns what ends them on their phones.
    public func end(_ old: [HeldActivity], of match: MatchID) async throws(FollowError) -> [EndingActivity] {
        let keys = old.map { (key: DeviceMatchKey(match: match, device: $0.device), generation: Int32?($0.generation)) }
        return try await activities.beginEnd(keys, reason: .expired)
    }

    /// The earliest moment at which a start can have been a renewal that is still under way.
    private var began: Instant { activities.clock.wall + (Self.age - Self.ageMax) }
}
