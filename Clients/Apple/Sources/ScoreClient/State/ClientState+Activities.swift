// Activities as the system lists them, their addresses, ends and receipts.

/// A reconcile report that waits to be sent.
struct ReconcileDraft: Sendable, Hashable {
    var entries: [ReconcileReport.Running]
    /// Dismissed activities in it that the server never had.
    var dismissed: [ObservedActivity]
    var sequence: Int64
}

extension ClientState {
    mutating func take(_ event: ActivityEvent, at now: ClientInstant) -> [ClientAction] {
        switch event {
        case .pushToStartToken(let token): return take(token, as: .pushToStart, at: now)
        case .started(let activity): observe(activity, at: now)
        case .token(let id, let token):
            // The token of an activity that the app starts may come before the result of the start.
            if record.activities[id] == nil { needs.insert(.listing) }
            report(id, at: .token(token), at: now)
        case .shows(let id, let revision): shows(id, revision, at: now)
        // Pushes have not arrived: the server may have a newer state.
        case .stale: needs.formUnion([.listing, .follows])
        case .ended(let id, let isDismissed): end(id, because: isDismissed ? .dismissed : .ended, at: now)
        case .allowed(let liveActivities, let frequentPushes):
            record.permissions = ActivityPermissions(liveActivities: liveActivities, frequentPushes: frequentPushes)
            return record.description.map { describe($0, at: now) } ?? []
        }
        return []
    }

    /// Compares the list of the system with the known activities, and drafts a reconcile report.
    mutating func takeList(_ activities: [ObservedActivity], at now: ClientInstant) -> [ClientAction] {
        isListing = false
        let newer = observedWhileListing.subtracting(activities.map(\.id))
        for activity in activities where activity.isRunning { observe(activity, at: now) }
        // The final card of an activity that ran only while the app did not: no other report says what it shows.
        let unseen = activities.filter { $0.phase == .ended && record.activities[$0.id] == nil }
        let running = Set(activities.filter(\.isRunning).map(\.id))
        let gone = record.activityOrder.filter { !running.contains($0) && !newer.contains($0) }
        for id in gone {
            let listed = activities.first { $0.id == id }
            let isDismissed = listed?.phase == .dismissed
            if let listed { shows(id, listed.revision, at: now) }
            end(id, because: isDismissed ? .dismissed : .ended, at: now)
        }
        if newer.contains(where: { record.activities[$0] != nil }) {
            // The server ends what it knows and a report does not name: the report is made from a new list.
            needs.insert(.listing)
            return []
        }
        let dismissed = record.dismissals
        let reported = activities.filter { $0.isRunning && !isSuccessor($0, in: activities) }
        let listed = (reported + dismissed + unseen).prefix(ClientLimits.reportedActivities)
        report = ReconcileDraft(
            entries: listed.map { activity in
                ReconcileReport.Running(
                    activityId: activity.id,
                    matchId: activity.matchID,
                    state: activity.phase.rawValue,
                    lastAppliedRev: activity.revision,
                    tokenFingerprint: activity.token.flatMap { TokenFingerprint.text(of: $0) },
                    channelId: channel(of: activity)
                )
            },
            dismissed: dismissed,
            // Taken now: what is registered after the list must not count as missing.
            sequence: record.queue.nextSequence(at: now.wall)
        )
        return []
    }

    /// Whether an activity was started beside another one and has no address yet.
    ///
    /// The server would take it for the older one and end it, so that a report names it only with its registration.
    private func isSuccessor(_ activity: ObservedActivity, in list: [ObservedActivity]) -> Bool {
        guard record.activities[activity.id]?.reported == nil else { return false }
        return list.contains { other in
            other.matchID == activity.matchID && other.isRunning && record.activities[other.id]?.reported != nil
        }
    }

