// Devices register once and rotate tokens for years.

public import Postgres
public import ScoreTypes

/// The store of devices.
public struct Devices: Sendable {
    let pool: Pool
    let clock: ServiceClock
    private let onWritten: @Sendable () -> Void
    private let alertTokens: CallBatchers<DeviceTokenRegistration>
    private let startTokens: CallBatchers<DeviceTokenRegistration>
    private let widgetTokens: CallBatchers<DeviceTokenRegistration>
    private let credentials: CallBatchers<CredentialLookup>

    /// Makes the store.
    ///
    /// - `onWritten`: Called after a commit that ended activities; wakes the arenas of this node.
    public init(
        pool: Pool,
        clock: ServiceClock,
        bounds: BatchBounds = BatchBounds(),
        onWritten: @escaping @Sendable () -> Void = {}
    ) {
        self.pool = pool
        self.clock = clock
        self.onWritten = onWritten
        alertTokens = CallBatchers(count: 1, bounds: bounds, clock: clock) { calls in
            try await DeviceTokenWriter.write(calls, kind: .alert, in: pool, at: clock.wall, onEnded: onWritten)
        }
        startTokens = CallBatchers(count: 1, bounds: bounds, clock: clock) { calls in
            try await DeviceTokenWriter.write(calls, kind: .pushToStart, in: pool, at: clock.wall, onEnded: onWritten)
        }
        // A lookup that finds none before it runs at once.
        credentials = CallBatchers(count: 1, bounds: BatchBounds(gatherMax: .zero), clock: clock) { lookups in
            try await CredentialLookup.read(lookups, in: pool, at: clock.wall)
        }
        widgetTokens = CallBatchers(count: 1, bounds: bounds, clock: clock) { calls in
            try await DeviceTokenWriter.write(calls, kind: .widget, in: pool, at: clock.wall, onEnded: onWritten)
        }
    }

