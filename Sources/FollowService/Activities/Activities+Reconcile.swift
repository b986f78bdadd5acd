// The comparison of a phone's list with ours, read and written.

internal import Postgres
public import ScoreTypes

private enum ReconcileStatements {
    static let activities = Statement(
        """
        select a.match_id, a.activity_id, a.gen, a.client_seq, a.state, a.end_reason,
               case when a.channel_id is null then left(encode(sha256(a.token), 'hex'), 12) end,
               coalesce(case when a.channel_id is null then f.sent_rev else c.sent_rev end, 0), a.started_at
        from activity a
        left join fanout f on f.match_id = a.match_id and f.bucket = a.bucket
        left join channel c on c.env = a.env and c.channel_id = a.channel_id
        where a.bucket = $1 and a.device_id = $2
        """
    )

    static let unfollowed = Statement("select match_id from follow where bucket = $1 and device_id = $2 and wants = 0")
}

extension Activities {
    /// Compares an app's list of its activities with the store, and closes what the app no longer has.
    ///
    /// - `clientSeq`: The device's count; what was registered with a higher one is left alone.
    public func reconcile(
        device: DeviceID,
        reported: [ReportedActivity],
        clientSeq: Int64
    ) async throws(FollowError) -> ReconcileOutcome {
        let dismissed = reported.filter(\.isDismissed).map {
            ActivityEnd(device: device, activityID: $0.activityID, reason: .dismissed, clientSeq: clientSeq)
        }
        let place: [Bind] = [.smallint(Bucket(of: device).number), .uuid(device)]
        do {
            if !dismissed.isEmpty { _ = try await written { try await ActivityWriter.end(dismissed, in: pool) } }
            let (stored, unfollowed) = try await pool.withConnection { connection in
                (
                    try connection.query(ReconcileStatements.activities, place) { try $0.reconciled() },
                    try connection.query(ReconcileStatements.unfollowed, place) { MatchID(unchecked: try $0.text(0)) }
                )
            }
            let comparison = Reconciliation(
                reported: reported,
                stored: stored,
                unfollowed: Set(unfollowed),
                clientSeq: clientSeq
            )
            for reason in Set(comparison.closing.map(\.reason)) {
                let rows = comparison.closing.filter { $0.reason == reason }.map {
                    (DeviceMatchKey(match: $0.match, device: device), $0.generation, Instant?.none)
                }
                _ = try await written { try await ActivityWriter.finish(rows, reason: reason, in: pool) }
            }
            return comparison.outcome
        } catch {
            throw FollowError(error)
        }
    }
}

extension Row {
    fileprivate func reconciled() throws -> Reconciliation.Stored {
        Reconciliation.Stored(
            match: MatchID(unchecked: try text(0)),
            activityID: ActivityID(unchecked: try text(1)),
            generation: try medium(2),
            clientSeq: try int(3),
            isActive: try int(4) == 1,
            endReason: try textIfPresent(5).flatMap { EndReason(rawValue: $0) },
            fingerprint: try textIfPresent(6),
            accepted: try int(7),
            startedAt: try timestamp(8)
        )
    }
}
