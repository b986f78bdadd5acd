// The SQL of devices.

internal import Postgres
internal import ScoreTypes

enum DeviceStatements {
    static let insert: Statement = """
        insert into device (device_id, bucket, created_at, seen_at, env, bundle_id, abilities, schema_version, profile,
                            credential_hash, quiet_from, quiet_until)
        values ($1, $2, $3, $3, $4, $5, $6, $7, $8, $9, $10, $11)
        on conflict (bucket, device_id) do nothing
        """

    private static let columns: StaticString = """
        device_id, created_at, env, bundle_id, abilities, schema_version, profile, alert_token, alert_gen,
        alert_token_at, start_token, start_gen, start_token_at, quiet_from, quiet_until, start_variant, profile_seq,
        widget_token, widget_gen, widget_token_at, moved_tokens
        """

    static let find: Statement = """
        select \(columns) from device where bucket = $1 and device_id = $2 and erased_at is null
        """

    static let lock: Statement =
        "select 1 from device where bucket = $1 and device_id = $2 and erased_at is null for update"

    static let credentials: Statement = """
        select d.credential_hash, d.replaced_hash, d.replaced_until, d.blocked_at is not null, d.seen_at < $3,
               d.device_id
        from unnest($1, $2) as r(bucket, device_id)
        join device d on d.bucket = r.bucket and d.device_id = r.device_id
        where d.erased_at is null
        """

    static let noteUse: Statement = """
        update device set seen_at = $3
        where bucket = $1 and device_id = $2 and erased_at is null and seen_at < $4
        """

    /// The credential with its newest rotation, locked until the transaction ends.
    static let lockCredential: Statement = """
        select credential_hash, replaced_hash, replaced_until, rotation_key, rotation_salt from device
        where bucket = $1 and device_id = $2 and erased_at is null
        for update
        """

    static let rotate: Statement = """
        update device set credential_hash = $3, replaced_hash = credential_hash, replaced_until = $4,
               rotation_key = $5, rotation_salt = $6, seen_at = $7
        where bucket = $1 and device_id = $2
        """

    static let patch: Statement = """
        update device set seen_at = $3, abilities = $4, schema_version = coalesce($5, schema_version),
               profile = profile || $6,
               quiet_from = case when $7 then $8 else quiet_from end,
               quiet_until = case when $7 then $9 else quiet_until end,
               profile_seq = coalesce($10, profile_seq)
        where bucket = $1 and device_id = $2 and erased_at is null
        returning \(columns)
        """

    /// Frees the tokens of a device, before its row is locked.
    static let freeTokens: Statement = """
        delete from token_owner o using device d
        where d.bucket = $1 and d.device_id = $2 and o.device_id = d.device_id
          and o.digest in (substr(sha256(d.alert_token), 1, 15) || 'a'::bytea,
                           substr(sha256(d.start_token), 1, 15) || 's'::bytea,
                           substr(sha256(d.widget_token), 1, 15) || 'w'::bytea)
        """

    static let eraseFollows = Statement("delete from follow where bucket = $1 and device_id = $2")

    /// Erases a device except for the mark by which all nodes refuse its late calls.
    static let eraseDevice: Statement = """
        update device set erased_at = $3, abilities = 0, credential_hash = '', bundle_id = '', profile = '{}',
               alert_token = null, start_token = null, alert_token_at = null, start_token_at = null,
               widget_token = null, widget_token_at = null, moved_tokens = 0,
               quiet_from = null, quiet_until = null, early_ends = null, reconciled_at = null, blocked_at = null,
               tester_at = null, access_at = $3,
               replaced_hash = null, replaced_until = null, rotation_key = null, rotation_salt = null
        where bucket = $1 and device_id = $2 and erased_at is null
        """

    /// The activities that a device shows which is erased or blocked ($3 is the reason); their rows stay without a
    /// token, so that arenas stay correct.
    static let endActivities: Statement = """
        with target as materialized (
            select match_id, bucket, device_id, channel_id, token from activity
            where bucket = $1 and device_id = $2 and state <> 3
            order by match_id for update
        )
        update activity a set state = 3, token = '', end_reason = $3 from target t
        where a.match_id = t.match_id and a.bucket = t.bucket and a.device_id = t.device_id
        returning a.match_id, a.device_id, a.gen, a.env, a.variant, t.channel_id, t.token, a.end_reason
        """
}

extension DevicePatch {
    /// The parameters of `patch` from the fourth on.
    func binds(for device: DeviceRecord) -> [Bind] {
        [
            .smallint(abilities(of: device).rawValue), schemaVersion.map { .smallint($0) } ?? .null,
            .json(profile.json), .bool(quietHours != nil),
        ] + (quietHours ?? nil).binds + [clientSequence.map { .int($0) } ?? .null]
    }
}

extension QuietHours? {
    /// Begin and end.
    var binds: [Bind] { [map { .smallint($0.from) } ?? .null, map { .smallint($0.until) } ?? .null] }
}

extension Row {
    /// Reads the twenty-one columns of a whole device.
    func deviceRecord() throws -> DeviceRecord {
        DeviceRecord(
            device: try uuid(0),
            createdAt: try timestamp(1),
            environment: try environment(2),
            bundleID: try text(3),
            abilities: DeviceAbilities(rawValue: try small(4)),
            schemaVersion: try small(5),
            profileJSON: try json(6),
            alertToken: try deviceToken(7),
            startToken: try deviceToken(10),
            widgetToken: try deviceToken(17),
            startVariant: try variant(15),
            quietHours: try quietHours(13),
            profileSequence: try int(16),
            movedTokens: try movedTokens(20)
        )
    }

    /// Reads the three columns of a credential.
    func storedCredential() throws -> StoredCredential {
        StoredCredential(
            hash: try bytes(0),
            replacedHash: try bytesIfPresent(1),
            replacedUntil: try timestampIfPresent(2)
        )
    }

    /// Reads two neighbouring columns.
    func quietHours(_ column: Int) throws -> QuietHours? {
        guard let from = try intIfPresent(column), let until = try intIfPresent(column + 1) else { return nil }
        return QuietHours(from: Int16(clamping: from), until: Int16(clamping: until))
    }

    /// Reads the kinds of tokens that other devices took over.
    func movedTokens(_ column: Int) throws -> [DeviceTokenKind] {
        let bits = try small(column)
        return DeviceTokenKind.allCases.filter { bits & $0.bit != 0 }
    }

    private func deviceToken(_ column: Int) throws -> StoredDeviceToken? {
        guard let token = try bytesIfPresent(column).flatMap({ PushToken(bytes: $0) }) else { return nil }
        return StoredDeviceToken(
            token: token,
            generation: try medium(column + 1),
            at: try timestampIfPresent(column + 2) ?? Instant(milliseconds: 0)
        )
    }
}
