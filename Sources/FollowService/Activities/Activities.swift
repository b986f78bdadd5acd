// Thousands of activities start and end within seconds, so that they are written in batches.

public import Postgres
public import ScoreTypes

/// The store of Live Activities.
public struct Activities: Sendable {
    let pool: Pool
    let clock: ServiceClock
    let onWritten: @Sendable () -> Void
    private let registrations: CallBatchers<ActivityRegistration>
    private let ends: CallBatchers<ActivityEnd>

    /// Makes the store.
    ///
    /// - `pool`: Needs a connection for each of the four writers, and some for the rest.
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
        registrations = CallBatchers(bounds: bounds, clock: clock) { calls in
            let outcomes = try await ActivityWriter.register(calls, in: pool, at: clock.wall)
            onWritten()
            return outcomes
        }
        ends = CallBatchers(bounds: bounds, clock: clock) { calls in
            let outcomes = try await ActivityWriter.end(calls, in: pool, at: clock.wall)
            onWritten()
            return outcomes
        }
    }

    /// Stores an activity, its new token or its new channel.
    ///
    /// A newer activity id begins a new activity; every written registration grows the generation. The same call again
    /// writes nothing. An activity that its app ended stays ended.
    ///
    /// - Throws: `busy` when too many calls wait, `unavailable` when PostgreSQL fails.
    public nonisolated(nonsending) func register(
        _ registration: ActivityRegistration
    ) async throws(FollowError) -> ActivityOutcome {
        try await registrations.submit(registration, of: registration.device)
    }

    /// Stores that an app's activity has ended; a dismissed one is never started by push again.
    ///
    /// The dismissal of an unknown activity is stored for its registration, which is then answered as ended.
    ///
    /// - Throws: `busy` when too many calls wait, `unavailable` when PostgreSQL fails.
    public func end(_ end: ActivityEnd) async throws(FollowError) -> ActivityEndOutcome {
        let outcome = try await ends.submit(end, of: end.device)
        guard outcome == .unknown, end.reason == .dismissed else { return outcome }
        return try await endEarly([end]).first ?? outcome
    }

    /// Removes an activity from the fan-out and returns the data for the push that ends it on the phone.
    ///
    /// Nil when there is none that has not ended.
    ///
    /// - `clientSequence`: Only a registration with a lower client sequence; nil for all.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func beginEnd(
        match: MatchID,
        device: DeviceID,
        before clientSequence: Int64? = nil,
        reason: EndReason
    ) async throws(FollowError) -> EndingActivity? {
        let key = DeviceMatchKey(match: match, device: device)
        return try await beginEnd([(key, nil)], before: clientSequence, reason: reason).first
    }

    /// The same for many devices in one transaction; at most 1,000.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func beginEnd(
        match: MatchID,
        devices: [DeviceID],
        reason: EndReason
    ) async throws(FollowError) -> [EndingActivity] {
        let keys = devices.map { (key: DeviceMatchKey(match: match, device: $0), generation: Int32?.none) }
        return try await beginEnd(keys, reason: reason)
    }

    /// Ends activities whose end push was answered; a newer registration is not touched.
    ///
    /// - Returns: The number of ended activities.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    @discardableResult
    public func finishEnd(of activities: [EndingActivity]) async throws(FollowError) -> Int {
        let rows = activities.map { (DeviceMatchKey(match: $0.match, device: $0.device), $0.generation, Instant?.none) }
        return try await written { try await ActivityWriter.finish(rows, reason: nil, in: pool) }
    }

    func beginEnd(
        _ keys: [(key: DeviceMatchKey, generation: Int32?)],
        before clientSequence: Int64? = nil,
        reason: EndReason
    ) async throws(FollowError) -> [EndingActivity] {
        try await written {
            try await ActivityWriter.beginEnd(keys, before: clientSequence, reason: reason, in: pool, at: clock.wall)
        }
    }

    /// Runs a write, wakes the arenas and maps the errors.
    func written<R>(_ body: () async throws -> R) async throws(FollowError) -> R {
        let result = try await FollowError.mapping(body)
        onWritten()
        return result
    }
}
