// Registration, rotation and loss of the credential; each step may be the last one before the app ends.

extension ClientState {
    /// The credential of the device; nil when there is none, or none was read yet.
    var credential: String? {
        if case .credential(let credential) = access { credential } else { nil }
    }

    mutating func take(_ reading: CredentialReading) -> [ClientAction] {
        // A credential in memory is newer than what a late read reports.
        guard access == .reading else { return [] }
        switch reading {
        case .found(let credential):
            access = .credential(credential)
            if record.registrationKey != nil {
                // The app ended after the credential was stored and before the record was.
                record.registrationKey = nil
                needsRequeue = true
            }
        case .absent: access = .none
        case .unavailable: access = .locked
        }
        return []
    }

    mutating func credentialStored(_ isStored: Bool) -> [ClientAction] {
        if isStored { unstored = nil }
        return []
    }

    /// Adopts a new credential: it is stored before the record says that the registration or rotation has ended.
    mutating func adopt(_ credential: String, at now: ClientInstant) -> [ClientAction] {
        access = .credential(credential)
        unstored = credential
        record.credentialAt = now.wall
        return [.storeCredential(credential)]
    }

    mutating func registered(
        _ response: ClientResponse,
        as description: DeviceDescription,
        at now: ClientInstant
    ) -> [ClientAction]? {
        guard response.isSuccess, let answer = ClientJSON.decode(CredentialAnswer.self, from: response.body) else {
            return nil
        }
        let actions = adopt(answer.credential, at: now)
        record.registrationKey = nil
        noticedRefusal = nil
        requeueAll(at: now)
        if let current = record.description, current.patch != description.patch {
            enqueue(.describeDevice(current), at: now)
        }
        return actions + [.notify(.registered)]
    }

    /// The server does not know the credential: the device registers again and sends everything that it has.
    mutating func loseCredential() -> [ClientAction] {
        access = .none
        unstored = nil
        record.credentialAt = 0
        record.rotationKey = nil
        record.registrationKey = nil
        report = nil
        return [.removeCredential]
    }

    mutating func takeRotation(_ response: ClientResponse, at now: ClientInstant) -> [ClientAction] {
        if response.isSuccess, let answer = ClientJSON.decode(CredentialAnswer.self, from: response.body) {
            record.rotationKey = nil
            return adopt(answer.credential, at: now)
        }
        if [404, 405, 501].contains(response.status) { missingRoutes.insert(.rotation) }
        // Another refusal ends this attempt; an old credential begins the next one with a new key.
        record.rotationKey = nil
        if record.credentialAt > 0 { record.credentialAt = now.wall }
        return []
    }

    /// Forgets everything about the device; the sequence numbers stay, so that a later registration continues them.
    ///
    /// The app itself ends the activities, since no push reaches a single one on a channel, and a later registration
    /// would report them again.
    mutating func forgetAll() -> [ClientAction] {
        let ends = record.activityOrder.map { ClientAction.endActivity(id: $0) }
        var empty = ClientRecord()
        empty.queue.raise(to: record.queue.lastSequence)
        empty.settings = record.settings
        empty.permissions = record.permissions
        empty.settingsReadAt = record.settingsReadAt
        empty.isErased = true
        record = empty
        needs = []
        report = nil
        // Without a follow it removes all snapshots.
        needSurfaces()
        return ends + [.notify(.erased)]
    }
}
