// Adds the changes of the person and of the system to the queue.

extension ClientState {
    /// Adds a change; a full queue returns nil.
    @discardableResult
    mutating func enqueue(_ operation: PendingChange.Operation, at now: ClientInstant) -> PendingChange? {
        record.queue.add(operation, at: now.wall, inFlight: sequenceInFlight)
    }

    private var sequenceInFlight: Int64? {
        if case .change(let sequence)? = flight?.purpose { sequence } else { nil }
    }

    /// Compares the description with the last one; a registration sends it whole and makes the change unnecessary.
    ///
    /// Permissions that the system reports replace those of the app.
    mutating func describe(_ description: DeviceDescription, at now: ClientInstant) -> [ClientAction] {
        var description = description
        if let permissions = record.permissions {
            description.liveActivitiesEnabled = permissions.liveActivities
            description.frequentPushesEnabled = permissions.frequentPushes
        }
        record.isErased = false
        let previous = record.description
        record.description = description
        if previous != description { noticedRefusal = nil }
        if previous?.patch != description.patch { enqueue(.describeDevice(description), at: now) }
        return []
    }

    mutating func follow(_ match: String, _ choices: FollowChoices, at now: ClientInstant) -> [ClientAction] {
        let target = PendingChange.Target.follow(match: match)
        if record.follows[match]?.choices == choices, !record.queue.has(target) { return [] }
        guard enqueue(.follow(match: match, choices), at: now) != nil else {
            return [.notify(.followRefused(match: match, .tooManyFollows))]
        }
        needSurfaces()
        var follow = record.follows[match] ?? FollowedMatch(choices)
        follow.choices = choices
        record.follows[match] = follow
        return []
    }

    /// Ends a follow; the app itself ends the activities of the match, since no push reaches a single one on a channel.
    mutating func unfollow(_ match: String, at now: ClientInstant) -> [ClientAction] {
        record.follows[match] = nil
        needSurfaces()
        enqueue(.unfollow(match: match), at: now)
        return record.activityOrder.filter { record.activities[$0]?.matchID == match }.map { id in
            end(id, because: .unfollowed, at: now)
            return .endActivity(id: id)
        }
    }

    /// Takes a token of the system; an unchanged one is sent at most once in a run of the app.
    mutating func take(_ token: String?, as name: DeviceTokenName, at now: ClientInstant) -> [ClientAction] {
        let isFirst = namedTokens.insert(name).inserted
        if record.tokens[name] == token {
            if let token, isFirst, !isConfirmed(name, at: now), !record.queue.has(.token(name)) {
                enqueue(.setToken(name, token), at: now)
            }
            return []
        }
        if record.tokens[name] != nil && token != nil { count(.tokenRotated, at: now) }
        record.tokens[name] = token
        record.tokensConfirmedAt?[name] = nil
        enqueue(token.map { .setToken(name, $0) } ?? .removeToken(name), at: now)
        return []
    }

    /// Whether the server has confirmed a token within a day; a time after now is of a clock that was wrong.
    private func isConfirmed(_ name: DeviceTokenName, at now: ClientInstant) -> Bool {
        guard let confirmedAt = record.tokensConfirmedAt?[name] else { return false }
        return (0...ClientLimits.tokenAge).contains(now.wall &- confirmedAt)
    }

    /// Makes a change of everything that the device has, for a server that does not know it.
    mutating func requeueAll(at now: ClientInstant) {
        record.queue.removeAll { change in
            switch change.operation {
            case .describeDevice, .endActivity: true
            default: false
            }
        }
        for (match, follow) in record.follows.sorted(by: { $0.key < $1.key }) {
            record.follows[match]?.confirmed = 0
            enqueue(.follow(match: match, follow.choices), at: now)
        }
        for (name, token) in record.tokens.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
            enqueue(.setToken(name, token), at: now)
        }
        for id in record.activityOrder {
            guard let address = record.activities[id]?.reported else { continue }
            report(id, at: address, at: now, again: true)
        }
        record.followsTag = nil
        // A new report is made from a new list, or from one that is being read.
        report = nil
        needs.insert(.follows)
        if !isListing { needs.insert(.listing) }
    }
}
