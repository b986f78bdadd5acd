// Whether the app may start an activity, and on what.

extension ClientState {
    /// Whether the match's activity should start on a channel that is not known yet.
    ///
    /// The server names it in its answers about the follow; it creates a missing one a few seconds after the follow.
    func lacksChannel(of match: String) -> Bool {
        guard record.description?.channelsSupported == true, let follow = record.follows[match] else { return false }
        return follow.choices.liveActivity && follow.channelID == nil
    }

    /// The start of a match's activity by the app.
    ///
    /// - Throws: `ActivityStartError` when the match has one, or there are as many as the server allows.
    func start(
        of match: MatchDetail,
        startAt: Int64?,
        now: ClientInstant
    ) throws(ActivityStartError) -> ActivityStart {
        if record.activities.values.contains(where: { $0.matchID == match.id }) { throw .alreadyRunning }
        if record.activities.count >= record.settings.maxActivities { throw .tooManyOfApp }
        if record.description?.liveActivitiesEnabled == false { throw .denied }
        let hasChannels = record.description?.channelsSupported == true
        let channel = hasChannels ? record.follows[match.id]?.channelID : nil
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
