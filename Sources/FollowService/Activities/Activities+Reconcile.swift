// A phone's list of activities is compared with the store, and the store is corrected.

internal import Postgres
public import ScoreTypes

private enum ReconcileStatements {
    static let activities: Statement = """
        select a.match_id, a.activity_id, a.gen, a.client_seq, a.state, a.end_reason,
               case when a.channel_id is null then left(encode(sha256(a.token), 'hex'), 12) end,
               coalesce(case when a.channel_id is null then f.sent_rev else c.sent_rev end, 0), a.started_at,
               a.channel_id
        from activity a
        left join fanout f on f.match_id = a.match_id and f.bucket = a.bucket
        left join channel c on c.env = a.env and c.channel_id = a.channel_id
        where a.bucket = $1 and a.device_id = $2
        """

    static let movedTokens = Statement("select moved_tokens from device where bucket = $1 and device_id = $2")

    static let unfollowed: Statement =
        "select match_id, client_seq from follow where bucket = $1 and device_id = $2 and wants = 0"

    /// The channels among $3 in the device's environment on which something is still broadcast.
    static let channels: Statement = """
        select c.match_id, c.channel_id, c.env
        from device d join channel c on c.env = d.env and c.channel_id = any($3)
        where d.bucket = $1 and d.device_id = $2 and c.retired_at is null
        """

    /// Notes the time of a reconcile ($3), unless one since $4 is noted.
    static let note: Statement = """
        update device set reconciled_at = $3, seen_at = $3
        where bucket = $1 and device_id = $2 and erased_at is null and (reconciled_at is null or reconciled_at < $4)
        """

    /// Corrects the starts of a device by its own list: $3 and $4 are unregistered activities on channels, $5 are the
    /// matches with a running activity.
    static let settleStarts: Statement = """
        with target as materialized (
            select f.match_id, r.channel
            from follow f left join unnest($3, $4) as r(match_id, channel) on r.match_id = f.match_id
            where f.bucket = $1 and f.device_id = $2
              and (r.channel is not null or f.start_channel is not null and f.match_id <> all($5))
            order by f.match_id for update of f
        )
        update follow f
        set start_channel = t.channel,
            start_sent_at = case when t.channel is null then f.start_sent_at else $6 end
        from target t
        where f.match_id = t.match_id and f.bucket = $1 and f.device_id = $2
        """
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
        let named = reported.filter(\.isRunning).compactMap(\.channel?.text)
        let (stored, unfollowed, channels, movedTokens) = try await FollowError.mapping {
            try await pool.withConnection { connection in
                (
                    try connection.query(ReconcileStatements.activities, device.binds) { try $0.reconciled() },
                    try connection.query(ReconcileStatements.unfollowed, device.binds) {
                        (match: MatchID(unchecked: try $0.text(0)), clientSequence: try $0.int(1))
                    },
                    named.isEmpty
                        ? []
                        : try connection.query(ReconcileStatements.channels, device.binds + [.texts(named)]) {
                            (
                                match: MatchID(unchecked: try $0.text(0)), channel: try $0.textIfPresent(1),
                                environment: try $0.environment(2)
                            )
                        },
                    try connection.query(ReconcileStatements.movedTokens, device.binds) { try $0.movedTokens(0) }
                )
            }
        }
        let comparison = Reconciliation(
            reported: reported,
            stored: stored,
            unfollowed: Dictionary(unfollowed.map { ($0.match, $0.clientSequence) }) { first, _ in first },
            channels: Dictionary(grouping: channels, by: \.match).mapValues {
                Set($0.compactMap { $0.channel.flatMap { ChannelID($0) } })
            },
            clientSequence: clientSequence
        )
        try await settleStarts(of: device, in: channels.first?.environment, by: comparison)
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
        var outcome = comparison.outcome
        outcome.movedTokens = movedTokens.first ?? []
        return outcome
    }

    /// Corrects the starts that count as activities by what the phone shows; the environment is that of its channels.
    private func settleStarts(
        of device: DeviceID,
        in environment: PushEnvironment?,
        by comparison: Reconciliation
    ) async throws(FollowError) {
        let started = comparison.started.sorted { $0.key < $1.key }
        let binds: [Bind] =
            device.binds + [
                .texts(started.map(\.key.text)), .texts(started.map(\.value.text)),
                .texts(comparison.shownMatches.map(\.text)), .timestamp(clock.wall),
            ]
        let now = clock.wall
        try await pool.commit { connection in
            let age = [Bind.timestamp(now), .timestamp(now - FollowLimits.reconcileNoteAge)]
            try connection.execute(ReconcileStatements.note, device.binds + age)
            try connection.execute(ReconcileStatements.settleStarts, binds)
            guard let environment else { return }
            try connection.openChannels(started.map { (environment, $0.value) }, at: clock.wall)
        }
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
        let outcomes = try await written { try await ActivityWriter.end(ends, in: pool, at: clock.wall) }
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
            channel: try textIfPresent(9).flatMap { ChannelID($0) },
            accepted: try int(7),
            startedAt: try timestamp(8)
        )
    }
}