    /// Remembers an activity and reports its address when there is a new one.
    mutating func observe(_ activity: ObservedActivity, at now: ClientInstant) {
        guard activity.isRunning else { return }
        if isListing { observedWhileListing.insert(activity.id) }
        if record.activities[activity.id] == nil {
            record.activityOrder.append(activity.id)
            if record.activityOrder.count > ClientLimits.rememberedActivities {
                record.activities[record.activityOrder.removeFirst()] = nil
            }
        }
        var known =
            record.activities[activity.id]
            ?? KnownActivity(
                matchID: activity.matchID,
                startedAt: now.wall,
                isStartedByPush: activity.isStartedByPush,
                revision: 0,
                movedAt: now.wall
            )
        known.channelID = activity.channelID ?? known.channelID
        if known.isPending { known.movedAt = now.wall }
        known.isPending = activity.phase == .pending
        record.activities[activity.id] = known
        if let address = address(of: activity) { report(activity.id, at: address, at: now) }
        shows(activity.id, activity.revision, at: now)
    }

    /// The address of an activity: its token, else the channel that the attributes or the follow name.
    ///
    /// ActivityKit names no channel. On a system with channels an activity without a token is on the match's channel;
    /// a token that comes later replaces this report.
    private func address(of activity: ObservedActivity) -> ActivityAddress? {
        if let token = activity.token { return .token(token) }
        if let channel = channel(of: activity) { return .channel(channel) }
        guard record.description?.channelsSupported == true, activity.isStartedByPush else { return nil }
        return record.follows[activity.matchID]?.channelID.map { .channel($0) }
    }

    /// The channel that the attributes, the start or an earlier report of an activity name; nil for one on a token.
    private func channel(of activity: ObservedActivity) -> String? {
        guard activity.token == nil else { return nil }
        if let channel = activity.channelID ?? record.activities[activity.id]?.channelID { return channel }
        if case .channel(let channel)? = record.activities[activity.id]?.reported { return channel }
        return nil
    }

    /// Reports an address unless it was reported already.
    mutating func report(_ id: String, at address: ActivityAddress, at now: ClientInstant, again: Bool = false) {
        guard let known = record.activities[id], again || known.reported != address else { return }
        if case .token = known.reported, case .token = address, !again { count(.tokenRotated, at: now) }
        record.activities[id]?.reported = address
        enqueue(
            .reportActivity(
                id: id,
                match: known.matchID,
                address,
                startedAt: known.startedAt,
                byPush: known.isStartedByPush,
                revision: known.revision
            ),
            at: now
        )
    }

    /// Notes a receipt: the revision that an activity shows.
    private mutating func shows(_ id: String, _ revision: Int64, at now: ClientInstant) {
        guard let known = record.activities[id], revision > known.revision else { return }
        record.activities[id]?.revision = revision
        record.activities[id]?.movedAt = now.wall
        record.receipts[id] = ActivityReceipt(activityId: id, rev: revision, atMs: now.wall)
    }

    /// Counts an event for the server, at most as often as one batch may say.
    mutating func count(_ event: CountedEvent, at now: ClientInstant) {
        let before = record.counts[event]
        // Each occurrence has a time of its own: the server counts what is newer than what it counted before.
        let at = max(now.wall, (before?.atMs ?? 0) + 1)
        record.counts[event] = EventCount(count: min((before?.count ?? 0) + 1, ClientLimits.countedEvents), atMs: at)
    }

    /// Reports the end of a known activity and forgets it.
    ///
    /// The list of activities and an event may both report an end. The second report changes nothing, so that the
    /// receipt of the final card is still sent.
    mutating func end(_ id: String, because cause: ActivityEndCause, at now: ClientInstant) {
        guard let known = record.activities[id] else { return }
        let receipt = cause == .ended ? record.receipts[id] : nil
        forget(id)
        if known.reported == nil {
            // The server has no such activity and would store no dismissal: the next report names its match.
            guard cause == .dismissed else { return }
            record.dismissals.append(ObservedActivity(id: id, matchID: known.matchID, phase: .dismissed))
            if record.dismissals.count > ClientLimits.reportedActivities { record.dismissals.removeFirst() }
            if !isListing { needs.insert(.listing) }
            return
        }
        // The final card was shown: its receipt precedes the report of the end.
        record.receipts[id] = receipt
        enqueue(.endActivity(id: id, match: known.matchID, cause), at: now)
    }

    mutating func forget(_ id: String) {
        record.activityOrder.removeAll { $0 == id }
        record.receipts[id] = nil
        record.activities[id] = nil
    }
}
