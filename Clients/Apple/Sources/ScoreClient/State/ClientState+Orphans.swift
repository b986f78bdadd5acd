// The app's own check: an activity without new content, whose match the server does not list, ends after 30 minutes.

extension ClientState {
    /// Moves remembered times when the clock was set while the app ran, since only differences of them count.
    ///
    /// A clock that went back while the app was closed starts the time again.
    mutating func noteClock(_ now: ClientInstant) {
        defer { lastInstant = now }
        guard let last = lastInstant else {
            for (id, activity) in record.activities {
                record.activities[id]?.movedAt = min(activity.movedAt, now.wall)
            }
            return
        }
        let shift = (now.wall &- last.wall) &- (now.uptime - last.uptime).milliseconds
        guard shift.magnitude > UInt64(ClientLimits.clockTolerance) else { return }
        for id in record.activityOrder { record.activities[id]?.movedAt &+= shift }
    }

    /// Ends the orphans, by a list of follows that was just read: without an answer of the server nothing ends.
    mutating func endOrphans(at now: ClientInstant) -> [ClientAction] {
        let orphans = record.activityOrder.filter { quietTime(of: $0, at: now) ?? 0 >= ClientLimits.quietTime }
        return orphans.map { id in
            end(id, because: .stale, at: now)
            return .endActivity(id: id)
        }
    }

    /// Requests the list of follows when an activity may be an orphan.
    ///
    /// - Returns: The uptime of the next check; nil when every activity is of a followed match.
    mutating func checkOrphans(at now: ClientInstant) -> Duration? {
        guard case .credential = access else { return nil }
        let longest = record.activityOrder.compactMap { quietTime(of: $0, at: now) }.max()
        guard let longest else { return nil }
        let due = max(now.uptime + .milliseconds(ClientLimits.quietTime - longest), orphanCheckAt)
        if due <= now.uptime {
            needs.insert(.follows)
            orphanCheckAt = now.uptime + .milliseconds(ClientLimits.quietTime)
        }
        return max(due, orphanCheckAt)
    }

    /// Milliseconds since the content of an activity of an unlisted match changed; nil for any other activity.
    ///
    /// A scheduled activity has no content yet.
    private func quietTime(of id: String, at now: ClientInstant) -> Int64? {
        guard let activity = record.activities[id], !activity.isPending, record.follows[activity.matchID] == nil else {
            return nil
        }
        return min(max(0, now.wall &- activity.movedAt), ClientLimits.quietTime)
    }
}
