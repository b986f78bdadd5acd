// Whether the app may start an activity, and on what.

extension ClientState {
    /// Begins the start of a match's activity, which takes several steps; `endStart` follows in any case.
    ///
    /// - Throws: `ActivityStartError.alreadyRunning` when another start of the match has begun and not ended.
    mutating func beginStart(of match: String) throws(ActivityStartError) {
        guard starts[match] == nil else { throw .alreadyRunning }
        starts[match] = record.follows[match] != nil
    }

    /// Ends a start, whether there is an activity or not.
    mutating func endStart(of match: String) { starts[match] = nil }

    /// Whether a match was followed when its start began, and is not any more.
    func hasLostFollow(of match: String) -> Bool { starts[match] == true && record.follows[match] == nil }

    /// Ends an activity that the system started after its match was unfollowed.
    mutating func abandon(_ activity: String, at now: ClientInstant) -> [ClientAction] {
        // The system may have reported the start already.
        end(activity, because: .unfollowed, at: now)
        return [.endActivity(id: activity)]
    }

    /// Whether the match's activity should start on a channel that is not known yet.
    ///
    /// The server names it in its answers about the follow; it creates a missing one a few seconds after the follow.
    func lacksChannel(of match: String) -> Bool {
        guard record.description?.usesChannels == true, let follow = record.follows[match] else { return false }
        return follow.choices.liveActivity && follow.channelID == nil
    }

    /// The start of a match's activity by the app.
    ///
    /// - Throws: `ActivityStartError` when the match has one or was unfollowed meanwhile, or there are as many as the
    ///   server allows.
    func start(
        of match: MatchDetail,
        startAt: Int64?,
        now: ClientInstant
    ) throws(ActivityStartError) -> ActivityStart {
        if hasLostFollow(of: match.id) { throw .unfollowed }
        if record.activities.values.contains(where: { $0.matchID == match.id }) { throw .alreadyRunning }
        if record.activities.count >= record.settings.maxActivities { throw .tooManyOfApp }
        if record.description?.liveActivitiesEnabled == false { throw .denied }
        let isOnChannel = record.description?.usesChannels == true
        let channel = isOnChannel ? record.follows[match.id]?.channelID : nil
        // The state is stale half an hour after it is first shown.
        let startAt = startAt.flatMap { $0 > now.wall ? $0 : nil }
        let shownAt = ClientInstant(wall: startAt ?? now.wall, uptime: now.uptime)
        return ActivityStart(
            attributes: match.attributes(scheme: record.settings.deepLinkScheme, channelID: channel),
            state: match.display,
            channelID: channel,
            staleAt: record.settings.staleAt(shownAt),
            startAt: startAt
        )
    }
}
