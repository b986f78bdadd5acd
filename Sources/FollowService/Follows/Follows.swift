// Who follows what; written in batches, read one device at a time.

public import Postgres
public import ScoreTypes

/// The store of follows.
public struct Follows: Sendable {
    /// Matches that one device may follow at once: more than anybody watches, few enough to list in one reply.
    ///
    /// What is over does not count; it is dropped two days later.
    public static let perDeviceMax = 50

    private let pool: Pool
    private let clock: ServiceClock
    private let onWritten: @Sendable () -> Void
    private let lanes: LaneSet<FollowCall>
    /// Apart from the writes: what waits for a registration that stands still must not hold up who need not.
    private let catchUps: LaneSet<WishCatchUp>

    /// Makes the store.
    ///
    /// - `onWritten`: Called after each commit that changed something; wakes the arenas of this node.
    public init(
        pool: Pool,
        clock: ServiceClock,
        bounds: LaneBounds = LaneBounds(),
        onWritten: @escaping @Sendable () -> Void = {}
    ) {
        self.pool = pool
        self.clock = clock
        self.onWritten = onWritten
        lanes = LaneSet(bounds: bounds, clock: clock) { calls in
            let answers = try await FollowWriter.write(calls, in: pool, at: clock.wall)
            onWritten()
            return answers
        }
        catchUps = LaneSet(bounds: bounds, clock: clock) { calls in
            if try await RegistrationsUnderWay.catchUp(calls.map(\.key), in: pool) { onWritten() }
            return calls.map { _ in }
        }
    }

    /// Calls that wait to be written.
    public var waitingCount: Int { lanes.waitingCount + catchUps.waitingCount }

    /// Stores that a device follows a match; a lower client count than the stored one changes nothing.
    public func put(
        _ settings: FollowSettings,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws(FollowError) -> FollowOutcome {
        try await write(
            FollowCall(device: device, match: settings.match, settings: settings, clientSequence: clientSequence)
        )
    }

    /// Stores that a device follows a match no longer; a late one does not undo a newer follow.
    public func remove(
        _ match: MatchID,
        of device: DeviceID,
        clientSequence: Int64
    ) async throws(FollowError) -> FollowOutcome {
        try await write(FollowCall(device: device, match: match, settings: nil, clientSequence: clientSequence))
    }

    private func write(_ call: FollowCall) async throws(FollowError) -> FollowOutcome {
        let answer = try await lanes.submit(call, of: call.device)
        if answer.mayBeMissed { try await catchUps.submit(WishCatchUp(key: call.key), of: call.device) }
        return answer.outcome
    }

    /// What a device follows, by match.
    public func list(_ device: DeviceID) async throws(FollowError) -> [Follow] {
        do {
            return try await pool.query(
                FollowStatements.list,
                [.smallint(Bucket(of: device).number), .uuid(device)]
            ) { try $0.follow() }
        } catch {
            throw FollowError(error)
        }
    }

    /// Makes a device follow exactly the listed matches, but for those with a newer wish.
    ///
    /// - `kept`: Matches that stay as they are, followed or not, although they are not listed.
    public func replaceAll(
        _ list: [FollowSettings],
        keeping kept: Set<MatchID> = [],
        of device: DeviceID,
        clientSequence: Int64
    ) async throws(FollowError) -> FollowListOutcome {
        let listed = Dictionary(list.map { ($0.match, $0) }) { _, last in last }
        do {
            let (pool, now) = (pool, clock.wall)
            let outcome = try await FollowWriter.replaceAll(
                listed,
                keeping: kept,
                of: device,
                clientSequence: clientSequence,
                in: pool,
                at: now
            )
            onWritten()
            return outcome
        } catch {
            throw FollowError(error)
        }
    }
}
