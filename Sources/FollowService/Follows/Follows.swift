// Follows are written in batches and read by device.

public import Postgres
public import ScoreTypes

/// The store of follows.
public struct Follows: Sendable {
    private let pool: Pool
    private let clock: ServiceClock
    private let onWritten: @Sendable () -> Void
    private let writers: CallBatchers<FollowCall>
    /// Separate from `writers`, so that calls that wait for a registration do not delay the others.
    private let refreshes: CallBatchers<CopyRefresh>

    /// Makes the store.
    ///
    /// - `onWritten`: Called after each commit that changed something; wakes the arenas of this node.
    public init(
        pool: Pool,
        clock: ServiceClock,
        bounds: BatchBounds = BatchBounds(),
        onWritten: @escaping @Sendable () -> Void = {}
    ) {
        self.pool = pool
        self.clock = clock
        self.onWritten = onWritten
        writers = CallBatchers(bounds: bounds, clock: clock) { calls in
            let answers = try await FollowWriter.write(calls, in: pool, at: clock.wall)
            onWritten()
            return answers
        }
        refreshes = CallBatchers(bounds: bounds, clock: clock) { calls in
            if try await RegistrationBarrier.catchUp(calls.map(\.key), in: pool) { onWritten() }
            return calls.map { _ in }
        }
    }

    /// Stores that a device follows a match; a lower client sequence than the stored one changes nothing.
    ///
    /// - Throws: `busy` when too many calls wait, `unavailable` when PostgreSQL fails.
    public func put(
        _ settings: FollowSettings,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws(FollowError) -> FollowOutcome {
        try await write(
            FollowCall(device: device, match: settings.match, settings: settings, clientSequence: clientSequence)
        )
    }

    /// Stores that a device no longer follows a match; a lower client sequence than the stored one changes nothing.
    ///
    /// The unfollow has a row, so that a late follow does not revive it. An unknown match gets none: its row would
    /// stay, since only the rows of matches that have ended are deleted.
    ///
    /// - `isKnown`: Whether the match exists.
    /// - Throws: `busy` when too many calls wait, `unavailable` when PostgreSQL fails.
    public func remove(
        _ match: MatchID,
        of device: DeviceID,
        clientSequence: Int64,
        isKnown: Bool = true
    ) async throws(FollowError) -> FollowOutcome {
        try await write(
            FollowCall(
                device: device,
                match: match,
                settings: nil,
                clientSequence: clientSequence,
                isKnown: isKnown
            )
        )
    }

    private func write(_ call: FollowCall) async throws(FollowError) -> FollowOutcome {
        let answer = try await writers.submit(call, of: call.device)
        if answer.mayBeMissed { try await refreshes.submit(CopyRefresh(key: call.key), of: call.device) }
        return answer.outcome
    }

    /// The follows of a device, by match.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func list(_ device: DeviceID) async throws(FollowError) -> [Follow] {
        try await pool.rows(FollowStatements.list, device.binds) { try $0.follow() }
    }

    /// Makes a device follow exactly the listed matches; a match with a greater client sequence keeps its state.
    ///
    /// - `kept`: Matches that stay as they are, followed or not, although they are not listed.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func replaceAll(
        _ list: [FollowSettings],
        keeping kept: Set<MatchID> = [],
        of device: DeviceID,
        clientSequence: Int64
    ) async throws(FollowError) -> FollowListOutcome {
        let listed = Dictionary(list.map { ($0.match, $0) }) { _, last in last }
        let outcome = try await FollowError.mapping {
            try await FollowWriter.replaceAll(
                listed,
                keeping: kept,
                of: device,
                clientSequence: clientSequence,
                in: pool,
                at: clock.wall
            )
        }
        onWritten()
        return outcome
    }
}
