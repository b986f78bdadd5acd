// A phone ends an activity after eight hours, and some matches last longer: it is started again before that.

internal import Postgres
public import ScoreTypes

/// Finds what has to be started again, and on which devices that can be done by push.
public struct Renewals: Sendable {
    /// Age at which an activity or a channel's generation is renewed: half an hour before the phone ends it.
    public static let age = Duration.seconds(27_000)

    private static let onChannel = Statement(
        """
        select device_id, gen from activity
        where match_id = $1 and bucket = $2 and channel_id = $3 and state = 1
        """
    )

    private static let anyOnChannel = Statement(
        "select 1::bigint from activity where match_id = $1 and channel_id = $2 and state = 1 limit 1"
    )

    private static let starts = Statement(
        """
        with target as materialized (
            select f.match_id, f.bucket, f.device_id
            from unnest($2, $3) as r(bucket, device_id)
            join follow f on f.match_id = $1 and f.bucket = r.bucket and f.device_id = r.device_id
            where f.wants = 1 and f.wants_activity and not f.dismissed
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

    private let activities: Activities

    /// Makes the finder.
    public init(activities: Activities) { self.activities = activities }

    /// The active activities of one bucket on a channel.
    public func activities(
        on channel: ChannelID,
        of match: MatchID,
        in bucket: Bucket
    ) async throws(FollowError) -> [(device: DeviceID, generation: Int32)] {
        let binds: [Bind] = [.text(match.text), .smallint(bucket.number), .text(channel.text)]
        do {
            return try await activities.pool.query(Self.onChannel, binds) { (try $0.uuid(0), try $0.medium(1)) }
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

    /// Takes activities of a match out of the fan-out, and names the devices on which new ones can be started by push.
    ///
    /// - `old`: Devices and the generations of what grows too old there; newer registrations are not touched.
    /// - Returns: What is to be ended on phones, and whom to start; the starts are marked as sent.
    public func renew(
        _ old: [(device: DeviceID, generation: Int32)],
        of match: MatchID
    ) async throws(FollowError) -> (ending: [EndingActivity], starts: [StartCandidate]) {
        let keys = old.map { (key: DeviceMatchKey(match: match, device: $0.device), generation: Int32?($0.generation)) }
        let ending = try await activities.beginEnd(keys, reason: .expired)
        let devices = ending.map(\.device)
        let binds: [Bind] = [
            .text(match.text), .smallints(devices.map { Bucket(of: $0).number }), .uuids(devices),
            .timestamp(activities.clock.wall),
        ]
        do {
            let found = try await activities.pool.transaction { connection in
                try connection.query(Self.starts, binds) { try StartCandidates.candidate($0) }
            }
            return (ending, found.compactMap(\.candidate))
        } catch {
            throw FollowError(error)
        }
    }
}