    /// Stores a new device; false when its id is taken.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func register(_ device: NewDevice) async throws(FollowError) -> Bool {
        let binds: [Bind] = [
            .uuid(device.device), .smallint(Bucket(of: device.device).number), .timestamp(clock.wall),
            .smallint(device.environment.code), .text(device.bundleID), .smallint(device.abilities.rawValue),
            .smallint(device.schemaVersion), .json(device.profile.json), .bytes(device.credentialHash),
        ]
        return try await pool.write(DeviceStatements.insert, binds + device.quietHours.binds) == 1
    }

    /// A device with its tokens; nil when there is none.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func find(_ device: DeviceID) async throws(FollowError) -> DeviceRecord? {
        try await pool.rows(DeviceStatements.find, device.binds) { try $0.deviceRecord() }.first
    }

    /// The hashes of a device's credentials; nil when there is no such device.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when too many calls wait.
    public func authenticate(_ device: DeviceID) async throws(FollowError) -> StoredCredential? {
        try await credentials.submit(CredentialLookup(key: DeviceKey(device)), of: device)
    }

    /// Stores that a device made an authenticated call, at most once in ``FollowLimits/deviceUseInterval``.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func noteUse(of device: DeviceID) async throws(FollowError) {
        let now = clock.wall
        let binds = device.binds + [.timestamp(now), .timestamp(now - FollowLimits.deviceUseInterval)]
        try await pool.write(DeviceStatements.noteUse, binds)
    }

    /// Replaces a device's credential; the old one stays valid for ``FollowLimits/replacedCredentialAge``.
    ///
    /// A repeated request changes nothing, on whichever node.
    ///
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func rotate(_ rotation: CredentialRotation) async throws(FollowError) -> CredentialRotationOutcome {
        let (place, now) = (rotation.device.binds, clock.wall)
        return try await pool.commit { connection in
            let state = try connection.query(DeviceStatements.lockCredential, place) { row in
                CredentialState(
                    credential: try row.storedCredential(),
                    key: try row.bytesIfPresent(3),
                    salt: try row.bytesIfPresent(4)
                )
            }.first
            guard let outcome = state?.outcome(of: rotation, at: now) else { return .invalid }
            guard outcome == .rotated else { return outcome }
            let until = now + FollowLimits.replacedCredentialAge
            try connection.execute(
                DeviceStatements.rotate,
                place + [
                    .bytes(rotation.renewed), .timestamp(until), .bytes(rotation.key), .bytes(rotation.salt),
                    .timestamp(now),
                ]
            )
            return .rotated
        }
    }

    /// Changes a device by a decision on its stored state; concurrent changes are serialized.
    ///
    /// A change with a lower client sequence than the stored one changes nothing.
    ///
    /// - `decide`: Called while the device is locked; nil changes nothing.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func patch(
        _ device: DeviceID,
        _ decide: @escaping @Sendable (DeviceRecord) -> DevicePatch?
    ) async throws(FollowError) -> DevicePatchOutcome {
        let (place, now) = (device.binds, clock.wall)
        return try await FollowError.mapping {
            let (outcome, changesAlerts) = try await pool.transaction { connection -> (DevicePatchOutcome, Bool) in
                // Locked before the device, in the order of all transactions.
                let shown = try connection.lockActivities(of: device)
                try connection.execute(DeviceStatements.lock, place)
                let found = try connection.query(DeviceStatements.find, place) { try $0.deviceRecord() }.first
                guard let found else { return (.unknownDevice, false) }
                guard let patch = decide(found) else { return (.declined(found), false) }
                if patch.isOutdated(on: found) { return (.outdated(found), false) }
                let binds = place + [.timestamp(now)] + patch.binds(for: found)
                let changed = try connection.query(DeviceStatements.patch, binds) { try $0.deviceRecord() }.first
                let changesAlerts = patch.changesAlerts(of: found)
                if changesAlerts { try connection.copyWishes(to: shown) }
                return (changed.map { .changed($0) } ?? .unknownDevice, changesAlerts)
            }
            if changesAlerts { try await RegistrationBarrier.catchUp(device, in: pool) }
            onWritten()
            return outcome
        }
    }

    /// Erases a device, its tokens and its follows; for ``FollowLimits/erasedDeviceAge`` a mark makes late calls fail.
    ///
    /// - Returns: The activities that it still shows, for a last push; nil when there is no such device.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    public func erase(_ device: DeviceID) async throws(FollowError) -> [EndingActivity]? {
        try await shut(device, because: .erased) { connection, binds in
            let count = try connection.execute(DeviceStatements.eraseDevice, binds)
            try connection.execute(DeviceStatements.eraseFollows, device.binds)
            return count == 1
        }
    }

    /// Ends the activities of a device and takes its tokens, with a change that lets its row refuse further ones.
    ///
    /// - `change`: Gets the key of the row and the time; false when there is no such device.
    /// - Returns: The activities that it still shows, for a last push; nil when there is no such device.
    func shut(
        _ device: DeviceID,
        because reason: EndReason,
        _ change: @escaping @Sendable (isolated Connection, [Bind]) throws -> Bool
    ) async throws(FollowError) -> [EndingActivity]? {
        let (place, now) = (device.binds, clock.wall)
        let binds = place + [.text(reason.rawValue)]
        return try await FollowError.mapping {
            let ended: [EndingActivity]? = try await pool.transaction { connection in
                try connection.execute(DeviceStatements.freeTokens, place)
                let ended = try connection.endActivities(DeviceStatements.endActivities, binds)
                return try change(connection, place + [.timestamp(now)]) ? ended : nil
            }
            guard let ended else { return nil }
            // Ends activities of registrations that missed the change; ``ErasedDevices`` ends later ones.
            try? await RegistrationBarrier.end(in: pool)
            let late = try? await pool.transaction { try $0.endActivities(DeviceStatements.endActivities, binds) }
            onWritten()
            return ended + (late ?? [])
        }
    }

    /// Stores or removes a device's token; a lower client sequence than the stored one changes nothing.
    ///
    /// A token that another device had moves to this one; that device has none then, and its activities end.
    ///
    /// - Throws: `busy` when too many calls wait, `unavailable` when PostgreSQL fails.
    public func setToken(_ registration: DeviceTokenRegistration) async throws(FollowError) -> DeviceTokenOutcome {
        switch registration.kind {
        case .alert: try await alertTokens.submit(registration, of: registration.device)
        case .pushToStart: try await startTokens.submit(registration, of: registration.device)
        case .widget: try await widgetTokens.submit(registration, of: registration.device)
        }
    }

    /// Removes tokens that APNs rejected; newer ones stay.
    ///
    /// - Returns: The number of removed tokens.
    /// - Throws: `unavailable` when PostgreSQL fails, `busy` when no connection is free.
    @discardableResult
    public func evictTokens(
        _ kind: DeviceTokenKind,
        _ dead: [RejectedToken]
    ) async throws(FollowError) -> Int {
        let statement = DeviceTokenStatements.of(kind).drop
        var dropped = 0
        for start in stride(from: 0, to: dead.count, by: FollowLimits.rowsPerStatement) {
            let batch = dead[start..<min(dead.count, start + FollowLimits.rowsPerStatement)]
            let binds =
                batch.map(\.device).binds
                + [.integers(batch.map(\.generation)), .optionalTimestamps(batch.map(\.deadAt))]
            dropped += try await pool.commit { try $0.execute(statement, binds) }
        }
        return dropped
    }
}
