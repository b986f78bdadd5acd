// A phone's list of activities is compared with the store, and the store is corrected.

internal import Postgres
public import ScoreTypes

private enum ReconcileStatements {
    static let activities: Statement = """
        select a.match_id, a.activity_id, a.gen, a.client_seq, a.state, a.end_reason,
               case when a.channel_id is null then left(encode(sha256(a.token), 'hex'), 12) end,
               coalesce(case when a.channel_id is null then f.sent_rev else c.sent_rev end, 0), a.started_at
        from activity a
        left join fanout f on f.match_id = a.match_id and f.bucket = a.bucket
        left join channel c on c.env = a.env and c.channel_id = a.channel_id
        where a.bucket = $1 and a.device_id = $2
        """

    static let unfollowed: Statement =
        "select match_id, client_seq from follow where bucket = $1 and device_id = $2 and wants = 0"
}

extension Activities {
    /// Compares an app's list of its activities with the store, and ends stored activities that the app no longer has.
    ///
    /// - `clientSequence`: The device's count of its changes; registrations with a greater one are not compared.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func reconcile(
        device: DeviceID,
        reported: [ReportedActivity],
        clientSequence: Int64
    ) async throws(FollowError) -> ReconcileOutcome {
        let dismissed = reported.filter { $0.state == .dismissed }
        let unknown = try await dismiss(dismissed, of: device, clientSequence: clientSequence)
        let (stored, unfollowed) = try await FollowError.mapping {
            try await pool.withConnection { connection in
                (
                    try connection.query(ReconcileStatements.activities, device.binds) { try $0.reconciled() },
                    try connection.query(ReconcileStatements.unfollowed, device.binds) {
                        (match: MatchID(unchecked: try $0.text(0)), clientSequence: try $0.int(1))
                    }
                )
            }
        }
        let comparison = Reconciliation(
            reported: reported,
            stored: stored,
            unfollowed: Dictionary(unfollowed.map { ($0.match, $0.clientSequence) }) { first, _ in first },
            clientSequence: clientSequence
        )
        // A stored activity of the match has been ended by a push, or reports its own end.
        let unstored = unknown.subtracting(stored.map(\.match)).sorted()
        if !unstored.isEmpty {
            let keys = unstored.map { (key: DeviceMatchKey(match: $0, device: device), clientSequence: clientSequence) }
            try await pool.commit { try $0.dismiss(keys) }
        }
        for reason in Set(comparison.closing.map(\.reason)) {
            let rows = comparison.closing.filter { $0.reason == reason }.map {
                (DeviceMatchKey(match: $0.match, device: device), $0.generation, Instant?.none)
            }
            _ = try await written { try await ActivityWriter.finish(rows, reason: reason, in: pool) }
        }
        return comparison.outcome
    }

    /// The active activities of a device among those that it names with the revision that each shows.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func shown(
        _ revisions: [ActivityID: Int64],
        by device: DeviceID
    ) async throws(FollowError) -> [ShownActivity] {
        guard !revisions.isEmpty else { return [] }
        let stored = try await pool.rows(ReconcileStatements.activities, device.binds) { try $0.reconciled() }
        return stored.compactMap { activity in revisions[activity.activityID].flatMap { activity.showing($0) } }
    }

    /// Ends the dismissed activities.
    ///
    /// - Returns: The matches of unknown activities: dismissed before their registration, or ended long ago.
    private func dismiss(
        _ dismissed: [ReportedActivity],
        of device: DeviceID,
        clientSequence: Int64
    ) async throws(FollowError) -> Set<MatchID> {
        guard !dismissed.isEmpty else { return [] }
        let ends = dismissed.map {
            ActivityEnd(device: device, activityID: $0.activityID, reason: .dismissed, clientSequence: clientSequence)
        }
        let outcomes = try await written { try await ActivityWriter.end(ends, in: pool) }
        let places = outcomes.indices.filter { outcomes[$0] == .unknown }
        guard !places.isEmpty else { return [] }
        let late = try await endEarly(places.map { ends[$0] })
        return Set(zip(places, late).filter { $1 == .unknown }.map { dismissed[$0.0].match })
    }
}

extension Row {
    fileprivate func reconciled() throws -> Reconciliation.Stored {
        Reconciliation.Stored(
            match: MatchID(unchecked: try text(0)),
            activityID: ActivityID(unchecked: try text(1)),
            generation: try medium(2),
            clientSequence: try int(3),
            isActive: try int(4) == 1,
            endReason: try textIfPresent(5).flatMap { EndReason(rawValue: $0) },
            fingerprint: try textIfPresent(6),
            accepted: try int(7),
            startedAt: try timestamp(8)
        )
    }
}
